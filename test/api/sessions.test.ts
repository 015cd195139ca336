import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { decryptClaims, encryptClaims } from "../../src/lib/crypto/encryption.ts";
import type { Keyring } from "../../src/lib/crypto/keyring.ts";
import { FakeProvider } from "../support/provider.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";
import { keyring } from "../support/settings.ts";

const hour = 60 * 60_000;
let clock: FakeClock;
let provider: FakeProvider;
let service: Service;
let session: SessionClient;

beforeEach(async () => {
  clock = new FakeClock();
  provider = await FakeProvider.start(clock.now);
  service = new Service({ now: clock.now, fetch: provider.fetch });
  session = await service.session("pro", null);
});

const get = (headers: Record<string, string>) => service.fetch("/api/v1/developer/workspace", { headers });
const status = async (headers: Record<string, string>) => (await get(headers)).status;
const withCookie = (value: string) => status({ cookie: `session=${value}` });
const withToken = (token: string) => status({ authorization: `Bearer ${token}` });

describe("a session cookie", () => {
  const value = () => session.cookie.replace("session=", "");

  it("is valid for twelve hours", async () => {
    expect(await withCookie(value())).toBe(200);
    clock.advance(12 * hour - 1000);
    expect(await withCookie(value())).toBe(200);
    clock.advance(2000);
    expect(await withCookie(value())).toBe(401);
  });

  it("is invalid after any modification", async () => {
    const parts = value().split(".");
    for (const [index, part] of parts.entries()) {
      for (const at of [0, Math.floor(part.length / 2), part.length - 2]) {
        const changed = part.slice(0, at) + (part[at] === "A" ? "B" : "A") + part.slice(at + 1);
        expect(await withCookie(parts.with(index, changed).join("."))).toBe(401);
      }
    }
    for (const other of ["", "x", "....", value().slice(0, -4), `${value()}.x`]) {
      expect(await withCookie(other)).toBe(401);
    }
  });

  it("requires this secret, use, issuer and an existing session", async () => {
    const { sessionSecrets: secret, issuer: iss } = service.deps.settings.provider;
    const now = clock.now();
    const cookie = (own: Keyring, use: string, claims: Record<string, string>) =>
      encryptClaims(own, use, claims, now, now + hour);
    const sid = String((await decryptClaims(secret, "session", value(), now))?.sid);
    expect(await withCookie(await cookie(secret, "session", { sid, iss }))).toBe(200);
    expect(
      await withCookie(
        await cookie(keyring("another secret of 32 characters or more"), "session", { sid, iss }),
      ),
    ).toBe(401);
    expect(await withCookie(await cookie(secret, "sign-in", { sid, iss }))).toBe(401);
    expect(await withCookie(await cookie(secret, "session", { sid, iss: "https://other.example" }))).toBe(
      401,
    );
    expect(await withCookie(await cookie(secret, "session", { sid: crypto.randomUUID(), iss }))).toBe(401);
    expect(await withCookie(await cookie(secret, "session", { iss }))).toBe(401);
  });

  it("signed with the previous secret is valid until it ends, or the secret is removed", async () => {
    const { provider: before } = service.deps.settings;
    const next = { id: 2, secret: "the next secret of 32 characters or more" };
    const rotated = (sessionSecrets: Keyring) =>
      new Service({ now: clock.now, settings: { provider: { ...before, sessionSecrets } } });
    const open = (other: Service) =>
      other
        .fetch("/api/v1/developer/workspace", { headers: { cookie: session.cookie } })
        .then((answer) => answer.status);
    expect(await open(rotated([next, ...before.sessionSecrets]))).toBe(200);
    expect(await open(rotated([next]))).toBe(401);
    clock.advance(12 * hour);
    expect(await open(rotated([next, ...before.sessionSecrets]))).toBe(401);
  });

  it("is ignored beside an Authorization header", async () => {
    const { key } = await service.workspace();
    // The key is for another workspace, and for no endpoint without a scope.
    expect(await status({ cookie: session.cookie, authorization: `Bearer ${key}` })).toBe(403);
    expect(await status({ cookie: session.cookie, authorization: `Bearer ${key}x` })).toBe(401);
    expect(await status({ cookie: session.cookie, authorization: "" })).toBe(401);
  });

  it("needs no request to the provider", async () => {
    expect(await withCookie(value())).toBe(200);
    expect(provider.fetched).toEqual([]);
  });
});

