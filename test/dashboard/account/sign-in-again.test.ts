import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { SignInLink } from "../../../src/contract/resources/identity/sign-in.ts";
import type { Authenticator } from "../../support/authenticator.ts";
import { passkeyRequestOf } from "../../support/authenticator.ts";
import { Browser, pathOf } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { addPasskey, newPasskey } from "../../support/passkeys.ts";
import { FakeProvider, type ProviderUser } from "../../support/provider.ts";
import { watched } from "../../support/runner/log-watch.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";

const minute = 60_000;
const adding = "/dashboard/settings/passkeys/new";
const again = "/dashboard/sign-in/again";
const unconfirmed = `${origin}${again}?return=${encodeURIComponent(adding)}&unconfirmed=yes`;
let clock: FakeClock;
let provider: FakeProvider;
let service: Service;
let ada: ProviderUser;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  provider = await FakeProvider.start(clock.now);
  service = new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: true } });
  ada = { sub: crypto.randomUUID(), name: "Ada" };
});

/** Signs in at the provider. @param since when its own session began */
async function signIn(user = ada, browser = new Browser(service), since?: number): Promise<Browser> {
  const location = await browser.follow("/dashboard/sign-in/provider");
  await browser.open(pathOf(provider.agree(location, user, since)));
  return browser;
}

/** Signs in again at the provider. @param edit what the browser's user does to the address */
async function signInAgain(
  browser: Browser,
  edit: (query: URLSearchParams) => void = () => {},
  user = ada,
  since?: number,
): Promise<Response> {
  const location = new URL(await browser.follow(`${again}/provider?return=${adding}`));
  edit(location.searchParams);
  return browser.open(pathOf(provider.agree(location.href, user, since)));
}

const withoutDemand = (query: URLSearchParams) => {
  query.delete("prompt");
  query.delete("max_age");
};

const statusOf = async (browser: Browser, path = adding) => (await browser.open(path)).status;

