import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Domain } from "../../src/contract/resources/domains.ts";
import type { ClosedReason } from "../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { type WaitingKind, WaitingList } from "../../src/contract/resources/waiting.ts";
import type { Role } from "../../src/contract/roles.ts";
import { emptyBatch } from "../../src/edge/scans/pack.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { dayLength } from "../../src/lib/time/calendar.ts";
import { Answer } from "../../src/mcp/tools/changes.ts";
import { knownWaitingSql } from "../../src/store/waiting.ts";
import { Agent } from "../support/agents.ts";
import { Browser } from "../support/browser.ts";
import { BulkHarness, item } from "../support/bulk.ts";
import { pageAt } from "../support/dashboard.ts";
import { Client, type SessionClient } from "../support/service.ts";
import { answers, WebhookHarness } from "../support/webhooks.ts";

let harness: WebhookHarness;
let session: SessionClient;
let browser: Browser;
let qr: Qr;

const path = "/dashboard/waiting";
const hourLength = dayLength / 24;
const workspaceId = () => harness.client.workspaceId;

async function signIn(role: Role = "owner") {
  session = await harness.service.sessionIn(workspaceId(), role);
  browser = new Browser(harness.service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
}

beforeEach(async () => {
  harness = await new WebhookHarness().createWorkspace();
  await signIn();
  qr = await harness.client.createQr({ name: "Lunch", shape: "circle" });
});

const list = (caller: Pick<SessionClient, "expect"> = session) =>
  caller.expect(200, WaitingList, "GET", "/developer/waiting");
const kindsOf = async (caller?: Pick<SessionClient, "expect">) =>
  (await list(caller)).items.map(({ kind }) => kind);
const page = () => pageAt(browser, path);
/** The number in the navigation of another page; 0 without one. */
const counted = async () =>
  Number(/<span class="count due">(\d+)</.exec(await pageAt(browser, "/dashboard/tags"))?.[1] ?? 0);
const run = (sql: string, ...values: (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** As the sweep marks a code. */
const mark = (readable: 0 | 1) =>
  run("UPDATE qr_codes SET readable = ?, version = version + 1 WHERE id = ?", readable, qr.id);

async function addDomain(): Promise<string> {
  const { id } = await session.expect(201, Domain, "POST", "/developer/domains", { host: "go.acme.com" });
  await run("UPDATE domains SET problem = 'cname_elsewhere' WHERE id = ?", id);
  return id;
}

async function propose(): Promise<string> {
  const input = { name: "Menu agent", type: "secret", scopes: ["qr:write"], personConfirms: true };
  const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", input);
  const agent = await Agent.connect(new Client(harness.service, workspaceId(), id, key));
  const change = { ids: [qr.id], change: { addTags: ["one"] } };
  return (await agent.ask(Answer, "change_codes", change)).proposalId ?? "";
}

/** Ends a print job of which one code failed. */
async function failPrint() {
  const now = harness.clock.now();
  await run(
    `INSERT INTO print_jobs (id, workspace_id, kind, options, status, total_items, failure_count, created_at, staged_at)
     VALUES (?1, ?2, 'labels', '{}', 'processing', 3, 1, ?3, ?3)`,
    ...[newId(now), workspaceId(), now],
  );
  await run(
    "UPDATE print_jobs SET status = 'failed', completed_at = ? WHERE workspace_id = ?",
    now,
    workspaceId(),
  );
}

/** Submits the form that puts things off, or the one that brings them back. */
const postpone = (where: "not-now" | "now", ...keys: string[]) =>
  browser.send(
    "POST",
    `${path}/${where}`,
    { origin: harness.service.deps.settings.appOrigin },
    new URLSearchParams(keys.map((key) => ["item", key])),
  );

/** The keys of what somebody in the workspace has put off. */
async function kept(): Promise<string[]> {
  const row = await env.DB.prepare(
    "SELECT postponed FROM members WHERE workspace_id = ? AND postponed IS NOT NULL",
  )
    .bind(workspaceId())
    .first<{ postponed: string }>();
  return Object.keys(JSON.parse(row?.postponed ?? "{}"));
}

describe("what waits for a person", () => {
  it("is counted on every page as it comes and goes, and listed with its action", async () => {
    expect([await counted(), (await list()).count]).toEqual([0, 0]);
    expect(await page()).toContain("Nothing waits for you");
    const comes: readonly (readonly [WaitingKind, () => Promise<unknown>, () => string])[] = [
      ["proposal", propose, () => ">Review<"],
      ["design", () => mark(0), () => `href="/dashboard/codes/${qr.id}/edit"`],
      ["domain", addDomain, () => "/check"],
      ["print", failPrint, () => "1 of 3 codes failed."],
    ];
    const seen: WaitingKind[] = [];
    for (const [kind, happen, shown] of comes) {
      await happen();
      seen.push(kind);
      expect([kind, await counted(), (await kindsOf()).toSorted()]).toEqual([
        kind,
        seen.length,
        seen.toSorted(),
      ]);
      expect(await page()).toContain(shown());
    }
    const { items } = await list();
    for (const { link } of items) await pageAt(browser, new URL(link).pathname);
    const goes = [
      () => mark(1),
      () => run("UPDATE domains SET problem = NULL"),
      () => browser.submit(`/dashboard/changes/${items[0]?.id}/decline`, { workspace: workspaceId() }),
    ];
    for (const [index, happen] of goes.entries()) {
      await happen();
      expect([index, await counted(), (await list()).count]).toEqual([index, 3 - index, 3 - index]);
    }
    await harness.advance(limits.bulkItemDays * dayLength);
    await signIn();
    expect([await counted(), (await list()).count]).toEqual([0, 0]);
  });

  it("costs a page one row, until something has changed", async () => {
    await mark(0);
    expect(await counted()).toBe(1);
    const known = env.DB.prepare(knownWaitingSql).bind(workspaceId(), harness.clock.now());
    expect((await known.all()).meta.rows_read).toBe(1);
    await run("UPDATE waiting_items SET items = '[]'");
    expect(await counted()).toBe(0);
    await harness.client.createQr();
    expect(await counted()).toBe(0);
    await mark(1);
    await mark(0);
    expect(await counted()).toBe(1);
  });

  it("has webhooks that were paused, or whose deliveries failed", async () => {
    harness.receiver = answers(500);
    const webhook = await harness.createWebhook();
    await harness.emitAndDeliver();
    await harness.advance(4 * dayLength);
    await signIn();
    expect([await kindsOf(), await counted()]).toEqual([["delivery"], 1]);
    expect(await page()).toContain(`href="/dashboard/developer/webhooks/${webhook.id}/replay"`);
    harness.receiver = answers(410);
    await harness.emitAndDeliver();
    expect([await kindsOf(), await counted()]).toEqual([["webhook"], 1]);
    const resume = `/dashboard/developer/webhooks/${webhook.id}/resume`;
    expect(await page()).toContain(`action="${resume}"`);
    await browser.submit(resume, { workspace: workspaceId() });
    expect(await kindsOf()).toEqual(["delivery"]);
  });

  it("has jobs of which rows failed", async () => {
    const bulk = new BulkHarness();
    const client = await bulk.service.workspace();
    const me = await bulk.service.sessionIn(client.workspaceId);
    await bulk.run(client, await bulk.json(client, [item(0), { ...item(1), qrType: "nonsense" }]));
    const { items } = await me.expect(200, WaitingList, "GET", "/developer/waiting");
    expect(items).toMatchObject([
      { kind: "job", title: "Creation of 2 codes", text: "1 of 2 rows failed.", postponedUntil: null },
    ]);
  });

  it("has codes that were scanned after their end, each with its way back", async () => {
    const [paused, ended, deleted] = await Promise.all(
      ["Paused", "Ended", "Deleted"].map((name) => harness.client.createQr({ name })),
    );
    if (!paused || !ended || !deleted) throw new Error("unreachable");
    const change = (id: string, body: object) => harness.client.send("PATCH", `/qr/${id}`, body);
    const end = new Date(harness.clock.now() + dayLength).toISOString();
    await change(paused.id, { status: "paused" });
    await change(ended.id, { expiresAt: end });
    await harness.client.send("DELETE", `/qr/${deleted.id}`);
    await harness.advance(2 * dayLength);
    await signIn();
    expect(await counted()).toBe(0);
    const codes = Object.entries({ paused, expired: ended, deleted, not_started: qr }).map(
      ([reason, code]) => ({
        ...{ qrId: code.id, hash: code.hash, reason: reason as ClosedReason, scans: 3 },
      }),
    );
    const id = newId(harness.clock.now());
    await harness.ledger.recordScans(
      [{ ...emptyBatch(workspaceId()), closed: { id, codes, domains: [] } }],
      harness.clock.now(),
    );
    const { items } = await list();
    expect(items.map(({ kind, reason, title }) => [kind, reason, title]).toSorted()).toEqual([
      ["closed", "deleted", "Deleted"],
      ["closed", "expired", "Ended"],
      ["closed", "paused", "Paused"],
    ]);
    expect(items[0]?.text).toMatch(/^Scanned 3 times in the last 30 days although it /);
    // Counted within the hour.
    await harness.advance(hourLength);
    expect(await counted()).toBe(3);
    const shown = await page();
    expect(shown).toContain(`href="/dashboard/codes/${ended.id}/edit"`);
    for (const [path, left] of [
      [`${paused.id}/resume`, 2],
      [`${deleted.id}/restore`, 1],
    ] as const) {
      expect(shown).toContain(`action="/dashboard/codes/${path}"`);
      await browser.submit(`/dashboard/codes/${path}`, { workspace: workspaceId() });
      expect([path, await counted(), (await list()).count]).toEqual([path, left, left]);
    }
    await change(ended.id, { expiresAt: null });
    expect([await counted(), (await list()).count]).toEqual([0, 0]);
  });

  it("has limits of which most is used", async () => {
    await run("UPDATE workspaces SET plan = 'free', live_codes = 19 WHERE id = ?", workspaceId());
    expect([await kindsOf(), await counted()]).toEqual([[], 0]);
    await run("UPDATE workspaces SET live_codes = 20 WHERE id = ?", workspaceId());
    expect((await list()).items).toMatchObject([
      { kind: "limit", id: "codes", text: "20 of 25 are used.", since: null },
    ]);
    expect(await counted()).toBe(1);
  });

  it("is what the role, or the key's scopes, allow", async () => {
    await mark(0);
    await addDomain();
    await failPrint();
    const byRole = { owner: 3, admin: 3, editor: 2, viewer: 1 };
    for (const [role, count] of Object.entries(byRole)) {
      await signIn(role as Role);
      expect([role, await counted(), (await kindsOf()).length]).toEqual([role, count, count]);
    }
    await signIn();
    const keyWith = async (...scopes: string[]) => {
      const input = { name: "k", type: "secret", scopes };
      const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", input);
      return new Client(harness.service, workspaceId(), id, key);
    };
    expect(await kindsOf(await keyWith("workspace:read"))).toEqual(["domain"]);
    expect(await kindsOf(await keyWith("workspace:read", "qr:read"))).toEqual(["domain", "print", "design"]);
    expect((await (await keyWith("qr:read")).send("GET", "/developer/waiting")).status).toBe(403);
  });

  it("is put off for a week by a person, and back earlier if they want", async () => {
    await mark(0);
    const domain = await addDomain();
    const other = browser;
    await signIn("admin");
    expect((await postpone("not-now", `design:${qr.id}`, "nonsense", `nonsense:${qr.id}`)).status).toBe(303);
    expect(await counted()).toBe(1);
    const { count, items } = await list();
    expect([count, items.map(({ postponedUntil }) => postponedUntil)]).toEqual([
      1,
      [null, new Date(harness.clock.now() + 7 * dayLength).toISOString()],
    ]);
    expect(await page()).toContain("Not now: 1");
    expect(await pageAt(browser, "/dashboard/tags")).not.toContain("reliably read");
    const mine = browser;
    browser = other;
    expect(await counted()).toBe(2);
    browser = mine;
    await postpone("not-now", `domain:${domain}`);
    expect(await counted()).toBe(0);
    expect(await page()).toContain("Nothing waits for you");
    await postpone("now", `design:${qr.id}`);
    expect(await counted()).toBe(1);
    expect(await kept()).toEqual([`domain:${domain}`]);
    await harness.advance(7 * dayLength);
    await signIn("admin");
    expect(await counted()).toBe(2);
  });

  it("is put off at most so often", async () => {
    const bound = limits.waiting.postponed;
    for (let from = 0; from < bound + 100; from += 100) {
      await postpone("not-now", ...Array.from({ length: 100 }, (_, i) => `design:${from + i}`));
    }
    expect(await kept()).toHaveLength(bound);
  });
});