describe("a bearer JWT", () => {
  const several = ["https://other.example", env.OIDC_CLIENT_ID];
  const ada = () => ({ sub: crypto.randomUUID(), name: "Ada" });

  it("creates a new subject's user and workspace once", async () => {
    const token = await provider.token(ada());
    const services = Array.from({ length: 4 }, () => new Service({ now: clock.now, fetch: provider.fetch }));
    const answers = await Promise.all(
      services.map((one) =>
        one.fetch("/api/v1/developer/workspace", { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    const seen = await Promise.all(answers.map(async (answer) => Workspace.parse(await answer.json())));
    expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
    expect(seen[0]).toMatchObject({ name: "Ada's workspace", plan: "free" });
  });

  it("needs no Origin for changes, since browsers never send it by themselves", async () => {
    const answer = await service.fetch("/api/v1/developer/keys", {
      method: "POST",
      headers: { authorization: `Bearer ${await provider.token(ada())}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "By token", type: "secret" }),
    });
    expect(answer.status).toBe(201);
  });

  it("may be an access token", async () => {
    expect(await withToken(await provider.token(ada(), { header: { typ: "at+jwt" } }))).toBe(200);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ["one audience", { aud: [env.OIDC_CLIENT_ID] }, 200],
    ["one audience, issued to this client", { azp: env.OIDC_CLIENT_ID }, 200],
    ["one audience, issued to another client", { azp: "another" }, 401],
    ["several audiences, issued to this client", { aud: several, azp: env.OIDC_CLIENT_ID }, 200],
    ["several audiences, issued to another client", { aud: several, azp: several[0] }, 401],
    ["several audiences, issued to an unnamed client", { aud: several }, 401],
    ["an authorized party that is a list", { aud: several, azp: [env.OIDC_CLIENT_ID] }, 401],
    ["an authorized party that is null", { azp: null }, 401],
  ])("with %s: %j is answered %i", async (_, claims, expected) => {
    expect(await withToken(await provider.token(ada(), { claims }))).toBe(expected);
  });

  it("may come from a provider whose clock differs by a minute", async () => {
    const now = Math.floor(clock.now() / 1000);
    for (const claims of [{ exp: now - 58 }, { nbf: now + 60 }, { iat: now + 60 }]) {
      expect([claims, await withToken(await provider.token(ada(), { claims }))]).toEqual([claims, 200]);
    }
  });

  it("is refused for a wrong issuer, audience, time, type, key or algorithm", async () => {
    const now = Math.floor(clock.now() / 1000);
    const stranger = await FakeProvider.start(clock.now);
    await stranger.rotate("first");
    const user = ada();
    const wrong = [
      { claims: { iss: "https://evil.example" } },
      { claims: { iss: `${provider.issuer}.evil.example` } },
      { claims: { aud: "another" } },
      { claims: { aud: [] } },
      { claims: { exp: now - 61 } },
      { claims: { exp: undefined } },
      { claims: { nbf: now + 61 } },
      { claims: { sub: "" } },
      { claims: { sub: undefined } },
      { header: { typ: "logout+jwt" } },
      { header: { kid: "unknown" } },
      { key: stranger.privateKey },
    ];
    for (const signing of wrong) {
      expect([signing, await withToken(await provider.token(user, signing as object))]).toEqual([
        signing,
        401,
      ]);
    }

    const token = await provider.token(user);
    expect(await withToken(token)).toBe(200);
    const [header = "", payload, signature] = token.split(".");
    const claims = JSON.parse(atob(header)) as object;
    const reheaded = (changes: object) =>
      btoa(JSON.stringify({ ...claims, ...changes }))
        .replaceAll("=", "")
        .replaceAll("+", "-")
        .replaceAll("/", "_");
    expect(await withToken(`${reheaded({ alg: "none" })}.${payload}.`)).toBe(401);
    expect(await withToken(`${reheaded({ alg: "none" })}.${payload}.${signature}`)).toBe(401);
    expect(await withToken(`${reheaded({ alg: "HS256" })}.${payload}.${signature}`)).toBe(401);
    expect(await withToken(`${header}.${payload}.${signature?.slice(0, -8)}AAAAAAAA`)).toBe(401);
  });

  it("is validated by the injected clock", async () => {
    const token = await provider.token(ada());
    clock.advance(hour + 58_000);
    expect(await withToken(token)).toBe(200);
    clock.advance(3000);
    expect(await withToken(token)).toBe(401);
  });

  it("fetches the provider's documents once, not for each request", async () => {
    const token = await provider.token(ada());
    for (let i = 0; i < 5; i += 1) expect(await withToken(token)).toBe(200);
    expect(provider.fetched).toEqual(["/.well-known/openid-configuration", "/jwks"]);
  });

  it("fetches nothing for a token of another audience", async () => {
    await withToken("e30.e30.e30");
    await withToken(await provider.token(ada(), { claims: { aud: "another" } }));
    expect(provider.fetched).toEqual([]);
  });

  it("is refused as an internal error while the provider is unavailable", async () => {
    provider.unreachablePaths = new Set(["/jwks"]);
    const token = await provider.token(ada());
    const answer = await get({ authorization: `Bearer ${token}` });
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 500,
      body: { code: "internal", error: "The identity provider isn't responding. Try again." },
    });
    provider.unreachablePaths = new Set();
    clock.advance(5000);
    expect(await withToken(token)).toBe(200);
  });
});

describe("the plan's cap", () => {
  it("applies to a user, whatever credential they use", async () => {
    const remaining = async (client: SessionClient) => {
      const { headers } = await client.send("GET", "/developer/keys");
      return [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")];
    };
    const other = await service.sessionIn(session.workspaceId);
    expect(await remaining(session)).toEqual(["120", "119"]);
    expect(await remaining(session)).toEqual(["120", "118"]);
    expect(await remaining(other)).toEqual(["120", "119"]);
  });

  it("follows a change of plan within ten seconds", async () => {
    await session.send("GET", "/developer/keys");
    await env.DB.prepare("UPDATE workspaces SET plan = 'business' WHERE id = ?")
      .bind(session.workspaceId)
      .run();
    clock.advance(10_000);
    const { headers } = await session.send("GET", "/developer/keys");
    expect(headers.get("x-ratelimit-limit")).toBe("600");
  });
});

describe("without a usable provider", () => {
  const reasons = [
    [{ issuer: "" }, "OIDC_ISSUER is not set"],
    [{ issuer: "no url" }, "OIDC_ISSUER is not a URL"],
    [{ issuer: "http://id.example" }, "OIDC_ISSUER must begin with https://"],
    [{ clientId: "" }, "OIDC_CLIENT_ID is not set"],
    [{ sessionSecrets: keyring("short") }, "SESSION_SECRET must have at least 32 characters"],
  ] as const;

  it.each(reasons)("%j: no session is valid, and the reason is logged once", async (settings, problem) => {
    const warn = vi.spyOn(console, "warn");
    const none = new Service({
      settings: { provider: { ...service.deps.settings.provider, ...settings }, passkeys: false },
    });
    for (const headers of [
      { cookie: session.cookie },
      { authorization: `Bearer ${await provider.token(ada())}` },
    ]) {
      expect((await none.fetch("/api/v1/developer/keys", { headers })).status).toBe(401);
    }
    const entries = warn.mock.calls.map(
      ([line]) => JSON.parse(String(line)) as { message: string; problem?: string },
    );
    expect(
      entries.filter(({ message }) => message === "sign-in is not configured").map((entry) => entry.problem),
    ).toEqual([problem]);
    warn.mockRestore();
  });
  const ada = () => ({ sub: crypto.randomUUID() });

  it("accepts plain http only when both provider and service are on loopback", async () => {
    const provider = { ...service.deps.settings.provider, issuer: "http://localhost:9" };
    const works = async (scanOrigin: string) => {
      const one = new Service({ settings: { provider, scanOrigin, passkeys: false } });
      const own = await one.session();
      return (await own.send("GET", "/developer/keys")).status;
    };
    expect(await works("http://localhost:8787")).toBe(200);
    expect(await works("http://127.0.0.1:8787")).toBe(200);
    expect(await works("https://qr.example")).toBe(401);
    expect(await works("https://localhost")).toBe(401);
    expect(await works("http://qr.example")).toBe(401);
  });
});