/** The path of a link of the operator. */
async function link(kind: "confirmation" | "recovery", userId: string): Promise<string> {
  const body = { kind, userId };
  const { url } = await service.operator.expect(201, SignInLink, "POST", "/operator/sign-in-links", body);
  watched(url.replace(/.*\//, ""), "link");
  return url.slice(origin.length);
}

const userIdOf = async ({ sub }: ProviderUser): Promise<string> => {
  const row = await env.DB.prepare("SELECT id FROM users WHERE subject = ?")
    .bind(sub)
    .first<{ id: string }>();
  return row?.id ?? "";
};

/** Uses the page to sign in again with a passkey. */
async function signInAgainWith(device: Authenticator, browser: Browser): Promise<Response> {
  const page = await pageAt(browser, `${again}?return=${adding}`);
  const credential = await device.sign(passkeyRequestOf(page));
  return browser.submit(`${again}?return=${adding}`, { credential });
}

describe("signing in again at the provider", () => {
  it.each(["always", "asked"] as const)("counts where the provider %s says when", async (says) => {
    provider.saysAuthTime = says;
    const browser = await signIn();
    clock.advance(9 * minute);
    expect(await statusOf(browser)).toBe(200);
    clock.advance(minute);
    expect(await statusOf(browser)).toBe(403);
    const copy = browser.cookies.get("session") ?? "";
    const answer = await signInAgain(browser);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, origin + adding]);
    expect(await statusOf(browser)).toBe(200);
    const thief = new Browser(service);
    thief.cookies.set("session", copy);
    expect(await statusOf(thief)).toBe(302);
    clock.advance(10 * minute);
    expect(await statusOf(browser)).toBe(403);
  });

  it.each(["always", "asked", "never"] as const)(
    "doesn't count without the demand, which the address has lost, where the provider says when: %s",
    async (says) => {
      provider.saysAuthTime = says;
      const since = clock.now();
      const browser = await signIn();
      clock.advance(10 * minute);
      const before = browser.cookies.get("session");
      const answer = await signInAgain(browser, withoutDemand, ada, since);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, unconfirmed]);
      expect(browser.cookies.get("session")).toBe(before);
      expect(await statusOf(browser)).toBe(403);
    },
  );

  it("doesn't count where the provider renews a session without asking, also not as another sign-in", async () => {
    const since = clock.now();
    const browser = await signIn();
    clock.advance(10 * minute);
    await signIn(ada, browser, since);
    expect(await statusOf(browser)).toBe(403);
  });

  it("accepts a provider's clock that is a minute behind, and no time to come", async () => {
    const browser = await signIn();
    clock.advance(10 * minute);
    const seconds = clock.now() / 1000;
    for (const auth_time of [seconds - 61, seconds + 61]) {
      provider.signing = { claims: { auth_time } };
      expect((await signInAgain(browser)).headers.get("location")).toBe(unconfirmed);
    }
    provider.signing = { claims: { auth_time: seconds - 60 } };
    expect((await signInAgain(browser)).headers.get("location")).toBe(origin + adding);
  });

  it("refuses another person, who gets no account by it", async () => {
    const browser = await signIn();
    clock.advance(10 * minute);
    const eve = { sub: crypto.randomUUID() };
    const before = browser.cookies.get("session");
    const answer = await signInAgain(browser, undefined, eve);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("somebody else")]);
    expect([browser.cookies.get("session"), await userIdOf(eve)]).toEqual([before, ""]);
  });

  it("counts in the session that asked alone, not in another one of the person", async () => {
    const browser = await signIn();
    const other = await signIn();
    clock.advance(10 * minute);
    const location = await browser.follow(`${again}/provider?return=${adding}`);
    browser.cookies.set("session", other.cookies.get("session") ?? "");
    const answer = await browser.open(pathOf(provider.agree(location, ada)));
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([400, null]);
    expect(await statusOf(other)).toBe(403);
  });

  it("stays in the chosen workspace", async () => {
    const browser = await signIn();
    const create = (name: string) => browser.submit("/dashboard/workspaces/new", { name });
    await create("First");
    const other = await signIn();
    await create("Second");
    clock.advance(10 * minute);
    await signInAgain(browser);
    expect(await pageAt(browser, "/dashboard/settings")).toContain('value="Second"');
    expect(await pageAt(other, "/dashboard/settings")).toContain('value="First"');
  });

  it("can be a token's, whose auth_time is as recent", async () => {
    const browser = await signIn();
    const seconds = clock.now() / 1000;
    const [id = ""] = /(?<=settings\/sessions\/)[0-9a-f-]{36}/.exec(
      await pageAt(await signIn(), "/dashboard/settings/sessions"),
    ) ?? [""];
    const end = async (claims: object) => {
      const authorization = `Bearer ${await provider.token(ada, { claims: { ...claims } })}`;
      const answer = await service.fetch(`/api/v1/developer/sessions/${id}`, {
        method: "DELETE",
        headers: { authorization },
      });
      return answer.status;
    };
    expect(await end({})).toBe(403);
    expect(await end({ auth_time: seconds - 600 })).toBe(403);
    expect(await statusOf(browser, "/dashboard")).toBe(200);
    expect(await end({ auth_time: seconds - 599 })).toBe(200);
    expect(await statusOf(browser, "/dashboard")).toBe(302);
  });
});

