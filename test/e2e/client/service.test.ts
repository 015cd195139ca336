import { beforeAll, describe, expect, it } from "vitest";
import { slices } from "../../../clients/typescript/src/bulk-run.ts";
import {
  type BulkProgress,
  eventsOf,
  NotFoundError,
  QrCodes,
  type QrInput,
  responseOf,
  UnauthorizedError,
  VersionError,
  verifyWebhook,
  type WebhookDelivery,
} from "../../../clients/typescript/src/index.ts";
import { Domain } from "../../../src/contract/resources/domains.ts";
import { Scope } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { json, ScriptedServer } from "../support/client/scripted-server.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const input = (path: string) =>
  ({ qrType: "url", data: { type: "url", url: `example.com/${path}` } }) as const;

describe("the client, at a running service", () => {
  let workspace: OwnWorkspace;
  let client: QrCodes;

  beforeAll(async () => {
    workspace = await OwnWorkspace.create("client");
    const all = { name: "Client", type: "secret", scopes: Scope.options };
    const { key } = await readStrictly(workspace.callDeveloper("POST", "/keys", all), 201, NewApiKey);
    client = new QrCodes({ key, baseUrl: workspace.service.origin });
  });

  it("creates, changes, draws, deletes, restores and erases a code", async () => {
    const code = await client.qr.create({ ...input("lunch"), name: "Lunch" });
    expect(responseOf(code).status).toBe(201);
    expect((await client.qr.update(code.id, { name: "Dinner" })).name).toBe("Dinner");
    const image = await client.qr.image(code.id, { format: "png", size: 256 });
    expect(image.type).toBe("image/png");
    expect((await image.bytes()).slice(1, 4)).toEqual(new TextEncoder().encode("PNG"));
    expect(await client.qr.delete(code.id)).toEqual({ success: true });
    await expect(client.qr.get(code.id)).rejects.toThrow(NotFoundError);
    expect((await client.qr.restore(code.id)).name).toBe("Dinner");
    const [change] = await client.qr.history(code.id, { limit: 1 }).all();
    expect(change?.action).toBe("code.restored");
    await client.qr.delete(code.id);
    expect(await client.qr.erase(code.id)).toEqual({ success: true });
  });

  it("shows domains, and moves an alias from one code to another", async () => {
    const host = `client-${Date.now()}.localhost`;
    const add = workspace.callDeveloper("POST", "/domains", { host });
    const { id } = await readStrictly(add, 201, Domain);
    const [domain] = await client.domains.list().all();
    expect(domain).toMatchObject({ id, host, status: "active" });
    expect(await client.domains.get(id)).toEqual(domain);
    expect(await client.templates.list().all()).toEqual([]);
    expect(await client.webhooks.list().all()).toEqual([]);
    const old = await client.qr.create({ ...input("old"), domain: host, aliases: [`${host}/Menu_2019`] });
    expect(new URL(old.scanUrl).hostname).toBe(host);
    const next = await client.qr.create(input("new"));
    expect((await client.qr.addAlias(next.id, `${host}/Menu_2019`)).aliases).toEqual([`${host}/Menu_2019`]);
    expect((await client.qr.get(old.id)).aliases).toEqual([]);
  });

  it("keeps codes by own ids of any characters", async () => {
    for (const externalId of ["A-1", "shelf 7/left", ".."]) {
      const created = await client.qr.upsert(externalId, input("1"));
      expect(responseOf(created).status).toBe(201);
      const changed = await client.qr.upsert(externalId, { name: "One" });
      expect([responseOf(changed).status, changed.id, changed.name]).toEqual([200, created.id, "One"]);
      expect(await client.qr.getByExternalId(externalId)).toEqual(changed);
      const again = client.qr.upsert(externalId, input("2"), { ifNoneMatch: "*" });
      await expect(again).rejects.toThrow(VersionError);
      await client.qr.deleteByExternalId(externalId);
      await expect(client.qr.getByExternalId(externalId)).rejects.toThrow(NotFoundError);
    }
  });

  it("changes only the version that was read", async () => {
    const { id } = await client.qr.create(input("version"));
    const read = await client.qr.get(id);
    await client.qr.update(id, { name: "By someone else" });
    const error = await client.qr
      .update(id, { name: "Mine" }, { ifMatch: responseOf(read).etag })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "VersionError", current: { name: "By someone else" } });
    const { version } = error as VersionError;
    expect((await client.qr.update(id, { name: "Mine" }, { ifMatch: version })).name).toBe("Mine");
  });

  it("creates once under a key of its own", async () => {
    const once = { idempotencyKey: crypto.randomUUID() };
    const { id } = await client.qr.create(input("once"), once);
    expect((await client.qr.create(input("once"), once)).id).toBe(id);
    expect((await client.qr.create(input("once"))).id).not.toBe(id);
  });

  it("sends rows as jobs of the plan's size, and undoes a job", async () => {
    const progress: BulkProgress[] = [];
    const rows = [...Array.from({ length: 5 }, (_, index) => input(`row/${index}`)), input("\u0000")];
    const tagged = rows.map((row, index) => ({ ...row, externalId: `R-${index}`, tags: ["rows"] }));
    // In jobs of two rows, as of a plan that allows no more.
    const small = new QrCodes({
      ...{ key: "sk_live_of_the_proxy", baseUrl: workspace.service.origin },
      async fetch(url, init) {
        const headers = new Headers(init.headers);
        headers.set("authorization", `Bearer ${workspace.service.key}`);
        const response = await fetch(url, { ...init, headers });
        if (!url.endsWith("/me")) return response;
        const me = (await response.json()) as Awaited<ReturnType<typeof client.me>>;
        return Response.json({ ...me, workspace: { ...me.workspace, limits: { bulkRows: 2 } } });
      },
    });
    const run = { upsert: "externalId", idempotencyKey: crypto.randomUUID() } as const;
    const results = await small.bulk.run(tagged, { ...run, onProgress: (each) => progress.push(each) });
    expect(results.map(({ index, succeeded }) => [index, succeeded])).toEqual(
      tagged.map((_, index) => [index, index < 5]),
    );
    expect(results.at(-1)).toMatchObject({
      row: tagged.at(-1),
      id: null,
      error: expect.stringContaining("url"),
    });
    expect(progress.at(-1)).toMatchObject({ rows: 6, succeeded: 5, failed: 1 });
    const jobs = progress.at(-1)?.jobs ?? [];
    expect(jobs.map(({ totalItems }) => totalItems)).toEqual([2, 2, 2]);

    // The same run again begins no job.
    const again = [];
    for await (const { id, jobId } of small.bulk.run(tagged, run)) again.push([id, jobId]);
    expect(again).toEqual(results.map(({ id, jobId }) => [id, jobId]));

    const undo = await client.history.undoJob(jobs[0]?.jobId ?? "");
    expect(await client.bulk.wait(undo.jobId)).toMatchObject({ status: "completed", successCount: 2 });
    expect(await client.qr.list({ tag: "rows" }).all()).toHaveLength(3);
    await expect(client.history.undoJob(crypto.randomUUID())).rejects.toThrow(NotFoundError);
  });

  it("sends an edited export back, after a look at what it would change", async () => {
    await client.bulk.run([1, 2].map((n) => ({ ...input(`edited/${n}`), tags: ["edited"] })));
    const csv = await (await client.qr.export({ tag: "edited" })).text();
    const edited = csv.replaceAll("example.com", "menu.example");
    expect((await client.bulk.previewUpdate(edited)).rows).toMatchObject({ changed: 2, failed: 0 });
    const job = await client.bulk.wait((await client.bulk.update(edited)).jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 2 });
    const found = await client.qr.list({ destinationHost: "menu.example" }).all();
    expect(found).toHaveLength(2);
    const exported = await client.qr.export({ tag: "edited", format: "ndjson" });
    const ids = [];
    for await (const line of exported.lines()) ids.push((JSON.parse(line) as { id: string }).id);
    expect(ids.sort()).toEqual(found.map(({ id }) => id).sort());
  });

  it("follows scans as they happen", async () => {
    const { id, scanUrl } = await client.qr.create(input("live"));
    const events = client.scans.live({ qrId: id });
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    await workspace.service.scan(scanUrl);
    expect((await events.next()).value).toMatchObject({ event: "scan", scan: { qrId: id } });
    await events.return(undefined as never);
    expect(await client.scans.list(id)).toMatchObject({ stats: { total: 1 } });
  });

  it("reads the deliveries of a webhook, also while its secret is replaced", async () => {
    const deliveries: WebhookDelivery[] = [];
    let secret = "";
    await using receiver = await ScriptedServer.start(async ({ body, headers }, response) => {
      deliveries.push(await verifyWebhook({ body, headers }, secret));
      json(response, 200, {});
    });
    const url = `${receiver.origin}/`;
    const webhook = await client.webhooks.create({ url, events: ["qr.created", "qr.scanned"] });
    secret = webhook.secret;
    const { id } = await client.qr.create({ ...input("hook"), name: "Hook" });
    await expect.poll(() => deliveries.length).toBe(1);
    const [first] = deliveries;
    expect(first?.event === "qr.created" && first.data.id).toBe(id);
    secret = (await client.webhooks.rotate(webhook.id)).secret;
    await client.webhooks.test(webhook.id);
    await expect.poll(() => deliveries.length).toBe(2);
    for (const delivery of deliveries) expect(eventsOf(delivery)).toEqual([delivery]);
    const listed = await client.webhooks.deliveries(webhook.id).all();
    expect(listed.map(({ id: delivery }) => delivery).sort()).toEqual(
      deliveries.map(({ deliveryId }) => deliveryId).sort(),
    );
    await client.webhooks.delete(webhook.id);
  });

  it("learns who it is, and when it is nobody", async () => {
    expect((await client.me()).workspace.id).toBe(workspace.id);
    expect((await client.workspace()).plan).toBe("business");
    const stranger = new QrCodes({ key: "sk_live_unknown", baseUrl: workspace.service.origin });
    await expect(stranger.me()).rejects.toThrow(UnauthorizedError);
  });
});

describe("rows", () => {
  it("are split by their number and their bytes", async () => {
    const big = (size: number) => ({ ...input("big"), advanced: { note: "ü".repeat(size) } });
    const sizesOf = async (rows: readonly QrInput[], most: number) => {
      const sizes: number[] = [];
      for await (const slice of slices(rows, most)) {
        expect(JSON.parse(slice.body)).toEqual({ items: slice.rows });
        expect(new TextEncoder().encode(slice.body).length).toBeLessThanOrEqual(65_536 * most);
        expect(slice.start).toBe(sizes.reduce((sum, size) => sum + size, 0));
        sizes.push(slice.rows.length);
      }
      return sizes;
    };
    expect(await sizesOf([], 10)).toEqual([]);
    expect(
      await sizesOf(
        Array.from({ length: 25 }, () => input("1")),
        10,
      ),
    ).toEqual([10, 10, 5]);
    expect(await sizesOf([big(30_000), big(30_000), big(30_000), big(10)], 2)).toEqual([2, 2]);
    expect(await sizesOf([big(33_000), big(33_000), big(33_000)], 2)).toEqual([1, 1, 1]);
  });
});
