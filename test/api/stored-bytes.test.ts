import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { plans } from "../../src/contract/plans.ts";
import { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { OperatorWorkspaceDetails } from "../../src/contract/resources/operations/operations.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { BulkHarness, goodItems, item } from "../support/bulk.ts";
import { leaveRoom, storedBytes } from "../support/catalogue/stored-bytes.ts";
import { pageAt, signedIn } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, pageMaker } from "../support/hosted-pages.ts";
import { type ApiClient, type Client, emittedEvents } from "../support/service.ts";

const harness = new BulkHarness();
const { service, clock } = harness;
const days = (count: number) => count * 86_400_000;

/** More than a code with nothing but a short address takes up, and less than two of them. */
const oneCode = 1000;
const full = /reached the storage limit of its plan\. .*30 days\./;

/** Expects a refusal for want of room, which leaves the workspace as it was. */
async function expectFull(client: ApiClient, request: () => Promise<Response>, status = 402): Promise<void> {
  const before = await storedBytes(client);
  expect(await expectError(await request(), status, "plan_limit")).toMatch(full);
  expect(await storedBytes(client)).toEqual(before);
}

const fiftyTags = Array.from({ length: limits.tags.count }, (_, i) => `tag ${i}`);

describe("the bytes of a workspace", () => {
  it("count what codes, tags, pages, templates and jobs take up, and give back what is gone", async () => {
    const maker = await pageMaker(service);
    const { client, session } = maker;
    const all = async () => (await storedBytes(client)).all;
    expect(await all()).toBe(0);
    const { id } = await client.createQr({ name: "€".repeat(100), advanced: { x: "x".repeat(5000) } });
    const code = await all();
    expect(code).toBeGreaterThan(6000);
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, { tags: fiftyTags });
    const tagged = await all();
    // As many bytes of each tag as the rows of the tag filter were measured to have.
    expect(tagged - code).toBeGreaterThan(limits.tags.count * 200);
    await client.send("DELETE", `/qr/${id}`);
    expect(await all()).toBeLessThan(code);
    await client.expect(200, Qr, "POST", `/qr/${id}/restore`);
    expect(await all()).toBe(tagged);
    await client.expect(200, Qr, "PATCH", `/qr/${id}`, { tags: [], name: null, advanced: null });
    const bare = await all();
    expect(bare).toBeLessThan(oneCode);

    const page = await makePage(maker, { blocks: [{ type: "text", text: "x".repeat(3000) }] });
    expect(await all()).toBeGreaterThan(bare + 3000);
    await session.expect(200, Page, "PATCH", `/developer/pages/${page.id}`, { blocks: [] });
    const emptied = await all();
    expect(emptied).toBeLessThan(bare + 2000);
    const template = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "A template",
      colorConfig: { dotsColor: "#000", x: "x".repeat(3000) },
    });
    const designed = await all();
    expect(designed).toBeGreaterThan(emptied + 3000);
    // Kept to be restored.
    await session.send("DELETE", `/developer/templates/${template.id}`);
    expect(await all()).toBe(designed);

    await client.send("DELETE", `/qr/${id}`);
    await session.send("DELETE", `/developer/pages/${page.id}`);
    clock.advance(days(31));
    await sweep(service.deps);
    // Hash, ids and times of the code, and the row of the page.
    expect(await all()).toBeLessThan(1000);
  });

  it("count the responses that are kept for repeated requests, for a day", async () => {
    const client = await service.workspace();
    const body = {
      qrType: "url",
      data: { type: "url", url: "example.com" },
      advanced: { x: "x".repeat(5000) },
    };
    const all = async () => (await storedBytes(client)).all;
    await client.send("POST", "/qr", body);
    const plain = await all();
    const once = () => client.send("POST", "/qr", body, { "idempotency-key": "once" });
    expect((await once()).status).toBe(201);
    const kept = await all();
    expect(kept - 2 * plain).toBeGreaterThan(5000);
    expect((await once()).headers.get("idempotent-replayed")).toBe("true");
    expect(await all()).toBe(kept);
    clock.advance(days(2));
    await sweep(service.deps);
    expect(await all()).toBe(2 * plain);
    await leaveRoom(client, plain + 1000);
    await expectFull(client, once);
  });

  it("are those of the rows, after bulk jobs, too", async () => {
    const client = await service.workspace();
    const created = await harness.run(
      client,
      await harness.json(client, [...goodItems(8), { qrType: "url" }]),
    );
    const change = {
      addTags: ["a", "b"],
      replace: { host: { from: "example.com", to: "elsewhere.example" } },
    };
    await harness.run(client, await harness.update(client, { filter: {}, change }));
    const ids = created.items.flatMap(({ createdQrId }) => createdQrId ?? []).slice(0, 3);
    const host = "bytes.example";
    await service.operator.send("PUT", `/operator/domains/${host}`, { workspaceId: client.workspaceId });
    const withAliases = { domain: host, aliases: [`${host}/Menu_2019`, `${host}/a/b`] };
    const { id } = await client.createQr(withAliases);
    await client.createQr({ domain: host });
    for (const aliases of [[`${host}/Menu_2019`], [`${host}/c`, `${host}/d`, `${host}/e`]]) {
      expect((await client.send("PATCH", `/qr/${id}`, { aliases })).status).toBe(200);
    }
    await harness.run(client, await harness.update(client, { ids, change: { delete: true } }));
    const rows = await env.DB.prepare(
      "SELECT sum(bytes + index_bytes + alias_bytes) AS n FROM qr_codes WHERE workspace_id = ?",
    )
      .bind(client.workspaceId)
      .first<number>("n");
    const { all, jobs } = await storedBytes(client);
    expect(all - jobs).toBe(rows);
  });

  it("are stated with their limits to the workspace and the operator", async () => {
    const maker = await pageMaker(service);
    await maker.client.createQr();
    const { all } = await storedBytes(maker.client);
    const { limits: allowed, usage } = await maker.session.expect(
      200,
      Workspace,
      "GET",
      "/developer/workspace",
    );
    expect([allowed.storedBytes, usage.storedBytes]).toEqual([plans.business.storedBytes, all]);
    const path = `/operator/workspaces/${maker.client.workspaceId}`;
    const seen = await service.operator.expect(200, OperatorWorkspaceDetails, "GET", path);
    expect([seen.storedBytes, seen.usage.storedBytes]).toEqual([plans.business.storedBytes, all]);
  });

  it.each(Object.entries(plans))("have the limit of the plan %s", async (plan, { storedBytes: most }) => {
    const { workspaceId } = await service.workspace(plan as keyof typeof plans);
    const path = `/operator/workspaces/${workspaceId}`;
    expect((await service.operator.expect(200, OperatorWorkspaceDetails, "GET", path)).storedBytes).toBe(
      most,
    );
  });
});