describe("where the provider doesn't say when", () => {
  beforeEach(() => {
    provider.saysAuthTime = "never";
  });

  it("a passkey of the person counts, and no other", async () => {
    const browser = await signIn();
    await env.DB.prepare("UPDATE sessions SET authenticated_at = ? WHERE user_id = ?")
      .bind(clock.now(), await userIdOf(ada))
      .run();
    const device = await addPasskey(browser);
    const eve = await service.session();
    const hers = new Browser(service);
    hers.cookies.set("session", eve.cookie.replace("session=", ""));
    const other = await addPasskey(hers);
    clock.advance(10 * minute);
    expect((await signInAgain(browser)).headers.get("location")).toBe(unconfirmed);
    const page = await pageAt(browser, pathOf(new URL(unconfirmed)));
    expect(page).toContain("Use a passkey instead.");
    expect((await signInAgainWith(other, browser)).status).toBe(403);
    expect(await statusOf(browser)).toBe(403);
    const answer = await signInAgainWith(device, browser);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + adding]);
    expect(await statusOf(browser)).toBe(200);
  });

  it("a link of the operator counts, only in the person's own session, and once", async () => {
    const browser = await signIn();
    const eve = await signIn({ sub: crypto.randomUUID() });
    const stranger = new Browser(service);
    expect((await signInAgain(browser)).headers.get("location")).toBe(unconfirmed);
    expect(await pageAt(browser, pathOf(new URL(unconfirmed)))).toContain("confirmation link");
    const path = await link("confirmation", await userIdOf(ada));

    expect(await (await stranger.open(path)).text()).toContain("Sign in first");
    expect(await (await stranger.submit(path, {})).text()).toContain("Sign in first");
    expect([await statusOf(eve, path), (await eve.submit(path, {})).status]).toEqual([404, 404]);
    expect(await statusOf(eve)).toBe(403);
    // It opens no account, as a recovery link does.
    expect(await statusOf(stranger, path.replace("sign-in/again", "links"))).toBe(404);
    const recovery = await link("recovery", await userIdOf(ada));
    expect(await statusOf(browser, recovery.replace("links", "sign-in/again"))).toBe(404);

    expect(await statusOf(browser, path)).toBe(200);
    expect(await statusOf(browser)).toBe(403);
    const copy = browser.cookies.get("session") ?? "";
    expect((await browser.submit(path, {})).status).toBe(303);
    expect(await statusOf(browser)).toBe(200);
    stranger.cookies.set("session", copy);
    expect(await statusOf(stranger)).toBe(302);
    expect((await browser.submit(path, {})).status).toBe(404);

    const late = await link("confirmation", await userIdOf(ada));
    clock.advance(60 * minute);
    expect((await browser.submit(late, {})).status).toBe(404);
  });

  it("a link counts without passkeys, too", async () => {
    service = new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: false } });
    const browser = await signIn();
    const path = await link("confirmation", await userIdOf(ada));
    expect((await browser.submit(path, {})).status).toBe(303);
    const deletion = "/dashboard/settings/account/delete";
    expect([await statusOf(browser, deletion), await statusOf(await signIn(), deletion)]).toEqual([200, 403]);
  });
});

describe("a session that isn't recent", () => {
  /** Everything that needs a recent sign-in, by method and path, with a body. `:other` is another member. */
  const refused: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", "/dashboard/settings/passkeys/new"],
    ["GET", "/dashboard/settings/passkeys/:passkey/remove"],
    ["POST", "/dashboard/settings/passkeys/:passkey/remove"],
    ["POST", "/dashboard/settings/sessions/:session/end"],
    ["DELETE", "/api/v1/developer/sessions/:session"],
    ["POST", "/dashboard/sign-out-everywhere"],
    ["GET", "/dashboard/settings/account/delete"],
    ["POST", "/dashboard/settings/account/delete", { email: "Ada", codes: "stop" }],
    ["POST", "/api/v1/developer/account/deletion", { email: "Ada", codes: "stop" }],
    ["GET", "/dashboard/settings/delete"],
    ["POST", "/dashboard/settings/delete", { name: "Ada's workspace", codes: "stop" }],
    ["POST", "/api/v1/developer/workspace/deletion", { name: "Ada's workspace", codes: "stop" }],
    ["GET", "/dashboard/settings/members/:other/transfer"],
    ["POST", "/dashboard/settings/members/:other/transfer"],
    ["POST", "/api/v1/developer/members/:other/transfer"],
    ["POST", "/dashboard/settings/members/:other/role", { role: "owner" }],
    ["PATCH", "/api/v1/developer/members/:other", { role: "owner" }],
    ["POST", "/dashboard/settings/members/invite", { role: "owner", email: "" }],
    ["POST", "/api/v1/developer/invitations", { role: "owner" }],
  ];

  it("changes nothing that gives others access or can't be undone, in the dashboard and the API", async () => {
    const browser = await signIn();
    await addPasskey(browser);
    const form = await newPasskey(browser);
    const userId = await userIdOf(ada);
    const owned = await env.DB.prepare("SELECT workspace_id AS id FROM members WHERE user_id = ?")
      .bind(userId)
      .first<{ id: string }>();
    const other = await service.sessionIn(owned?.id ?? "", "editor");
    await signIn();
    const idIn = async (path: string, before: string) =>
      new RegExp(`${before}/([0-9a-f-]{36})/`).exec(await pageAt(browser, path))?.[1] ?? "";
    const ids: Readonly<Record<string, string>> = {
      ":passkey": await idIn("/dashboard/settings/passkeys", "passkeys"),
      ":session": await idIn("/dashboard/settings/sessions", "sessions"),
      ":other": other.userId,
    };
    const state = async () => {
      const of = (sql: string) => env.DB.prepare(sql).bind(userId).all();
      const tables = await Promise.all([
        of("SELECT id FROM passkeys WHERE user_id = ?"),
        of("SELECT id, authenticated_at FROM sessions WHERE user_id = ?"),
        of(`SELECT m.*, w.deletion FROM members own JOIN members m ON m.workspace_id = own.workspace_id
          JOIN workspaces w ON w.id = m.workspace_id WHERE own.user_id = ? ORDER BY m.user_id`),
        of("SELECT id FROM invitations WHERE invited_by = ?"),
      ]);
      return tables.map(({ results }) => results);
    };
    clock.advance(10 * minute);
    const before = await state();
    const headers = { cookie: browser.cookie, origin };
    for (const [method, path, body] of [...refused, ["POST", form.path, form.fields] as const]) {
      const isApi = path.startsWith("/api");
      const address = path.replace(/:\w+/, (name) => ids[name] ?? "");
      const answer = await service.fetch(address, {
        method,
        headers: { ...headers, ...(isApi ? { "content-type": "application/json" } : {}) },
        ...(body === undefined
          ? {}
          : { body: isApi ? JSON.stringify(body) : new URLSearchParams({ ...body }) }),
      });
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        403,
        expect.stringContaining(`${origin}${again}`),
      ]);
    }
    expect(await state()).toEqual(before);

    // The present session may end, and roles below owner may change.
    expect(
      (await browser.submit(`/dashboard/settings/members/${other.userId}/role`, { role: "admin" })).status,
    ).toBe(303);
    expect((await browser.submit("/dashboard/sign-out", {})).status).toBe(303);
  });
});

