import { beforeEach, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { writesAtATime } from "../../../src/domain/bulk/fill.ts";
import { BulkHarness, goodItems } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { wrapBinding } from "../../support/world/wrapped-database.ts";

const harness = new BulkHarness();
let client: Client;

beforeEach(async () => {
  client = await harness.service.workspace();
});

/** A code, created a millisecond after the one before: lists are ordered by it. */
function create(input: Parameters<Client["createQr"]>[0] = {}): Promise<Qr> {
  harness.clock.advance(1);
  return client.createQr(input);
}
const url = (address: string) => ({ qrType: "url" as const, data: { type: "url" as const, url: address } });
const update = (body: object) => harness.update(client, body);
async function run(body: object): Promise<BulkJobWithItems> {
  return harness.run(client, await update(body));
}
const read = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);
const located = async (hash: string) => (await new Service().scan(hash)).headers.get("location");
const eventsOf = (kind: string, id: string) =>
  emittedEvents().filter((event) => event.kind === kind && event.data.id === id);
const problem = async (body: object) => expectError(await update(body), 400, "invalid_input");

describe("a bulk update", () => {
  it("changes what its filter matched at the start, whatever matches while it runs", async () => {
    const [a, b, gone] = [
      await create({ tags: ["x"] }),
      await create({ tags: ["x"] }),
      await create({ tags: ["x"] }),
    ];
    const { jobId, totalItems } = await harness.accepted(
      await update({ filter: { tag: "x" }, change: { addTags: ["y"] } }),
    );
    expect(totalItems).toBe(3);
    const late = await create({ tags: ["x"] });
    await client.expect(200, Qr, "PATCH", `/qr/${a.id}`, { tags: [] });
    await client.send("DELETE", `/qr/${gone.id}`);
    await harness.drain();
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ totalItems: 3, successCount: 2, failureCount: 1 });
    expect(job.items.find(({ qrId }) => qrId === gone.id)?.error).toMatch(/not found|doesn't exist/i);
    const tags = await Promise.all([a, b, late].map(async ({ id }) => (await read(id)).tags));
    expect(tags).toEqual([["y"], ["x", "y"], ["x"]]);
  });

  it("changes the codes of its ids, in their order, with one event each", async () => {
    const [a, b, other] = [await create(), await create({ tags: ["x"] }), await create()];
    const change = { addTags: ["summer"], removeTags: ["x"], status: "paused" };
    const job = await run({ ids: [b.id, a.id, b.id.toUpperCase()], change });
    expect(job).toMatchObject({
      kind: "update",
      status: "completed",
      totalItems: 2,
      successCount: 2,
      failureCount: 0,
    });
    expect(job.items).toEqual(
      [b, a].map(({ id, hash }, rowIndex) => ({
        rowIndex,
        status: "succeeded",
        createdQrId: null,
        createdQrHash: null,
        qrId: id,
        qrHash: hash,
        changed: true,
        line: null,
        scanUrl: expect.stringMatching(`/${hash}$`),
        updatedAt: new Date(harness.clock.now()).toISOString(),
        error: null,
      })),
    );
    for (const { id, hash } of [a, b]) {
      const after = await read(id);
      expect(after).toMatchObject({ tags: ["summer"], status: "paused" });
      expect(eventsOf("qr.updated", id).map(({ data }) => data)).toEqual([
        { ...after, changed: ["tags", "status"] },
      ]);
      expect((await new Service().scan(hash)).status).toBe(404);
    }
    expect(await read(other.id)).toEqual(other);
    const completed = emittedEvents().filter(
      ({ kind, workspaceId }) => kind === "bulk.completed" && workspaceId === client.workspaceId,
    );
    const { items: _, itemsExpireAt: __, outcome: ___, ...resource } = job;
    expect(completed.map(({ data }) => data)).toEqual([resource]);
  });

  it("leaves a code that is so already as it is, without an event, and says so", async () => {
    const qr = await create({ tags: ["summer"] });
    const job = await run({ ids: [qr.id], change: { addTags: ["summer"], status: "active" } });
    expect(job).toMatchObject({
      successCount: 1,
      items: [{ status: "succeeded", changed: false, qrId: qr.id }],
    });
    expect(await read(qr.id)).toEqual(qr);
    expect(eventsOf("qr.updated", qr.id)).toEqual([]);
  });

  it("deletes codes, with one event each", async () => {
    const qrs = [await create(), await create()];
    const job = await run({ filter: {}, change: { delete: true } });
    expect(job).toMatchObject({ successCount: 2, failureCount: 0 });
    for (const { id, hash } of qrs) {
      expect((await client.send("GET", `/qr/${id}`)).status).toBe(404);
      expect((await new Service().scan(hash)).status).toBe(404);
      expect(eventsOf("qr.deleted", id)).toHaveLength(1);
      expect(eventsOf("qr.updated", id)).toEqual([]);
    }
  });

  it("files codes in a folder, and takes them out", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const qr = await create();
    await run({ ids: [qr.id], change: { folderId: folder.id } });
    expect((await read(qr.id)).folderId).toBe(folder.id);
    await run({ filter: { folderId: folder.id }, change: { folderId: null } });
    expect((await read(qr.id)).folderId).toBeNull();
    expect(await problem({ filter: {}, change: { folderId: crypto.randomUUID() } })).toMatch(
      /^folderId isn't a folder/,
    );
  });

  it("applies a template or a design, which is judged with the colors of each code", async () => {
    const session = await harness.service.sessionIn(client.workspaceId);
    const design = { name: "T", shape: "circle", colorConfig: { dotsColor: "navy" } };
    const template = await session.expect(201, Template, "POST", "/developer/templates", design);
    const [plain, light] = [await create(), await create({ colorConfig: { dotsColor: "#888" } })];
    await run({ ids: [plain.id], change: { templateId: template.id } });
    const { updatedAt: _, ...after } = await read(plain.id);
    const { updatedAt: __, ...before } = plain;
    expect(after).toEqual({
      ...before,
      templateId: template.id,
      shape: "circle",
      colorConfig: { dotsColor: "navy" },
      // Jobs don't measure; the sweep does.
      readability: "unmeasured",
    });
    const job = await run({
      ids: [light.id, plain.id],
      change: { colorConfig: { backgroundColor: "#999" }, shape: null },
    });
    expect(job.items.map(({ status, error }) => [status, error])).toEqual([
      ["failed", expect.stringMatching(/^colorConfig\./)],
      ["succeeded", null],
    ]);
    expect(await read(light.id)).toEqual(light);
    expect(await read(plain.id)).toMatchObject({
      shape: null,
      colorConfig: { dotsColor: "navy", backgroundColor: "#999" },
    });
    expect(await problem({ filter: {}, change: { templateId: crypto.randomUUID() } })).toMatch(
      /^templateId /,
    );
  });

  it("replaces a host in every kind of destination, and scans follow", async () => {
    const link = { ios: "https://old.example/i", fallback: "https://old.example/f" };
    const app = await create({ qrType: "applink", data: { type: "applink", ...link } });
    const card = await create({
      qrType: "vcard",
      data: { type: "vcard", firstName: "Ada", urls: ["https://old.example/a", "https://a.example/"] },
    });
    const web = await create({
      ...url("HTTP://OLD.example/a?b=$1#c"),
      fallbackUrl: "https://old.example/x",
    });
    const port = await create(url("https://old.example:8080/a"));
    const sub = await create(url("https://sub.old.example/a"));
    const sms = await create({ qrType: "sms", data: { type: "sms", phone: "+491701234567" } });
    const host = { from: "Old.example", to: "new.example:444" };
    const job = await run({ filter: {}, change: { replace: { host } } });
    expect(job).toMatchObject({ successCount: 6, failureCount: 0 });
    expect(job.items.map(({ qrId, changed }) => [qrId, changed])).toEqual([
      [sms.id, false],
      [sub.id, false],
      [port.id, false],
      [web.id, true],
      [card.id, true],
      [app.id, true],
    ]);
    expect(await read(web.id)).toMatchObject({
      data: { url: "HTTP://new.example:444/a?b=$1#c" },
      fallbackUrl: "https://new.example:444/x",
    });
    expect((await read(card.id)).data).toMatchObject({
      urls: ["https://new.example:444/a", "https://a.example/"],
    });
    expect((await read(app.id)).data).toMatchObject({
      ios: "https://new.example:444/i",
      fallback: "https://new.example:444/f",
    });
    expect(await located(web.hash)).toBe("HTTP://new.example:444/a?b=$1#c");
    expect(await located(port.hash)).toBe("https://old.example:8080/a");
  });

  it("replaces a prefix, but none that ends within another host", async () => {
    const inside = await create(url("https://shop.example/2025/a"));
    const evil = await create(url("https://shop.example.evil.example/2025/a"));
    const prefix = { from: "HTTPS://shop.example/2025/", to: "https://shop.example/2026/" };
    await run({ filter: {}, change: { replace: { prefix } } });
    expect(await located(inside.hash)).toBe("https://shop.example/2026/a");
    await run({
      filter: {},
      change: { replace: { prefix: { from: "https://shop.example", to: "https://b.example/c" } } },
    });
    expect(await located(inside.hash)).toBe("https://b.example/c/2026/a");
    expect(await located(evil.hash)).toBe("https://shop.example.evil.example/2025/a");
  });

  it("checks each new destination as a single change does", async () => {
    const qr = await create(url("https://old.example/a"));
    const to = new URL(harness.service.deps.settings.scanOrigin).host;
    const job = await run({ ids: [qr.id], change: { replace: { host: { from: "old.example", to } } } });
    expect(job.items[0]).toMatchObject({
      status: "failed",
      changed: null,
      error: expect.stringMatching(/^data\.url can't lead back/),
    });
    const tagged = await create({ tags: Array.from({ length: 50 }, (_, i) => `t${i}`) });
    const full = await run({ ids: [tagged.id], change: { addTags: ["one more"] } });
    expect(full.items[0]?.error).toBe("tags can have at most 50 tags.");
    expect(await read(tagged.id)).toEqual(tagged);
  });

  it("selects by every filter of the list, and changes nothing else", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const chosen = await create({
      name: "Äpfel",
      tags: ["a"],
      folderId: folder.id,
      status: "paused",
    });
    const others = [
      await create({ name: "Birnen", tags: ["a"], folderId: folder.id, status: "paused" }),
      await create({ name: "Äpfel", folderId: folder.id, status: "paused" }),
      await create({ name: "Äpfel", tags: ["a"], status: "paused" }),
      await create({ name: "Äpfel", tags: ["a"], folderId: folder.id }),
    ];
    const filter = { q: "äPFEL", tag: "a", folderId: folder.id, qrType: "url", status: "paused" };
    const job = await run({ filter, change: { addTags: ["b"] } });
    expect(job.items.map(({ qrId }) => qrId)).toEqual([chosen.id]);
    for (const other of others) expect(await read(other.id)).toEqual(other);
  });

  it("fails items of unknown, deleted and foreign ids alike", async () => {
    const foreign = await harness.service.workspace();
    const theirs = await foreign.createQr();
    const deleted = await create();
    await client.send("DELETE", `/qr/${deleted.id}`);
    const own = await create();
    const ids = [theirs.id, crypto.randomUUID(), deleted.id, own.id];
    const { jobId, ...job } = await run({ ids, change: { status: "paused" } });
    expect(job).toMatchObject({ status: "completed", successCount: 1, failureCount: 3 });
    const [first, ...rest] = job.items.slice(0, 3).map(({ qrId: _, rowIndex: __, ...item }) => item);
    expect(first).toMatchObject({
      status: "failed",
      qrHash: null,
      error: expect.stringMatching(/^QR code not found/),
    });
    expect(rest).toEqual([first, first]);
    expect(await foreign.expect(200, Qr, "GET", `/qr/${theirs.id}`)).toEqual(theirs);
    const csv = await (await client.send("GET", `/qr/bulk/${jobId}/download`)).text();
    expect(csv.trimEnd().split("\r\n").slice(1)).toEqual([
      ...ids
        .slice(0, 3)
        .map((id, i) => expect.stringMatching(new RegExp(`^${i + 1},failed,${id},,"?QR code not found`))),
      expect.stringContaining(`4,succeeded,${own.id},${own.scanUrl},,20`),
    ]);
  });

  it("changes a code by its state when its turn comes, and fails one that was deleted in between", async () => {
    const [a, b, c] = [await create({ tags: ["a"] }), await create(), await create()];
    const accepted = await harness.accepted(
      await update({ filter: { qrType: "url" }, change: { addTags: ["b"] } }),
    );
    await client.send("PATCH", `/qr/${a.id}`, { tags: ["c"] });
    await client.send("DELETE", `/qr/${b.id}`);
    const later = await create();
    await harness.drain();
    const { items } = await harness.read(client, accepted.jobId);
    expect(items.map(({ qrId, status }) => [qrId, status])).toEqual([
      [c.id, "succeeded"],
      [b.id, "failed"],
      [a.id, "succeeded"],
    ]);
    expect((await read(a.id)).tags).toEqual(["c", "b"]);
    expect(await read(later.id)).toEqual(later);
  });
});

/** Codes whose routes are not all written at a time. */
const codes = 3 * writesAtATime;

it.each([
  ["a change", { filter: {}, change: { status: "paused" } }],
  ["a creation", { items: goodItems(codes) }],
])("lets other requests run between the routes that %s writes", async (_, body) => {
  const steps: ("write" | "turn")[] = [];
  const { routeCache } = harness.service.deps;
  const edge = harness.isolate({
    pause: async () => {
      steps.push("turn");
    },
    routeCache: wrapBinding(routeCache, (call) => {
      steps.push("write");
      return call();
    }),
  });
  if ("change" in body) await harness.run(client, await harness.json(client, goodItems(codes)));
  const path = "change" in body ? "/qr/bulk-update" : "/qr/bulk";
  await harness.accepted(await client.send("POST", path, body));
  steps.length = 0;
  await harness.drain(edge);
  const turns = steps.slice(0, steps.lastIndexOf("write")).filter((step) => step === "turn");
  expect(steps.filter((step) => step === "write").length).toBeGreaterThanOrEqual(codes);
  expect(turns.length).toBeGreaterThanOrEqual(codes / writesAtATime - 1);
});
