import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Plan, plans } from "../../src/contract/plans.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { signedIn } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import type { ApiClient, Client, SessionClient } from "../support/service.ts";

const harness = new BulkHarness();
const { clock, service } = harness;
const other = harness.isolate();
const day = 86_400_000;

/** Sends a request eight times at once, by two isolates. @returns how often each status was answered */
async function eightTimes(client: ApiClient, path: string, body: object): Promise<Record<number, number>> {
  const twin = Object.assign(Object.create(Object.getPrototypeOf(client)), client, { service: other });
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? client : twin).send("POST", path, body)),
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => [
      Number(status),
      all?.length ?? 0,
    ]),
  );
}

describe("folders, pages and templates", () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
  const id = "substr(?2, 1, 23) || printf('-%012x', i)";
  const rows = {
    folders: `(id, workspace_id, name, created_at) SELECT ${id}, ?2, 'F', 0 FROM n`,
    templates: `(id, workspace_id, name, created_at) SELECT ${id}, ?2, 'T', 0 FROM n`,
    pages: `(id, workspace_id, version, content, created_at, updated_at, deleted_at)
      SELECT ${id}, ?2, 1, '{}', 0, 0, ?3 FROM n`,
  } as const;

  async function fill(table: keyof typeof rows, { workspaceId }: ApiClient, count: number): Promise<void> {
    const values = table === "pages" ? [count, workspaceId, clock.now()] : [count, workspaceId];
    await env.DB.prepare(`${numbers} INSERT INTO ${table} ${rows[table]}`)
      .bind(...values)
      .run();
  }

  it.each([
    ["folders", "free", 100],
    ["templates", "starter", 25],
    ["pages", "pro", 1000],
  ] as const)(
    "%s of a %s workspace are at most %i, however many are created at once",
    async (table, plan, cap) => {
      expect(plans[plan][table]).toBe(cap);
      const me = await signedIn(service, plan);
      const session = await service.sessionIn(me.client.workspaceId);
      await fill(table, session, cap - 3);
      if (table === "folders") {
        const created = await Promise.all(
          Array.from({ length: 8 }, () => me.browser.submit("/dashboard/folders", { name: "Menus" })),
        );
        expect(created.map(({ status }) => status).sort()).toEqual([303, 303, 303, 402, 402, 402, 402, 402]);
        const refused = await (await me.browser.submit("/dashboard/folders", { name: "One more" })).text();
        expect(refused).toContain(`Your ${plans[plan].title} plan allows ${cap} folders. Delete some`);
        expect(refused).toContain('value="One more"');
      } else {
        const body = table === "pages" ? { title: "P" } : { name: "T" };
        expect(await eightTimes(session, `/developer/${table}`, body)).toEqual({ 201: 3, 402: 5 });
      }
      const count = `SELECT count(*) FROM ${table} WHERE workspace_id = ?`;
      expect(await env.DB.prepare(count).bind(session.workspaceId).first("count(*)")).toBe(cap);
    },
  );

  it("have room again once one is deleted, but for pages, which can be restored", async () => {
    const client = await service.workspace("pro");
    const session = await service.sessionIn(client.workspaceId);
    await fill("folders", client, plans.pro.folders);
    expect((await client.send("POST", "/folders", { name: "F" })).status).toBe(402);
    const first = `${client.workspaceId.slice(0, 23)}-000000000001`;
    expect((await client.send("DELETE", `/folders/${first}`)).status).toBe(200);
    expect((await client.send("POST", "/folders", { name: "F" })).status).toBe(201);

    await fill("pages", session, plans.pro.pages - 1);
    const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "P" });
    await session.send("DELETE", `/developer/pages/${page.id}`);
    const refused = await session.send("POST", "/developer/pages", { title: "P" });
    expect(await expectError(refused, 402, "plan_limit")).toContain(
      "1000 hosted pages, including those deleted in the last 30 days",
    );
    clock.advance(31 * day);
    await harness.sweep();
    await harness.sweep();
    await harness.sweep();
    const later = await service.sessionIn(client.workspaceId);
    expect((await later.send("POST", "/developer/pages", { title: "P" })).status).toBe(201);
  });
});

