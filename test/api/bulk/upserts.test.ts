import { beforeEach, describe, expect, it } from "vitest";
import { BulkCreationPreview } from "../../../src/contract/resources/codes/bulk.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, emittedEvents } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;

beforeEach(async () => {
  const { workspaceId } = await harness.service.workspace();
  client = await harness.service.client(workspaceId, ["qr:write", "history:read"]);
});

const path = "/qr/bulk?upsert=externalId";
const row = (externalId: string, more: object = {}) => ({
  ...{ externalId, qrType: "url", data: { type: "url", url: `https://e.example/${externalId}` } },
  ...more,
});
const upsert = async (items: readonly object[]) =>
  harness.run(client, await client.send("POST", path, { items }));
const upsertCsv = (text: string, query = "") =>
  client.send("POST", `${path}${query}`, text, { "content-type": "text/csv" });
const read = (id: string) => client.expect(200, Qr, "GET", `/qr/by-external-id/${id}`);

describe("rows with upsert", () => {
  it("change the codes that have their own ids and create the others, once however often they are sent", async () => {
    const existing = await client.createQr({ externalId: "A", name: "Old", tags: ["kept"] });
    const items = [row("A", { name: "New" }), row("B"), { externalId: "C", qrType: "url" }];
    const job = await upsert(items);
    expect(job).toMatchObject({ kind: "create", successCount: 2, failureCount: 1 });
    const made = await read("B");
    expect(job.items).toMatchObject([
      { status: "succeeded", qrId: existing.id, createdQrId: null, changed: true, scanUrl: existing.scanUrl },
      { status: "succeeded", qrId: null, createdQrId: made.id, changed: null, scanUrl: made.scanUrl },
      { status: "failed", error: expect.stringContaining("data") },
    ]);
    expect(await read("A")).toMatchObject({ id: existing.id, name: "New", tags: ["kept"] });
    const scan = await harness.service.scan(existing.hash);
    expect(scan.headers.get("location")).toBe("https://e.example/A");

    const events = () => emittedEvents().filter(({ kind }) => kind.startsWith("qr.")).length;
    const before = events();
    const again = await upsert(items.slice(0, 2));
    expect(again.items).toMatchObject([
      { status: "succeeded", qrId: existing.id, changed: false },
      { status: "succeeded", qrId: made.id, createdQrId: null, changed: false },
    ]);
    expect(events()).toBe(before);
    expect((await client.expect(200, QrList, "GET", "/qr")).items).toHaveLength(2);
  });

  it("change what a CSV says, where an empty cell is no value", async () => {
    const existing = await client.createQr({ externalId: "00123", name: "Old", tags: ["a"] });
    const csv = "externalId,url,name,tags\n00123,e.example/1,,b\n123,e.example/2,Other,\n";
    const seen = await upsertCsv(csv, "&dryRun=true");
    expect(BulkCreationPreview.parse(await seen.json())).toEqual({
      ...{ created: 1, changed: 1, unchanged: 0, failed: 0, errors: [], warnings: [] },
      cleared: ["Removes the name of 1 code."],
    });
    expect((await client.expect(200, QrList, "GET", "/qr")).items).toEqual([existing]);
    const job = await harness.run(client, await upsertCsv(csv));
    expect(job.items.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(job.outcome).toEqual({ created: 1, changed: 1, unchanged: 0 });
    expect(await read("00123")).toMatchObject({ id: existing.id, name: null, tags: ["b"] });
    expect(await read("123")).toMatchObject({ name: "Other", tags: [] });
  });

  it("fail alone: an own id twice, none, a deleted code's, and what a code can't have", async () => {
    const mail = await client.createQr({
      ...{ externalId: "mail", qrType: "email", data: { type: "email", to: "a@e.example" } },
    });
    const gone = await client.createQr({ externalId: "gone" });
    await client.send("DELETE", `/qr/${gone.id}`);
    await client.createQr({ externalId: "A" });
    const job = await upsert([
      ...[row("A", { name: "1" }), row("A", { name: "2" }), row("B"), row("B")],
      ...[row("mail"), row("gone"), { ...row(""), externalId: null }, { ...row("x"), externalId: "" }],
      ...[row("A-1", { nmae: "Slip" }), row("C", { name: "Fine" })],
    ]);
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      expect.stringContaining("An earlier row names the same QR code"),
      null,
      expect.stringContaining("externalId is used in an earlier row"),
      expect.stringContaining("can't be changed. It is email"),
      expect.stringContaining(`held by the deleted QR code ${gone.id}`),
      expect.stringContaining("externalId can't be empty with upsert"),
      expect.stringContaining("externalId can't be empty"),
      expect.stringContaining("nmae"),
      null,
    ]);
    expect((await read("A")).name).toBe("1");
    expect((await read("mail")).data).toEqual(mail.data);
  });

  it("take back codes as they were read, here or elsewhere", async () => {
    const qr = await client.createQr({ externalId: "A", name: "Menu" });
    expect((await upsert([qr])).items).toMatchObject([{ qrId: qr.id, changed: false }]);
    client = await harness.service.workspace();
    const job = await upsert([qr]);
    expect(job.items).toMatchObject([{ status: "succeeded", createdQrId: expect.any(String) }]);
    const copy = await read("A");
    expect([copy.name, copy.hash === qr.hash]).toEqual(["Menu", false]);
  });

  it("are one job in the history, undone as one", async () => {
    await client.createQr({ externalId: "A", name: "Old" });
    const { jobId } = await upsert([row("A", { name: "New" }), row("B")]);
    const jobs = await client.expect(200, HistoryList, "GET", "/developer/history?kind=job");
    await client.send("POST", `/developer/history/${jobs.items[0]?.id}/revert`);
    await harness.drain();
    expect((await read("A")).name).toBe("Old");
    expect((await client.send("GET", "/qr/by-external-id/B")).status).toBe(404);
    const { items } = await client.expect(200, HistoryList, "GET", `/developer/history?jobId=${jobId}`);
    expect(items.map(({ action }) => action).sort()).toEqual(["code.created", "code.updated"]);
  });

  it("finish in another isolate whatever the first has done", async () => {
    for (let i = 0; i < 10; i += 1) await client.createQr({ externalId: `old-${i}` });
    const items = Array.from({ length: 20 }, (_, i) =>
      row(i % 2 === 0 ? `old-${i / 2}` : `new-${i}`, { name: "N" }),
    );
    const { jobId } = await harness.accepted(await client.send("POST", path, { items }));
    const tasks = harness.queued.splice(0);
    await harness.deliver(tasks);
    await harness.deliver(tasks, harness.isolate());
    await harness.drain();
    const job = await harness.read(client, jobId);
    expect(job.successCount).toBe(20);
    const { items: codes } = await client.expect(200, QrList, "GET", "/qr?limit=100");
    expect(codes).toHaveLength(20);
    expect(codes.every(({ name }) => name === "N")).toBe(true);
  });
});

it("an unknown key of upsert is refused, and a CSV without own ids", async () => {
  const answer = await client.send("POST", "/qr/bulk?upsert=name", { items: [row("A")] });
  expect(await expectError(answer, 400, "invalid_input")).toContain("upsert must be externalId");
  expect(await expectError(await upsertCsv("url\ne.example\n"), 400, "invalid_input")).toContain(
    "externalId",
  );
});

it("a dry run of a plain creation counts what it would create", async () => {
  const items = [row("A"), row("A"), { qrType: "url" }];
  const answer = await client.send("POST", "/qr/bulk?dryRun=true", { items });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    ...{ created: 1, changed: 0, failed: 2, ignoredFields: [] },
    errors: [{ rowIndex: 1 }, { rowIndex: 2 }],
  });
  expect((await client.expect(200, QrList, "GET", "/qr")).items).toEqual([]);
});
