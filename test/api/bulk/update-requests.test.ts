import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { BulkPreview } from "../../../src/contract/resources/codes/bulk-update.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import type { Client } from "../../support/service.ts";

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
const update = (body: object, by = client, headers = {}) => harness.update(by, body, headers);
async function run(body: object): Promise<BulkJobWithItems> {
  return harness.run(client, await update(body));
}
const read = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);
const problem = async (body: object) => expectError(await update(body), 400, "invalid_input");

describe("a dry run", () => {
  it("answers the count and ten codes before and after, and changes nothing", async () => {
    const qrs: Qr[] = [];
    for (let i = 0; i < 12; i += 1)
      qrs.unshift(await create({ name: `Code ${i}`, tags: i === 11 ? ["b"] : [] }));
    const rows = () =>
      env.DB.prepare(
        "SELECT (SELECT count(*) FROM bulk_jobs) AS jobs, (SELECT count(*) FROM outbox) AS events",
      ).first();
    const before = await rows();
    const dry = { filter: {}, change: { addTags: ["b"] }, dryRun: true };
    const { matched, samples } = await client.expect(200, BulkPreview, "POST", "/qr/bulk-update", dry);
    expect(matched).toBe(12);
    expect(samples.map((sample) => sample.before)).toEqual(qrs.slice(0, 10));
    expect(samples[0]?.after).toEqual(qrs[0]);
    for (const { before, after, error } of samples.slice(1)) {
      expect(error).toBeNull();
      expect({ ...after, updatedAt: before.updatedAt }).toEqual({ ...before, tags: ["b"] });
    }
    expect(await rows()).toEqual(before);
    expect(harness.queued).toEqual([]);
    for (const qr of qrs) expect(await read(qr.id)).toEqual(qr);
  });

  it("points out addresses that only begin like the prefix to replace", async () => {
    const at = (path: string) => create({ data: { type: "url", url: `https://example.com/${path}` } });
    const codes = [
      await at("old"),
      await at("old/a"),
      await at("older"),
      await at("old-a"),
      await at("old?b"),
    ];
    const replace = { prefix: { from: "https://EXAMPLE.com/old", to: "https://example.com/new" } };
    const body = { ids: codes.map(({ id }) => id), change: { replace }, dryRun: true };
    const { samples, nearMisses } = await client.expect(200, BulkPreview, "POST", "/qr/bulk-update", body);
    expect(nearMisses.toSorted()).toEqual(["https://example.com/old-a", "https://example.com/older"]);
    const urls = samples.map(({ after }) => after?.data.type === "url" && after.data.url);
    expect(urls.toSorted()).toEqual(
      ["new", "new/a", "new?b", "old-a", "older"].map((path) => `https://example.com/${path}`),
    );
  });

  it("says which samples would fail or be deleted", async () => {
    const qr = await create({ colorConfig: { dotsColor: "#888" } });
    const preview = (change: object, ids = [qr.id]) =>
      client.expect(200, BulkPreview, "POST", "/qr/bulk-update", { ids, change, dryRun: true });
    expect(await preview({ colorConfig: { backgroundColor: "#999" } })).toEqual({
      matched: 1,
      samples: [{ before: qr, after: null, error: expect.stringMatching(/^colorConfig\./) }],
      nearMisses: [],
      rows: null,
    });
    expect(await preview({ delete: true }, [crypto.randomUUID(), qr.id])).toEqual({
      matched: 1,
      samples: [{ before: qr, after: null, error: null }],
      nearMisses: [],
      rows: null,
    });
    const none = { filter: { tag: "none" }, change: { delete: true }, dryRun: true };
    expect(await client.expect(200, BulkPreview, "POST", "/qr/bulk-update", none)).toEqual({
      matched: 0,
      samples: [],
      nearMisses: [],
      rows: null,
    });
  });
});