describe("a workspace without room", () => {
  it("adds and enlarges nothing; everything else works", async () => {
    const maker = await pageMaker(service);
    const { client, session } = maker;
    const qr = await client.createQr({ tags: ["one", "two"], name: "Long name" });
    const gone = await client.createQr({ tags: fiftyTags });
    await client.send("DELETE", `/qr/${gone.id}`);
    const page = await makePage(maker);
    const path = `/developer/templates`;
    const template = await session.expect(201, Template, "POST", path, { name: "A template" });
    await leaveRoom(client, 10);

    const input = { qrType: "url", data: { type: "url", url: "https://example.com/" } };
    await expectFull(client, () => client.send("POST", "/qr", input));
    await expectFull(client, () => client.send("PATCH", `/qr/${qr.id}`, { tags: fiftyTags }));
    await expectFull(client, () => client.send("PATCH", `/qr/${qr.id}`, { advanced: { x: "x".repeat(50) } }));
    await expectFull(client, () => client.send("POST", `/qr/${gone.id}/restore`));
    await expectFull(client, () => session.send("POST", "/developer/pages", { title: "Another" }));
    const longer = { title: "x".repeat(100) };
    await expectFull(client, () => session.send("PATCH", `/developer/pages/${page.id}`, longer));
    await expectFull(client, () => session.send("POST", path, { name: "Another" }));
    await expectFull(client, () => session.send("PATCH", `${path}/${template.id}`, { name: "x".repeat(90) }));
    await expectFull(client, () => harness.json(client, goodItems(1)), 403);
    const everything = { filter: {}, change: { addTags: ["x"] } };
    await expectFull(client, () => harness.update(client, everything), 403);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);

    expect((await service.scan(qr.hash)).status).toBe(302);
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { status: "paused", name: "Name", tags: ["one"] });
    await session.expect(200, Page, "PATCH", `/developer/pages/${page.id}`, { title: "Short" });
    expect((await client.send("DELETE", `/qr/${qr.id}`)).status).toBe(200);
    await leaveRoom(client, oneCode);
    await client.createQr();
  });

  it("refuses of changes of one code that come at once only those that need room", async () => {
    const client = await service.workspace();
    const qr = await client.createQr({ name: "Long name" });
    await leaveRoom(client, 100);
    const bodies = [
      { status: "paused" },
      { shape: "circle" },
      { tags: fiftyTags },
      { name: "Name" },
      { tags: ["a"] },
    ];
    const answers = await Promise.all(bodies.map((body) => client.send("PATCH", `/qr/${qr.id}`, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 402, 200, 402]);
    const changed = { status: "paused", shape: "circle", name: "Name" };
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toMatchObject({
      ...qr,
      ...changed,
      updatedAt: expect.anything(),
    });
    const events = emittedEvents().filter(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
    // Changes that come at once may be made in any order.
    expect(events.flatMap(({ data }) => data.changed).toSorted()).toEqual(["name", "shape", "status"]);
  });

  it("creates exactly the codes that it has room for, however many requests there are at once", async () => {
    const client = await service.workspace();
    await client.createQr();
    const { all: each } = await storedBytes(client);
    await leaveRoom(client, 3 * each);
    const input = { qrType: "url", data: { type: "url", url: "https://example.com/" } };
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.send("POST", "/qr", input)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(9).fill(402)]);
    expect((await storedBytes(client)).all).toBe(4 * each);
  });

  it("creates the rows of a job that it has room for, and says why the others fail", async () => {
    const client = await service.workspace();
    const tagged = Array.from({ length: 12 }, (_, i) => ({ ...item(i), tags: fiftyTags }));
    const { jobId } = await harness.accepted(await harness.json(client, tagged));
    await leaveRoom(client, 5 * 15_000);
    const limit = (await storedBytes(client)).all + 5 * 15_000;
    await harness.drain();
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: expect.any(Number) });
    expect(job.successCount).toBeGreaterThan(2);
    expect(job.successCount).toBeLessThan(10);
    for (const { error } of job.items.slice(job.successCount)) expect(error).toMatch(full);
    expect((await storedBytes(client)).all).toBeLessThanOrEqual(limit);
    const { items } = (await (await client.send("GET", "/qr?limit=100")).json()) as { items: Qr[] };
    expect(items).toHaveLength(job.successCount);
  });

  it("changes in bulk what does not grow", async () => {
    const client = await service.workspace();
    await harness.run(
      client,
      await harness.json(
        client,
        goodItems(6).map((each) => ({ ...each, tags: ["x"] })),
      ),
    );
    const tag = await harness.accepted(
      await harness.update(client, { filter: {}, change: { addTags: fiftyTags.slice(0, 40) } }),
    );
    const untag = await harness.accepted(
      await harness.update(client, { filter: {}, change: { removeTags: ["x"], status: "paused" } }),
    );
    await leaveRoom(client, 100);
    await harness.drain();
    const refused = await harness.read(client, tag.jobId);
    expect(refused).toMatchObject({ status: "completed", successCount: 0, failureCount: 6 });
    for (const { error } of refused.items) expect(error).toMatch(full);
    expect(await harness.read(client, untag.jobId)).toMatchObject({ successCount: 6, failureCount: 0 });
  });

  it("shows a notice from 80 % on", async () => {
    const me = await signedIn(service);
    await me.client.createQr({ advanced: { x: "x".repeat(7000) } });
    const { all } = await storedBytes(me.client);
    await leaveRoom(me.client, Math.ceil(all / 3));
    expect(await pageAt(me.browser, "/dashboard/codes")).not.toContain("this workspace can store");
    await leaveRoom(me.client, Math.floor(all / 5));
    expect(await pageAt(me.browser, "/dashboard/codes")).toContain("this workspace can store");
  });

  it("keeps what was entered in a form that is refused", async () => {
    const me = await signedIn(service);
    await leaveRoom(me.client, 10);
    const fields = { type: "url", "data.url": "https://example.com/kept", name: "A name to keep" };
    const answer = await me.browser.submit("/dashboard/codes/new", fields);
    const page = await answer.text();
    expect(answer.status).toBe(402);
    expect(page).toContain("A name to keep");
    expect(page).toMatch(full);
  });
});

it("the operator's limit of a workspace's bytes holds until it is taken back, or the plan changes", async () => {
  const client = (await service.workspace("pro")) as Client;
  const path = `/operator/workspaces/${client.workspaceId}/plan`;
  const set = async (body: object) =>
    ((await (await service.operator.send("PUT", path, body)).json()) as { storedBytes: number }).storedBytes;
  expect(await set({ plan: "pro", storedBytes: 4_000_000_000 })).toBe(4_000_000_000);
  expect(await set({ plan: "pro" })).toBe(4_000_000_000);
  expect(await set({ plan: "business" })).toBe(plans.business.storedBytes);
  expect(await set({ plan: "business", storedBytes: 3_000_000_000 })).toBe(3_000_000_000);
  expect(await set({ plan: "business", storedBytes: null })).toBe(plans.business.storedBytes);
  await expectError(
    await service.operator.send("PUT", path, { plan: "pro", storedBytes: 0 }),
    400,
    "invalid_input",
  );
  BulkJob.parse(await (await harness.json(client, goodItems(1))).json());
});
