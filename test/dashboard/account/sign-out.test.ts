import { env } from "cloudflare:workers";
import type { JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/text/ids.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { Browser, pathOf } from "../../support/browser.ts";
import { FakeProvider, type ProviderUser } from "../../support/provider.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

const hour = 60 * 60_000;
let clock: FakeClock;
let provider: FakeProvider;
let isolates: [Service, Service];
let ada: ProviderUser;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  provider = await FakeProvider.start(clock.now);
  const isolate = () => new Service({ now: clock.now, fetch: provider.fetch });
  isolates = [isolate(), isolate()];
  ada = { sub: crypto.randomUUID(), name: "Ada" };
});

async function signIn(user: ProviderUser, browser = new Browser(isolates[0])): Promise<Browser> {
  const location = await browser.follow("/dashboard/sign-in/provider");
  expect((await browser.open(pathOf(provider.agree(location, user)))).status).toBe(302);
  return browser;
}

/** A thief's copy of a browser's cookies. */
function copyOf(browser: Browser): Browser {
  const copy = new Browser(browser.service);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

const signOut = (
  browser: Browser,
  path = "/dashboard/sign-out",
  headers: Record<string, string> = { origin },
) => browser.send("POST", path, headers);
const everywhere = "/dashboard/sign-out-everywhere";

/** The statuses of API and dashboard in both isolates. */
async function statuses(headers: Record<string, string>): Promise<number[]> {
  const paths = ["/api/v1/developer/workspace", "/dashboard"];
  const answers = isolates.flatMap((isolate) => paths.map((path) => isolate.fetch(path, { headers })));
  return (await Promise.all(answers)).map(({ status }) => status);
}
const valid = [200, 200, 200, 200];
const ended = [401, 302, 401, 302];

/** The statuses of the API in both isolates. */
const withToken = async (token: string) => {
  const answers = await statuses({ authorization: `Bearer ${token}` });
  return [answers[0], answers[2]];
};

const sessionRows = async (subject: string) => {
  const { results } = await env.DB.prepare(
    "SELECT sessions.* FROM sessions JOIN users ON users.id = user_id WHERE subject = ?",
  )
    .bind(subject)
    .all();
  return results;
};

describe("signing out", () => {
  it("ends the session at once in every isolate, and of every copy of its cookie", async () => {
    const browser = await signIn(ada);
    const copy = copyOf(browser);
    expect(await statuses({ cookie: copy.cookie })).toEqual(valid);
    const answer = await signOut(browser);
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/signed-out`);
    expect(await statuses({ cookie: copy.cookie })).toEqual(ended);
    expect((await copy.open("/dashboard")).headers.get("location")).toContain("/dashboard/sign-in");
    expect(await sessionRows(ada.sub)).toEqual([]);
  });

  it("leaves the user's other sessions and tokens alone, and other users'", async () => {
    const browser = await signIn(ada);
    const phone = await signIn(ada);
    const eve = await signIn({ sub: crypto.randomUUID() });
    const token = await provider.token(ada);
    await signOut(browser);
    expect(await statuses({ cookie: phone.cookie })).toEqual(valid);
    expect(await statuses({ cookie: eve.cookie })).toEqual(valid);
    expect(await withToken(token)).toEqual([200, 200]);
  });

  it("with an ended, invalid or missing session still ends on the page that says so", async () => {
    const browser = await signIn(ada);
    const copy = copyOf(browser);
    await signOut(browser);
    const invalid = new Browser(isolates[0]);
    invalid.cookies.set("session", "x.y.z");
    for (const one of [copy, invalid, new Browser(isolates[0])]) {
      const { status, headers } = await signOut(one);
      expect([status, headers.get("location")]).toEqual([303, `${origin}/dashboard/signed-out`]);
      expect(one.cookies.has("session")).toBe(false);
    }
  });

  it("is not claimed when the session could not be ended", async () => {
    const browser = await signIn(ada);
    const db = {
      prepare: (sql: string) => {
        if (/^delete/i.test(sql)) throw new Error("D1 is unavailable");
        return env.DB.prepare(sql);
      },
    } as D1Database;
    const broken = new Browser(new Service({ now: clock.now, fetch: provider.fetch, db }));
    broken.cookies.set("session", browser.cookies.get("session") ?? "");
    expect((await signOut(broken)).status).toBe(500);
    expect(broken.cookies.has("session")).toBe(true);
  });
});

describe("signing in", () => {
  it("stores who may use the session and until when, and nothing that could replace the cookie", async () => {
    const browser = await signIn(ada);
    const [row, ...others] = await sessionRows(ada.sub);
    expect(others).toEqual([]);
    expect(row).toEqual({
      id: expect.any(String),
      user_id: expect.any(String),
      created_at: clock.now(),
      expires_at: clock.now() + 12 * hour,
      device: null,
      last_used_at: null,
      workspace_id: null,
      authenticated_at: clock.now(),
      passkeys_seen_at: null,
    });
    expect(await statuses({ cookie: `session=${row?.id}` })).toEqual(ended);
    expect(browser.cookies.get("session")).not.toContain(row?.id);
  });

  it("again in the same browser ends the session before", async () => {
    const browser = await signIn(ada);
    const copy = copyOf(browser);
    await signIn({ sub: crypto.randomUUID() }, browser);
    expect(await statuses({ cookie: copy.cookie })).toEqual(ended);
    expect(await statuses({ cookie: browser.cookie })).toEqual(valid);
  });

  it("in vain leaves the session before as it is", async () => {
    const browser = await signIn(ada);
    expect((await browser.open("/dashboard/callback?state=forged&code=x")).status).toBe(400);
    expect(await statuses({ cookie: browser.cookie })).toEqual(valid);
  });

  it("more than 100 times in twelve hours ends the oldest session", async () => {
    const first = await signIn(ada);
    clock.advance(1);
    const second = await signIn(ada);
    clock.advance(1);
    const [{ user_id: userId } = { user_id: "" }] = await sessionRows(ada.sub);
    const ids = Array.from({ length: 98 }, () => newId(clock.now()));
    await env.DB.prepare(
      "INSERT INTO sessions (id, user_id, created_at, expires_at) SELECT value, ?1, ?2, ?3 FROM json_each(?4)",
    )
      .bind(userId, clock.now(), clock.now() + 12 * hour, JSON.stringify(ids))
      .run();
    expect(await statuses({ cookie: first.cookie })).toEqual(valid);
    const newest = await signIn(ada);
    expect(await statuses({ cookie: first.cookie })).toEqual(ended);
    expect(await statuses({ cookie: second.cookie })).toEqual(valid);
    expect(await statuses({ cookie: newest.cookie })).toEqual(valid);
    expect(await sessionRows(ada.sub)).toHaveLength(100);
  });
});

describe("signing out everywhere", () => {
  it("is offered by the dashboard, and ends all sessions of the user and no others", async () => {
    const browser = await signIn(ada);
    const phone = await signIn(ada);
    const eve = await signIn({ sub: crypto.randomUUID() });
    expect(await statuses({ cookie: phone.cookie })).toEqual(valid);
    expect(await (await browser.open("/dashboard/settings/sessions")).text()).toContain(
      `action="${everywhere}"`,
    );
    const copy = copyOf(browser);
    const answer = await signOut(browser, everywhere);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}/dashboard/signed-out`]);
    expect(browser.cookies.has("session")).toBe(false);
    for (const one of [copy, phone]) expect(await statuses({ cookie: one.cookie })).toEqual(ended);
    expect(await statuses({ cookie: eve.cookie })).toEqual(valid);
    const again = await signIn(ada);
    expect(await statuses({ cookie: again.cookie })).toEqual(valid);
  });

  it("ends tokens that were issued before, by a provider whose clock is up to a minute ahead", async () => {
    const browser = await signIn(ada);
    const iat = Math.floor(clock.now() / 1000);
    const issued = (seconds: number | undefined) =>
      provider.token(ada, { claims: { iat: seconds } as JWTPayload });
    const [before, ahead, unknown, later] = await Promise.all(
      [iat - 1, iat + 59, undefined, iat + 60].map(issued),
    );
    const others = await provider.token({ sub: crypto.randomUUID() });
    const tokens = [before, ahead, unknown, others] as string[];
    for (const token of tokens) expect(await withToken(token)).toEqual([200, 200]);
    await signOut(browser, everywhere);
    for (const token of [before, ahead, unknown] as string[]) {
      expect(await withToken(token)).toEqual([401, 401]);
      clock.advance(1000);
      expect(await withToken(token)).toEqual([401, 401]);
    }
    expect(await withToken(others)).toEqual([200, 200]);
    clock.advance(57_000);
    expect(await withToken(later as string)).toEqual([200, 200]);
  });

  it.each([{}, { origin: "https://evil.example" }, { origin: "null" }])(
    "is refused when asked from %j",
    async (headers: { origin?: string }) => {
      const browser = await signIn(ada);
      expect((await signOut(browser, everywhere, headers)).status).toBe(403);
      expect(await statuses({ cookie: browser.cookie })).toEqual(valid);
      expect((await browser.open(everywhere)).status).toBe(302);
      expect(await statuses({ cookie: browser.cookie })).toEqual(valid);
    },
  );

  it("asks to sign in first if the session has ended", async () => {
    const browser = await signIn(ada);
    const phone = await signIn(ada);
    const copy = copyOf(browser);
    await signOut(browser);
    const answer = await signOut(copy, everywhere);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${origin}/dashboard/sign-in?return=/dashboard`,
    ]);
    expect(await statuses({ cookie: phone.cookie })).toEqual(valid);
  });
});

describe("a session", () => {
  it("costs one statement a request", async () => {
    const browser = await signIn(ada);
    const statements: string[] = [];
    // The notices of the page are a batch.
    const db = wrapDatabase(env.DB, (work, sql, statement) => {
      if (sql !== undefined && statement !== undefined) statements.push(sql);
      return work();
    });
    const isolate = new Service({ now: clock.now, fetch: provider.fetch, db });
    // The first page of all counts what waits for a person.
    await isolate.fetch("/dashboard", { headers: { cookie: browser.cookie } });
    statements.length = 0;
    const { status } = await isolate.fetch("/dashboard/settings/account", {
      headers: { cookie: browser.cookie },
    });
    expect([status, statements.length]).toEqual([200, 1]);
  });

  it("is pruned by the sweep once it has expired, at most 1000 a run", async () => {
    const browser = await signIn(ada);
    const [row] = await sessionRows(ada.sub);
    const expired = env.DB.prepare(
      "INSERT INTO sessions (id, user_id, created_at, expires_at) SELECT value, ?1, 0, ?2 FROM json_each(?3)",
    );
    const ids = Array.from({ length: 1500 }, () => crypto.randomUUID());
    await expired.bind(row?.user_id, clock.now(), JSON.stringify(ids)).run();
    await sweep(isolates[0].deps);
    expect(await sessionRows(ada.sub)).toHaveLength(501);
    await sweep(isolates[0].deps);
    expect(await sessionRows(ada.sub)).toEqual([row]);
    expect(await statuses({ cookie: browser.cookie })).toEqual(valid);
    clock.advance(12 * hour);
    expect(await statuses({ cookie: browser.cookie })).toEqual(ended);
    await sweep(isolates[0].deps);
    expect(await sessionRows(ada.sub)).toEqual([]);
  });
});