describe("a request", () => {
  it.each([
    [
      { change: { status: "paused" } },
      "filter or ids or items is required, but only one of them. The filter {} selects all codes.",
    ],
    [
      { filter: {}, ids: [crypto.randomUUID()], change: { status: "paused" } },
      /^filter or ids or items is required/,
    ],
    [{ filter: null, change: { status: "paused" } }, "filter must be an object."],
    [{ filter: { tags: "a" }, change: { delete: true } }, "filter has no field `tags`."],
    [{ filter: { tga: "a" }, change: { delete: true } }, "filter has no field `tga`."],
    [
      { filter: {}, change: { delete: true }, dryrun: true },
      "Unknown field `dryrun`. Did you mean `dryRun`?",
    ],
    [{ filter: {}, change: { name: "x" } }, /^change has no field `name`/],
    [{ filter: {}, change: {} }, "change must have at least one change."],
    [{ filter: {} }, "change is required."],
    [
      { filter: {}, change: { delete: true, status: "paused" } },
      "change.delete can't be combined with other changes.",
    ],
    [{ filter: {}, change: { delete: false } }, "change.delete must be true."],
    [
      { filter: {}, change: { addTags: ["a"], removeTags: ["a"] } },
      "change.removeTags can't have a tag that is also in addTags.",
    ],
    [{ filter: {}, change: { replace: {} } }, "change.replace must have either host or prefix."],
    [
      { filter: {}, change: { replace: { host: { from: "a/b", to: "c" } } } },
      /^change.replace.host.from must be a host such as/,
    ],
    [
      { filter: {}, change: { replace: { prefix: { from: "a.example", to: "https://b" } } } },
      /^change.replace.prefix.from must begin with/,
    ],
    [{ ids: ["x"], change: { status: "paused" } }, "ids.0 must be the id of a QR code."],
    [{ ids: [], change: { status: "paused" } }, "ids must have at least one id."],
    [{ filter: {}, change: { status: "paused" } }, "filter matches no QR codes."],
  ])("%j is refused", async (body, message) => {
    const error = await problem(body);
    if (typeof message === "string") expect(error).toBe(message);
    else expect(error).toMatch(message);
  });

  it("with more ids than allowed is refused", async () => {
    const ids = Array.from({ length: 10_001 }, () => crypto.randomUUID());
    expect(await problem({ ids, change: { status: "paused" } })).toBe("ids can have at most 10000 ids.");
  });

  it("needs the scope qr:write", async () => {
    const reader = await harness.service.client(client.workspaceId, ["qr:read"]);
    await expectError(await update({ filter: {}, change: { status: "paused" } }, reader), 403, "forbidden");
  });

  it("needs a secret key, and so a plan that has them; a template that was taken off the plan fails its items", async () => {
    const session = await harness.service.sessionIn(client.workspaceId);
    const made = await session.send("POST", "/developer/templates", { name: "T", shape: "circle" });
    const { id: templateId } = (await made.json()) as { id: string };
    const qr = await create();
    const setPlan = (plan: string) =>
      env.DB.prepare("UPDATE workspaces SET plan = ? WHERE id = ?").bind(plan, client.workspaceId).run();
    const { jobId } = await harness.accepted(await update({ ids: [qr.id], change: { templateId } }));
    await setPlan("free");
    await harness.drain();
    await setPlan("business");
    expect((await harness.read(client, jobId)).items[0]?.error).toBe(
      "Your Free plan doesn't include design templates. Upgrade to use them.",
    );
    const publishable = await harness.service.client(client.workspaceId, [], "publishable", [
      "https://a.example",
    ]);
    const response = await update({ ids: [qr.id], change: { status: "paused" } }, publishable, {
      origin: "https://a.example",
    });
    await expectError(response, 403, "forbidden");
    expect(await read(qr.id)).toEqual(qr);
  });

  it("is answered the same job for the same Idempotency-Key", async () => {
    const qr = await create();
    const headers = { "idempotency-key": "change-1" };
    const body = { ids: [qr.id], change: { addTags: ["a"] } };
    const first = await harness.accepted(await update(body, client, headers));
    expect(await harness.accepted(await update(body, client, headers))).toEqual(first);
    await expectError(await update({ ...body, dryRun: false }, client, headers), 400, "invalid_input");
    expect(harness.queued.splice(0)).toHaveLength(1);
  });

  it("works in a suspended workspace, as a single change does", async () => {
    const qr = await create();
    const path = `/operator/workspaces/${client.workspaceId}/suspension`;
    await harness.service.operator.send("PUT", path, { reason: "A test" });
    expect(await run({ ids: [qr.id], change: { addTags: ["a"] } })).toMatchObject({ successCount: 1 });
  });
});
