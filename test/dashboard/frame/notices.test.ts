import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { setFormClosed } from "../../../src/domain/pages/pages.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { Browser } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { resize } from "../../support/scans/archives.ts";
import { settledReporting } from "../../support/scans/reporting.ts";
import { FakeClock, Service, type SessionClient } from "../../support/service.ts";
import { setSuspension } from "../../support/suspension.ts";
import { answers, WebhookHarness } from "../../support/webhooks.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });

/** A page without reports, which has the notices of every page. */
const anyPage = "/dashboard/settings/account";

const browserOf = (session: SessionClient) => {
  const browser = new Browser(session.service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  return browser;
};

/** The text of the page's notices. */
const noticesOf = (page: string): string[] =>
  [
    ...page.replace(/<template .*?<\/template>/gs, "").matchAll(/<div class="notice [^>]*>(.*?)<\/div>/gs),
  ].map(([, text = ""]) => text.replace(/<[^>]+>/g, "").replace(/\s+/g, " "));
const noticesFor = async (session: SessionClient, path = anyPage) =>
  noticesOf(await pageAt(browserOf(session), path));

const reason = { reason: "Reported as <b>phishing</b>" };
const words = "The operator gives this reason: Reported as &lt;b&gt;phishing&lt;/b&gt;";

describe("every page has a notice", () => {
  it("only if there is something to know", async () => {
    expect(await noticesFor(await service.session())).toEqual([]);
  });

  it("that the workspace is suspended, in the operator's words", async () => {
    const session = await service.session();
    await setSuspension({ service, clock }, "workspaces", session.workspaceId, reason);
    const [notice] = await noticesFor(session);
    expect(notice).toContain("The operator of this service has suspended this workspace");
    expect(notice).toContain(words);
  });

  it("that codes and pages are suspended, in the operator's words, until they are deleted", async () => {
    const session = await service.session();
    const client = await service.client(session.workspaceId);
    const qr = await client.createQr({ name: "Poster" });
    await client.createQr({ name: "Fine" });
    const page = await makePage({ client, session }, { title: "Fair" });
    await setSuspension({ service, clock }, "qr", qr.id, { ...reason, legalOrder: true });
    await setSuspension({ service, clock }, "pages", page.id, reason);
    const [ofCode, ofPage, ...others] = await noticesFor(session);
    expect(ofCode).toBe(
      "The operator of this service has suspended the code Poster. Visitors see a generic page. " +
        `A legal order requires it. ${words}`,
    );
    expect(ofPage).toContain("suspended the hosted page Fair");
    expect(ofPage).toContain(words);
    expect(others).toEqual([]);
    const onItsPage = await noticesFor(session, `/dashboard/codes/${qr.id}`);
    expect(onItsPage.filter((text) => text.includes("A legal order requires it"))).toHaveLength(1);
    await client.send("DELETE", `/qr/${qr.id}`);
    await session.send("DELETE", `/developer/pages/${page.id}`);
    expect(await noticesFor(session)).toEqual([]);
  });

  it("that the form of a page is closed", async () => {
    const session = await service.session();
    const client = await service.client(session.workspaceId);
    const page = await makePage({ client, session }, { title: "Fair" });
    await setFormClosed(service.deps, serviceContext(session.workspaceId, "business"), page.id, true);
    const [notice] = await noticesFor(session);
    expect(notice).toContain(
      "The form of the hosted page “Fair” is closed, because it has 100,000 submissions",
    );
    await setFormClosed(service.deps, serviceContext(session.workspaceId, "business"), page.id, false);
    expect(await noticesFor(session)).toEqual([]);
  });

  it("that a webhook is paused, with the reason, unless its owner has paused it", async () => {
    const harness = await new WebhookHarness().createWorkspace();
    const session = await harness.service.sessionIn(harness.client.workspaceId);
    harness.receiver = answers(410);
    const { id } = await harness.createWebhook({ url: "https://example.com/hook?secret=1" });
    expect(await noticesFor(session)).toEqual([]);
    await harness.emitAndDeliver();
    const [notice] = await noticesFor(session);
    expect(notice).toContain(
      "The webhook to example.com is paused. The receiver answered 410 Gone. Its events are not delivered.",
    );
    expect(notice).not.toContain("secret");
    for (const status of ["active", "paused"]) {
      await session.send("PATCH", `/developer/webhooks/${id}`, { status });
      expect(await noticesFor(session)).toEqual([]);
    }
  });

  it("that a publishable key is at its daily cap, until the next day", async () => {
    const today = new FakeClock(Date.UTC(2026, 5, 1, 23, 30));
    const own = new Service({ now: today.now });
    const session = await own.session();
    const widget = await own.client(session.workspaceId, ["qr:write"], "publishable", [
      "https://shop.example",
    ]);
    const { cap } = limits.keyCreations;
    await runInDurableObject(env.METERS.get(env.METERS.idFromName(widget.keyId)), (meter) => {
      for (let i = 0; i < cap; i += 1) meter.takeCreation(today.now(), cap);
    });
    expect(await noticesFor(session)).toEqual([]);
    const create = () =>
      widget.send(
        "POST",
        "/qr",
        { qrType: "url", data: { type: "url", url: "example.com" } },
        { origin: "https://shop.example" },
      );
    expect((await create()).status).toBe(403);
    const [notice] = await noticesFor(session);
    expect(notice).toContain("The publishable key “test” has created 1,000 codes today");
    const cappedAt = () =>
      env.DB.prepare("SELECT capped_at FROM api_keys WHERE id = ?").bind(widget.keyId).first("capped_at");
    const first = await cappedAt();
    today.advance(60_000);
    await create();
    expect(await cappedAt()).toBe(first);
    today.advance(30 * 60_000);
    expect(await noticesFor(session)).toEqual([]);
  });

  it.each([
    ["high", "The storage for individual scans is filling up"],
    ["full", "The storage for individual scans is full"],
  ] as const)("that the ledger is %s", async (state, text) => {
    const session = await service.session();
    const stub = env.LEDGERS.get(env.LEDGERS.idFromName(session.workspaceId));
    await resize(stub, bounds.ledger[state]);
    const [notice] = await noticesFor(session);
    expect(notice).toContain(text);
  });

  it("that 80 % of the plan's codes are used, and that all are", async () => {
    const session = await service.session("free");
    const fill = (count: number) =>
      env.DB.prepare("UPDATE workspaces SET live_codes = ? WHERE id = ?")
        .bind(count, session.workspaceId)
        .run();
    await fill(19);
    expect(await noticesFor(session)).toEqual([]);
    await fill(20);
    expect((await noticesFor(session))[0]).toContain("You&#39;ve used 20 of the 25 codes");
    await fill(25);
    expect((await noticesFor(session))[0]).toContain("used all 25 codes");
  });

  it("that reports change to another time zone, once on a page", async () => {
    const session = await service.session();
    const client = await service.client(session.workspaceId);
    const qr = await client.createQr();
    await session.send("PATCH", "/developer/analytics", { timeZone: "Asia/Kolkata" });
    for (const path of [anyPage, "/dashboard/settings/reports", `/dashboard/codes/${qr.id}`, "/dashboard"]) {
      const found = (await noticesFor(session, path)).filter((text) => text.includes("Asia/Kolkata"));
      expect({ path, found }).toEqual({
        path,
        found: [expect.stringContaining("Reports are changing to the time zone Asia/Kolkata")],
      });
    }
    await settledReporting(session);
    expect(await noticesFor(session)).toEqual([]);
  });
});

describe("reading the notices", () => {
  it("takes one call of the catalogue and one of the ledger, and none for a part of a page", async () => {
    const session = await service.session();
    const calls: string[] = [];
    const counting = new Service({
      db: wrapDatabase(env.DB, (work, sql) => {
        calls.push(sql === undefined || sql.includes(";") ? "batch" : "query");
        return work();
      }),
      ledger: (id) =>
        new Proxy(service.deps.ledger(id), {
          get: (target, name) => {
            if (typeof name === "string") calls.push(name);
            return Reflect.get(target, name, target);
          },
        }),
    });
    const { cookie } = session;
    // The first page counts what waits.
    for (const queries of [2, 1]) {
      calls.length = 0;
      await counting.fetch(anyPage, { headers: { cookie } });
      expect(calls.filter((name) => name === "query")).toHaveLength(queries);
    }
    // The query reads the session.
    expect(calls.sort()).toEqual(["batch", "notices", "query"]);
    calls.length = 0;
    // A form with a problem is shown again.
    const headers = { cookie, origin: service.deps.settings.appOrigin };
    const body = new URLSearchParams({ type: "url" });
    await counting.fetch("/dashboard/codes/new", { method: "POST", headers, body });
    expect(calls.filter((name) => name === "notices")).toHaveLength(1);
    calls.length = 0;
    await counting.fetch("/dashboard/codes/preview", { headers: { cookie, "hx-request": "true" } });
    expect(calls).not.toContain("notices");
  });

  it("shows the page without them if the ledger fails, and says so in the log", async () => {
    const session = await service.session();
    const failing = new Service({
      ledger: (id) =>
        new Proxy(service.deps.ledger(id), {
          get: (target, name) =>
            name === "notices"
              ? () => Promise.reject(new Error("the ledger is away"))
              : Reflect.get(target, name, target),
        }),
    });
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const answer = await failing.fetch(anyPage, { headers: { cookie: session.cookie } });
    expect(answer.status).toBe(200);
    expect(warn.mock.calls.flat().join()).toContain("notices not read");
    warn.mockRestore();
  });
});
