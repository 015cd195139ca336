import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BulkCreationPreview } from "../../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { createBulkJob } from "../../../src/domain/bulk/jobs.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { BulkHarness, goodItems, item } from "../../support/bulk.ts";
import { type Client, emittedEvents } from "../../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const chosen = (i: number, hash: string) => ({ ...item(i), hash });
const taken = "hash is taken. Choose another.";
const errorsOf = ({ items }: { items: readonly { error: string | null }[] }) =>
  items.map(({ error }) => error);
const hashesOf = ({ items }: { items: readonly { createdQrHash: string | null }[] }) =>
  items.map(({ createdQrHash }) => createdQrHash);

describe("the hash of a row", () => {
  it("is pointed out in a dry run if a spreadsheet reads it as a number or a date", async () => {
    const dryRun = (hashes: readonly string[]) =>
      client.send("POST", "/qr/bulk?dryRun=true", { items: hashes.map((hash, i) => chosen(i, hash)) });
    const warned = await dryRun(["12345e12", "menu-1", "1mar2026"]);
    expect(BulkCreationPreview.parse(await warned.json()).warnings).toEqual([
      expect.stringContaining("2 short names read as a number or a date in spreadsheets, such as 12345e12."),
    ]);
    expect(await (await dryRun(["menu-1"])).json()).toMatchObject({ warnings: [] });
  });

  it("may be chosen in an item or a column, and scans find it", async () => {
    const json = await harness.run(client, await harness.json(client, [chosen(1, "bulk-one"), item(2)]));
    const csv = "url,Hash\nexample.com/a,bulk-two\nexample.com/b,\nexample.com/c,Bulk_Three\n";
    const sheet = await harness.run(client, await harness.csv(client, csv));
    expect(hashesOf(json)).toEqual(["bulk-one", expect.stringMatching(/^[0-9a-z]{8}$/)]);
    expect(hashesOf(sheet)).toEqual(["bulk-two", expect.stringMatching(/^[0-9a-z]{8}$/), null]);
    expect(errorsOf(sheet)[2]).toBe(
      "line 4: hash must have 4 to 32 characters: letters a–z, digits and hyphens.",
    );
    for (const hash of ["bulk-one", "bulk-two"]) expect((await service.scan(hash)).status).toBe(302);
    const qr = await client.expect(200, Qr, "GET", `/qr/${json.items[0]?.createdQrId}`);
    expect(qr).toMatchObject({ hash: "bulk-one", scanUrl: `${service.deps.settings.scanOrigin}/bulk-one` });
    await client.send("PATCH", `/qr/${qr.id}`, { name: "Forwards the events" });
    const [event] = emittedEvents().filter(({ data }) => data.id === qr.id);
    expect(event).toMatchObject({ kind: "qr.created", data: { hash: "bulk-one" } });
  });

  it("fails in a later row of the same hash, or of one that looks alike", async () => {
    const hashes = [
      "bulk-same",
      "bulk-same",
      "ba1k0000",
      "balkoooo",
      "bu1k-same",
      "bulk-menu20",
      "bu1kmenu20",
    ];
    const rows = hashes.map((hash, i) => chosen(i, hash));
    const job = await harness.run(client, await harness.json(client, rows));
    const another = "hash is used in another row, or one that looks like it.";
    expect(errorsOf(job)).toEqual([null, another, null, another, another, null, null]);
    expect(job).toMatchObject({ status: "completed", successCount: 4, failureCount: 3 });
  });

  it("is free for a later row if the earlier one is invalid", async () => {
    const bad = { ...chosen(1, "bulk-second"), data: { type: "url", url: "not an address" } };
    const job = await harness.run(client, await harness.json(client, [bad, chosen(2, "bulk-second")]));
    expect(hashesOf(job)).toEqual([null, "bulk-second"]);
  });

  it("fails where any code has it or had it, or one that looks alike", async () => {
    const others = await service.workspace();
    await client.createQr({ hash: "bulk-own" });
    await others.createQr({ hash: "bulk-theirs" });
    const { id } = await others.createQr({ hash: "bulk-deleted" });
    await others.send("DELETE", `/qr/${id}`);
    await others.createQr({ hash: "ba1k1111" });
    await others.createQr({ hash: "bulk-sale2o2o" });
    const hashes = [
      ...["bulk-own", "bulk-theirs", "bulk-deleted", "balkllll", "ba1k1111", "bulk-0wn", "bulk-sale2020"],
      "bulk-free",
    ];
    const rows = hashes.map((hash, i) => chosen(i, hash));
    const job = await harness.run(client, await harness.json(client, rows));
    expect(errorsOf(job)).toEqual([...Array(7).fill(taken), null]);
  });

  it("fails on a plan without chosen short names", async () => {
    const { workspaceId } = await service.workspace("starter");
    const input = { qrType: "url", data: { type: "url", url: "example.com" }, hash: "bulk-starter" } as const;
    const rows = [{ input }];
    const { jobId } = await createBulkJob(service.deps, serviceContext(workspaceId, "starter"), rows);
    await harness.drain();
    const row = env.DB.prepare("SELECT error FROM bulk_items WHERE job_id = ?").bind(jobId);
    const error = "Your Starter plan doesn't include chosen short names. Leave out hash, or upgrade.";
    expect(await row.first("error")).toBe(error);
  });
});