describe("a passkey that was added", () => {
  const news = "was added to your account";

  it("has a notice in every session, until that one acknowledges it or seven days have passed", async () => {
    const browser = await signIn();
    const phone = await signIn();
    clock.advance(1);
    await addPasskey(browser, "Stranger's phone");
    for (const one of [browser, phone, await signIn()]) {
      const page = await pageAt(one, "/dashboard/settings/account");
      expect(page).toMatch(/“Stranger&#39;s phone” was added to your account/);
    }
    await browser.submit("/dashboard/settings/passkeys/seen", {});
    expect(await pageAt(browser, "/dashboard/settings/account")).not.toContain(news);
    expect(await pageAt(phone, "/dashboard/settings/account")).toContain(news);
    clock.advance(7 * 24 * 60 * minute - 1);
    expect(await pageAt(await signIn(), "/dashboard/settings/account")).toContain(news);
    clock.advance(1);
    expect(await pageAt(await signIn(), "/dashboard/settings/account")).not.toContain(news);
  });

  it("can be removed while signing out everywhere, unless it is the only way to sign in", async () => {
    const browser = await signIn();
    await addPasskey(browser, "Mine");
    await addPasskey(browser, "Stranger's");
    const idsIn = async () => {
      const page = await pageAt(browser, "/dashboard/settings/sessions");
      return [...page.matchAll(/name="passkey" value="([^"]+)"/g)].map(([, id = ""]) => id);
    };
    const userId = await userIdOf(ada);
    const passkeys = async () => {
      const { results } = await env.DB.prepare("SELECT name FROM passkeys WHERE user_id = ?")
        .bind(userId)
        .all<{ name: string }>();
      return results.map(({ name }) => name);
    };
    const everywhere = "/dashboard/sign-out-everywhere";
    const body = new URLSearchParams((await idsIn()).map((id) => ["passkey", id]));
    await env.DB.prepare("UPDATE users SET issuer = 'passkey' WHERE id = ?").bind(userId).run();
    const all = await browser.send("POST", everywhere, { origin }, body);
    expect([all.status, await all.text()]).toEqual([409, expect.stringContaining("Keep at least one")]);
    expect([await statusOf(browser, "/dashboard"), await passkeys()]).toEqual([200, ["Mine", "Stranger's"]]);
    const [, stranger = ""] = await idsIn();
    const answer = await browser.submit(everywhere, { passkey: stranger });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}/dashboard/signed-out`]);
    expect(await passkeys()).toEqual(["Mine"]);
  });
});
