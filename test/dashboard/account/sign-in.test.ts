import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import type { Keyring } from "../../../src/lib/crypto/keyring.ts";
import { Browser, pathOf } from "../../support/browser.ts";
import { FakeProvider, type ProviderUser } from "../../support/provider.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { keyring } from "../../support/settings.ts";

const minute = 60_000;
let clock: FakeClock;
let provider: FakeProvider;
let service: Service;
let ada: ProviderUser;

beforeEach(async () => {
  clock = new FakeClock();
  provider = await FakeProvider.start(clock.now);
  service = new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: false } });
  ada = { sub: crypto.randomUUID(), name: "Ada Lovelace", email: "ada@example.com" };
});

async function signIn(user: ProviderUser, browser = new Browser(service)) {
  const location = await browser.follow("/dashboard/sign-in");
  const answer = await browser.open(pathOf(provider.agree(location, user)));
  return { browser, answer };
}

const workspaceOf = async (browser: Browser) => {
  const answer = await browser.open("/api/v1/developer/workspace");
  return { status: answer.status, body: answer.status === 200 ? Workspace.parse(await answer.json()) : null };
};

const text = async (answer: Response) => ({ status: answer.status, page: await answer.text() });

describe("signing in", () => {
  it("redirects to the provider and back, into a new workspace on the free plan", async () => {
    const browser = new Browser(service);
    expect(await browser.follow("/dashboard")).toBe(`${origin}/dashboard/sign-in?return=/dashboard`);

    const location = new URL(await browser.follow("/dashboard/sign-in?return=/dashboard"));
    expect(location.origin).toBe(provider.issuer);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      client_id: env.OIDC_CLIENT_ID,
      redirect_uri: `${origin}/dashboard/callback`,
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid profile email",
      state: expect.stringMatching(/^.{20,}$/),
      nonce: expect.stringMatching(/^.{20,}$/),
    });

    expect(await browser.follow(pathOf(provider.agree(location.href, ada)))).toBe(`${origin}/dashboard`);
    const { status, page } = await text(await browser.open("/dashboard/settings/account"));
    expect(status).toBe(200);
    for (const shown of ["Ada Lovelace", "ada@example.com", "Ada Lovelace&#39;s workspace", "Free"]) {
      expect(page).toContain(shown);
    }
    const { body } = await workspaceOf(browser);
    expect(body).toMatchObject({ name: "Ada Lovelace's workspace", plan: "free" });
  });

  it("finds the same workspace again, and another one for another user", async () => {
    const first = await workspaceOf((await signIn(ada)).browser);
    const again = await workspaceOf((await signIn({ ...ada, name: "Ada\r\n\0King" })).browser);
    const other = await workspaceOf((await signIn({ sub: crypto.randomUUID() })).browser);
    expect(again.body?.id).toBe(first.body?.id);
    expect(other.body?.id).not.toBe(first.body?.id);
    expect(other.body?.name).toBe("My workspace");
    const row = await env.DB.prepare("SELECT name, email FROM users WHERE subject = ?").bind(ada.sub).first();
    expect(row).toEqual({ name: "Ada King", email: "ada@example.com" });
  });

  it("works before and after the provider knows a new client secret, until the previous one is removed", async () => {
    const settingsWith = (clientSecrets: Keyring) => ({
      passkeys: false,
      provider: { ...service.deps.settings.provider, clientSecrets },
    });
    const clientWith = (clientSecrets: Keyring) =>
      new Service({ now: clock.now, fetch: provider.fetch, settings: settingsWith(clientSecrets) });
    const status = async (other: Service) => (await signIn(ada, new Browser(other))).answer.status;
    const rotating = clientWith(keyring("the next client secret", env.OIDC_CLIENT_SECRET));
    const rotated = clientWith([{ id: 2, secret: "the next client secret" }]);
    expect([await status(rotating), await status(rotated)]).toEqual([302, 502]);
    provider.clientSecret = "the next client secret";
    expect([await status(rotating), await status(rotated)]).toEqual([302, 302]);
  });

  it("uses the injected clock", async () => {
    clock.advance(100 * 24 * 60 * minute);
    expect((await workspaceOf((await signIn(ada)).browser)).status).toBe(200);
  });

  it("creates one user and one workspace for simultaneous first sign-ins", async () => {
    const services = [
      service,
      new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: false } }),
    ];
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => signIn(ada, new Browser(services[i % 2] ?? service))),
    );
    expect(answers.map(({ answer }) => answer.status)).toEqual(Array(6).fill(302));
    const after = await count();
    expect(after).toEqual({
      users: before.users + 1,
      members: before.members + 1,
      workspaces: before.workspaces + 1,
    });
    const ids = await Promise.all(answers.map(async ({ browser }) => (await workspaceOf(browser)).body?.id));
    expect(new Set(ids).size).toBe(1);
  });

  it("sets a cookie that is not sent to scripts, other sites or over plain http", async () => {
    const { browser } = await signIn(ada);
    const line = browser.setCookies.find((text) => text.startsWith("session="));
    expect(line).toMatch(/; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(line).not.toContain(ada.sub);

    const secure = new Service({
      now: clock.now,
      fetch: provider.fetch,
      settings: { scanOrigin: "https://qr.example", passkeys: false },
    });
    const { browser: other, answer } = await signIn(ada, new Browser(secure));
    expect(answer.headers.get("location")).toBe("https://qr.example/dashboard");
    expect(other.setCookies.find((text) => text.startsWith("__Host-session="))).toMatch(
      /; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it.each([
    ["/dashboard", "/dashboard"],
    ["/dashboard/?a=b", "/dashboard/?a=b"],
    ["https://evil.example/dashboard/keys", "/dashboard"],
    ["//evil.example/dashboard", "/dashboard"],
    ["/\\evil.example/dashboard", "/dashboard"],
    ["/dashboard/../0abcdefg", "/dashboard"],
    ["/dashboardless", "/dashboard"],
    ["javascript:alert(1)", "/dashboard"],
    ["http://[", "/dashboard"],
  ])("returns to %s as %s", async (requested, to) => {
    const browser = new Browser(service);
    const location = await browser.follow(`/dashboard/sign-in?return=${encodeURIComponent(requested)}`);
    expect(await browser.follow(pathOf(provider.agree(location, ada)))).toBe(origin + to);
  });
});

describe("a sign-in that fails shows the reason, and a link to try again:", () => {
  async function expectFailure(answer: Response, status: number, words: string) {
    const { page, ...got } = await text(answer);
    expect(got).toEqual({ status });
    expect(page).toContain(words);
    expect(page).toContain(`href="${origin}/dashboard/sign-in">Try again</a>`);
  }

  /** A browser with a sign-in in progress, and the address the provider redirects it to. */
  async function begun() {
    const browser = new Browser(service);
    const location = await browser.follow("/dashboard/sign-in");
    return { browser, location, back: provider.agree(location, ada) };
  }

  it("another state", async () => {
    const { browser, back } = await begun();
    back.searchParams.set("state", "another");
    await expectFailure(await browser.open(pathOf(back)), 400, "another tab");
    expect(browser.cookies.has("session")).toBe(false);
  });

  it("another browser, or one without a sign-in in progress", async () => {
    const { back } = await begun();
    await expectFailure(await new Browser(service).open(pathOf(back)), 400, "another tab");
    const { browser } = await begun();
    await expectFailure(await browser.open(pathOf(back)), 400, "another tab");
    await expectFailure(await browser.open("/dashboard/callback"), 400, "another tab");
  });

  it("an expired sign-in cookie, or a session in its place", async () => {
    const { browser, back } = await begun();
    clock.advance(15 * minute + 1000);
    await expectFailure(await browser.open(pathOf(back)), 400, "too long");
    const signedIn = (await signIn(ada)).browser;
    const late = await begun();
    late.browser.cookies.set("sign-in", signedIn.cookies.get("session") ?? "");
    await expectFailure(await late.browser.open(pathOf(late.back)), 400, "another tab");
  });

  it("a code that was used before", async () => {
    const { browser, back } = await begun();
    const state = browser.cookies.get("sign-in") ?? "";
    expect((await browser.open(pathOf(back))).status).toBe(302);
    const thief = new Browser(service);
    thief.cookies.set("sign-in", state);
    await expectFailure(await thief.open(pathOf(back)), 400, "was already used");
  });

  it("a user who declines", async () => {
    const { browser, location } = await begun();
    await expectFailure(await browser.open(pathOf(provider.decline(location))), 403, "declined");
  });

  it.each(["/.well-known/openid-configuration", "/token", "/jwks"])("a provider without %s", async (path) => {
    const browser = new Browser(service);
    if (path.startsWith("/.well-known")) {
      provider.unreachablePaths = new Set([path]);
      await expectFailure(await browser.open("/dashboard/sign-in"), 503, "isn&#39;t responding");
      const asked = provider.fetched.length;
      await expectFailure(await browser.open("/dashboard/sign-in"), 503, "isn&#39;t responding");
      expect(provider.fetched).toHaveLength(asked);
    } else {
      const { back, browser: waiting } = await begun();
      provider.unreachablePaths = new Set([path]);
      await expectFailure(await waiting.open(pathOf(back)), 503, "isn&#39;t responding");
    }
    provider.unreachablePaths = new Set();
    clock.advance(5000);
    expect((await signIn(ada, browser)).answer.status).toBe(302);
  });

  it.each(["/token", "/jwks"])("a provider whose response from %s breaks off", async (path) => {
    const { back, browser } = await begun();
    provider.breakingPaths = new Set([path]);
    await expectFailure(await browser.open(pathOf(back)), 503, "isn&#39;t responding");
  });

  it("an ID token that is not for this sign-in, this service, this provider, or of its key", async () => {
    const stranger = await FakeProvider.start(clock.now);
    await stranger.rotate("first");
    const hour = 3600;
    const now = Math.floor(clock.now() / 1000);
    const wrong = [
      { claims: { nonce: "another" } },
      { claims: { aud: "another" } },
      { claims: { iss: "https://evil.example" } },
      { claims: { exp: now - hour, iat: now - 2 * hour } },
      { claims: { nbf: now + 2 * 60 } },
      { header: { kid: "unknown" } },
      { key: stranger.privateKey },
    ];
    for (const signing of wrong) {
      const { browser, back } = await begun();
      provider.signing = signing;
      await expectFailure(await browser.open(pathOf(back)), 502, "sent an invalid response");
      expect(browser.cookies.has("session")).toBe(false);
    }
  });

  it("no ID token of a provider whose clock differs by a minute", async () => {
    const now = Math.floor(clock.now() / 1000);
    // Far enough from the minute: the time that passes here counts.
    for (const claims of [{ exp: now - 30 }, { nbf: now + 60 }]) {
      provider.signing = { claims };
      expect((await signIn(ada)).answer.status).toBe(302);
    }
  });

  it("no provider at all", async () => {
    const { provider } = service.deps.settings;
    const none = new Service({ settings: { provider: { ...provider, issuer: "" }, passkeys: false } });
    await expectFailure(await new Browser(none).open("/dashboard/sign-in"), 503, "set up on this server yet");
  });
});

async function count() {
  const tables = ["users", "members", "workspaces"];
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`);
  const row = await env.DB.prepare(`SELECT ${counts.join(", ")}`).first<Record<string, number>>();
  return { users: row?.users ?? 0, members: row?.members ?? 0, workspaces: row?.workspaces ?? 0 };
}
