import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Deleted } from "../../../src/contract/resources/codes/qr.ts";
import { SessionList } from "../../../src/contract/resources/identity/sessions.ts";
import { Browser, pathOf } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { FakeProvider, type ProviderUser } from "../../support/provider.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

const minute = 60_000;
const hour = 60 * minute;
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const path = "/dashboard/settings/sessions";
let clock: FakeClock;
let provider: FakeProvider;
let service: Service;
let ada: ProviderUser;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  provider = await FakeProvider.start(clock.now);
  service = new Service({ now: clock.now, fetch: provider.fetch });
  ada = { sub: crypto.randomUUID(), name: "Ada" };
});

async function signIn(userAgent: string, user = ada): Promise<Browser> {
  const browser = new Browser(service);
  const location = await browser.follow("/dashboard/sign-in/provider");
  const callback = pathOf(provider.agree(location, user));
  expect((await browser.send("GET", callback, { "user-agent": userAgent })).status).toBe(302);
  return browser;
}

const call = (method: string, where: string, headers: Record<string, string>) =>
  service.fetch(`/api/v1/developer/sessions${where}`, { method, headers: { origin, ...headers } });

async function sessionsOf(browser: Browser) {
  const answer = await call("GET", "", { cookie: browser.cookie });
  return SessionList.parse(await answer.json()).sessions;
}

/** The statuses of API and dashboard in another isolate. */
async function statuses(browser: Browser): Promise<number[]> {
  const isolate = new Service({ now: clock.now, fetch: provider.fetch });
  const paths = ["/api/v1/developer/workspace", "/dashboard"];
  const headers = { cookie: browser.cookie };
  const answers = await Promise.all(paths.map((one) => isolate.fetch(one, { headers })));
  return answers.map(({ status }) => status);
}
const valid = [200, 200];
const ended = [401, 302];

describe("a person's sessions", () => {
  it("are listed by the API with device and times, newest first", async () => {
    const desk = await signIn(firefox);
    clock.advance(minute);
    const phone = await signIn(safari);
    clock.advance(minute);
    await signIn("", { sub: crypto.randomUUID() });
    const at = (time: number) => new Date(time).toISOString();
    const signedIn = clock.now() - 2 * minute;
    expect(await sessionsOf(desk)).toEqual([
      {
        id: expect.any(String),
        device: "Safari on iOS",
        createdAt: at(signedIn + minute),
        lastUsedAt: at(signedIn + minute),
        expiresAt: at(signedIn + minute + 12 * hour),
        current: false,
      },
      {
        id: expect.any(String),
        device: "Firefox on Windows",
        createdAt: at(signedIn),
        lastUsedAt: at(signedIn),
        expiresAt: at(signedIn + 12 * hour),
        current: true,
      },
    ]);
    expect((await sessionsOf(phone)).map(({ current }) => current)).toEqual([true, false]);
    const token = { authorization: `Bearer ${await provider.token(ada)}` };
    const { sessions } = SessionList.parse(await (await call("GET", "", token)).json());
    expect(sessions.map(({ current }) => current)).toEqual([false, false]);
    clock.advance(12 * hour - 2 * minute);
    expect((await sessionsOf(phone)).map(({ device }) => device)).toEqual(["Safari on iOS"]);
  });

  it("have no device if the browser doesn't name itself", async () => {
    const browser = await signIn("made up \u0001 by nobody");
    expect((await sessionsOf(browser)).map(({ device }) => device)).toEqual([null]);
    expect(await pageAt(browser, path)).toContain("<strong>Unknown device</strong>");
  });

  it("keep nothing of the user agent but these names", async () => {
    await signIn(`${firefox} Secret/1.0`);
    const { results } = await env.DB.prepare("SELECT * FROM sessions").all();
    expect(JSON.stringify(results)).not.toMatch(/Secret|Mozilla|\b140\b/);
  });

  it("are ended one by one, which their next request notices", async () => {
    const desk = await signIn(firefox);
    clock.advance(1);
    const phone = await signIn(safari);
    const [session] = await sessionsOf(desk);
    expect(await statuses(phone)).toEqual(valid);
    const answer = await call("DELETE", `/${session?.id}`, { cookie: desk.cookie });
    expect([answer.status, Deleted.parse(await answer.json())]).toEqual([200, { success: true }]);
    expect(await statuses(phone)).toEqual(ended);
    expect(await statuses(desk)).toEqual(valid);
    expect((await call("DELETE", `/${session?.id}`, { cookie: desk.cookie })).status).toBe(404);
  });

  it("can't be ended by others, or from another site", async () => {
    const browser = await signIn(firefox);
    const eve = await signIn(firefox, { sub: crypto.randomUUID() });
    const [session] = await sessionsOf(browser);
    expect((await call("DELETE", `/${session?.id}`, { cookie: eve.cookie })).status).toBe(404);
    expect((await eve.submit(`${path}/${session?.id}/end`, {})).status).toBe(404);
    const foreign = { cookie: browser.cookie, origin: "https://evil.example" };
    expect((await call("DELETE", `/${session?.id}`, foreign)).status).toBe(403);
    expect(await statuses(browser)).toEqual(valid);
  });
});

describe("the page of sessions", () => {
  it("names this browser, and ends another's session", async () => {
    const desk = await signIn(firefox);
    clock.advance(1);
    const phone = await signIn(safari);
    const page = await pageAt(desk, path);
    expect(page).toMatch(/Firefox on Windows<\/strong><span class="second">.*This browser/s);
    const [end = ""] = [...page.matchAll(/action="(\/dashboard\/settings\/sessions\/[^"]+)"/g)].map(
      ([, action]) => action,
    );
    const answer = await desk.submit(end, {});
    expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + path]);
    expect(await pageAt(desk, path)).toContain("Signed out on that device.");
    expect(await statuses(phone)).toEqual(ended);
    expect(await statuses(desk)).toEqual(valid);
  });
});

describe("the last use", () => {
  it("is recorded at most once an hour, also for simultaneous requests", async () => {
    const browser = await signIn(firefox);
    const writes: string[] = [];
    const db = wrapDatabase(env.DB, (work, sql) => {
      if (sql?.startsWith("UPDATE sessions")) writes.push(sql);
      return work();
    });
    const isolate = new Service({ now: clock.now, fetch: provider.fetch, db });
    const use = () => isolate.fetch("/dashboard/settings", { headers: { cookie: browser.cookie } });
    const lastUse = async () => {
      const [session] = await sessionsOf(browser);
      return Date.parse(session?.lastUsedAt ?? "");
    };
    const signedIn = clock.now();
    clock.advance(hour - 1);
    await use();
    expect([writes.length, await lastUse()]).toEqual([0, signedIn]);
    clock.advance(1);
    await Promise.all([use(), use()]);
    clock.advance(30 * minute);
    await use();
    expect(await lastUse()).toBe(signedIn + hour);
    expect(writes.length).toBeLessThanOrEqual(2);
    clock.advance(30 * minute);
    await service.fetch("/api/v1/developer/workspace", { headers: { cookie: browser.cookie } });
    expect(await lastUse()).toBe(signedIn + 2 * hour);
  });
});