describe("a hash that is taken after its row was accepted", () => {
  it("fails the row, and the others are created, however often the message is delivered", async () => {
    const own = await service.workspace();
    const rows = [...goodItems(2), chosen(2, "bulk-late"), chosen(3, "bulk-kept"), chosen(4, "bulk-late-20")];
    const { jobId } = await harness.accepted(await harness.json(own, rows));
    await client.createQr({ hash: "bulk-late" });
    // Looks like the last row's.
    await client.createQr({ hash: "bu1k-late-2o" });
    // A generated hash that is taken gets another in the same slice.
    const { hash } = await client.createQr();
    await env.DB.prepare(
      "UPDATE bulk_items SET input = json_set(input, '$.hash', ?1, '$.hashFolded', ?1) WHERE job_id = ?2 AND row_index = 1",
    )
      .bind(hash, jobId)
      .run();
    const tasks = harness.queued.splice(0);
    await Promise.all([harness.deliver(tasks), harness.deliver(tasks, harness.isolate())]);
    harness.clock.advance(60_000);
    await harness.deliver(tasks);
    await harness.drain();
    const job = await harness.read(own, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 3, failureCount: 2 });
    expect(errorsOf(job)).toEqual([null, null, taken, null, taken]);
    expect(hashesOf(job)[3]).toBe("bulk-kept");
    expect(hashesOf(job)[1]).not.toBe(hash);
    const completions = emittedEvents().filter(({ data }) => data.jobId === jobId);
    expect(completions).toMatchObject([{ data: { successCount: 3, failureCount: 2 } }]);
  });

  it("ends a job whose only row it was", async () => {
    const { jobId } = await harness.accepted(await harness.json(client, [chosen(1, "bulk-only")]));
    await client.createQr({ hash: "bulk-only" });
    await harness.drain();
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 0, failureCount: 1 });
    expect(errorsOf(job)).toEqual([taken]);
  });

  it("goes to one of two jobs", async () => {
    const jobs = [];
    for (let i = 0; i < 2; i += 1) {
      jobs.push(await harness.accepted(await harness.json(client, [chosen(i, "bulk-either"), item(i)])));
    }
    await Promise.all(harness.queued.splice(0).map((task) => harness.deliver([task])));
    await harness.drain();
    const done = await Promise.all(jobs.map(({ jobId }) => harness.read(client, jobId)));
    expect(done.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(done.flatMap(errorsOf).filter((error) => error !== null)).toEqual([taken]);
  });
});

it("a plan that lost chosen short names fails rows that were accepted before", async () => {
  const own = await service.workspace();
  const { jobId } = await harness.accepted(await harness.json(own, [item(1), chosen(2, "bulk-downgraded")]));
  await env.DB.prepare("UPDATE workspaces SET plan = 'free' WHERE id = ?").bind(own.workspaceId).run();
  await harness.drain();
  await env.DB.prepare("UPDATE workspaces SET plan = 'business' WHERE id = ?").bind(own.workspaceId).run();
  const job = await harness.read(own, jobId);
  expect(job).toMatchObject({ status: "completed", successCount: 1, failureCount: 1 });
  expect(errorsOf(job)).toEqual([
    null,
    "Your Free plan doesn't include chosen short names. Leave out hash, or upgrade.",
  ]);
});