describe("codes created in a day", () => {
  let client: Client;
  let session: SessionClient;
  beforeAll(() => {
    // An hour before midnight, UTC.
    clock.advance(day - (clock.now() % day) + day - 3_600_000);
  });
  beforeEach(async () => {
    client = await service.workspace("pro");
    session = await service.sessionIn(client.workspaceId);
  });

  const atCap =
    "Your Pro plan allows 50000 new or restored QR codes a day. Try again after midnight UTC, or upgrade to create more today.";
  const body = { qrType: "url", data: { type: "url", url: "a.example" } };
  const createdToday = async () =>
    (await session.expect(200, Workspace, "GET", "/developer/workspace")).usage.creationsToday;

  /** Leaves room for so many creations today. */
  async function leave(room: number, plan: Plan = "pro"): Promise<void> {
    await env.DB.prepare("UPDATE workspaces SET creations = ?, creations_day = ? WHERE id = ?")
      .bind(plans[plan].creationsPerDay - room, Math.floor(clock.now() / day), client.workspaceId)
      .run();
  }

  it("are at most as many as the plan allows, however many are created at once, until midnight", async () => {
    await leave(3);
    expect(await eightTimes(client, "/qr", body)).toEqual({ 201: 3, 402: 5 });
    expect(await createdToday()).toBe(plans.pro.creationsPerDay);
    expect(await expectError(await client.send("POST", "/qr", body), 402, "plan_limit")).toBe(atCap);
    clock.advance(3_600_000);
    await client.createQr();
    expect(await createdToday()).toBe(1);
    // An isolate whose clock lags counts in the day that has begun.
    await harness.isolate({ now: () => clock.now() - 7_200_000 }).fetch("/api/v1/qr", {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(await createdToday()).toBe(2);
    clock.advance(day - 3_600_000);
  });

  it("count codes that are deleted again, restored, or created with a publishable key", async () => {
    // Publishable keys leave the last fifth to the others.
    const half = plans.pro.creationsPerDay / 2;
    await leave(half);
    const shop = "https://shop.example";
    const widget = await service.client(client.workspaceId, ["qr:write"], "publishable", [shop]);
    expect((await widget.send("POST", "/qr", body, { origin: shop })).status).toBe(201);
    expect(await createdToday()).toBe(half + 1);
    await leave(2);
    const qr = await client.createQr();
    await client.send("DELETE", `/qr/${qr.id}`);
    await client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`);
    await client.send("DELETE", `/qr/${qr.id}`);
    const refused = await client.send("POST", `/qr/${qr.id}/restore`);
    expect(await expectError(refused, 402, "plan_limit")).toBe(atCap);
    expect(await createdToday()).toBe(plans.pro.creationsPerDay);
  });

  it("count rows of bulk jobs: those beyond fail, and say when to try again", async () => {
    await leave(4);
    await client.createQr();
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(7)));
    await harness.drain();
    const { items, successCount, failureCount } = await harness.read(client, jobId);
    expect([successCount, failureCount]).toEqual([3, 4]);
    expect(items.map(({ status }) => status)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((row) => (row <= 3 ? "succeeded" : "failed")),
    );
    expect(new Set(items.flatMap(({ error }) => error ?? []))).toEqual(new Set([atCap]));
    expect(await createdToday()).toBe(plans.pro.creationsPerDay);
  });

  it("bound those who create and delete in the dashboard, and keep what the form has", async () => {
    const me = await signedIn(service, "free");
    ({ client } = me);
    await leave(1, "free");
    const entries = { type: "url", "data.url": "menu.example", name: "Menu" };
    const create = () => me.browser.submit("/dashboard/codes/new", entries);
    const created = await create();
    expect(created.status).toBe(303);
    const page = new URL(created.headers.get("location") ?? "").pathname;
    expect((await me.browser.submit(`${page}/delete`, {})).status).toBe(303);
    const refused = await create();
    expect(refused.status).toBe(402);
    expect(await refused.text()).toMatch(/allows 500 new or restored QR codes.*value="menu.example"/s);
    expect((await me.browser.submit(`${page}/restore`, {})).status).toBe(402);
  });
});
