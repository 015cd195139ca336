import { expect, it } from "vitest";
import type { Keyring } from "../../../src/lib/crypto/keyring.ts";
import { Browser } from "../../support/browser.ts";
import { signedInOperator } from "../../support/operator-pages.ts";
import { FakeClock, Service } from "../../support/service.ts";
import { keyring } from "../../support/settings.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const { operatorSecret } = service;
const { appOrigin } = service.deps.settings;
const page = "/operator/workspaces";

const statusOf = async (browser: Browser, path = page) => (await browser.open(path)).status;

it("exchanges the secret for a session that only its browser has, for an hour", async () => {
  const browser = new Browser(service);
  const signIn = `${appOrigin}/operator/sign-in?return=%2Foperator%2Fworkspaces%3Fq%3Dx`;
  expect(await browser.follow(`${page}?q=x`)).toBe(signIn);
  expect(await statusOf(browser, "/operator/sign-in")).toBe(200);
  const answer = await browser.submit(signIn.slice(appOrigin.length), { secret: operatorSecret });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${appOrigin}${page}?q=x`]);
  expect(browser.setCookies).toEqual([
    expect.stringMatching(/^operator=\w{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Strict$/),
  ]);
  expect(browser.cookies.get("operator")).not.toContain(operatorSecret);
  expect(await statusOf(browser)).toBe(200);
  clock.advance(60 * 60_000 - 1);
  expect(await statusOf(browser)).toBe(200);
  clock.advance(1);
  expect(await statusOf(browser)).toBe(303);
});

it.each(["", "wrong", `${operatorSecret}x`, operatorSecret.slice(1)])(
  "refuses the secret %j",
  async (secret) => {
    const browser = new Browser(service);
    const answer = await browser.submit("/operator/sign-in", { secret });
    expect([answer.status, browser.cookies.size]).toEqual([401, 0]);
    const text = await answer.text();
    expect(text).toContain("This isn&#39;t the operator&#39;s secret.");
    expect(secret === "" || !text.includes(secret)).toBe(true);
  },
);

it("limits the attempts of a network, with the right secret too", async () => {
  const keys: string[] = [];
  const signInLimit = {
    limit: async ({ key }: { key: string }) => {
      if (key.endsWith("/64")) keys.push(key);
      return { success: keys.length <= 2 };
    },
  };
  const own = new Service({ signInLimit });
  const attempt = async (secret: string) =>
    (
      await new Browser(own).send(
        "POST",
        "/operator/sign-in",
        { origin: appOrigin, "cf-connecting-ip": "2001:db8::1" },
        new URLSearchParams({ secret }),
      )
    ).status;
  expect([await attempt("a"), await attempt("b"), await attempt(operatorSecret)]).toEqual([401, 401, 429]);
  expect(new Set(keys)).toEqual(new Set(["operator 2001:db8:0:0::/64"]));
});

it("ends the session when the operator signs out, wherever its cookie was copied to", async () => {
  const browser = await signedInOperator(service);
  const copy = new Browser(service);
  copy.cookies.set("operator", browser.cookies.get("operator") ?? "");
  expect(await statusOf(copy)).toBe(200);
  const answer = await browser.submit("/operator/sign-out", {});
  expect(answer.headers.get("location")).toBe(`${appOrigin}/operator/sign-in`);
  expect([browser.cookies.size, await statusOf(copy)]).toEqual([0, 303]);
});

it("ends every session when its secret is removed, not before", async () => {
  const browser = await signedInOperator(service);
  const next = "another-secret-of-32-characters-or-more";
  const statusWith = (operatorSecrets: Keyring) => {
    const copy = new Browser(new Service({ now: clock.now, settings: { operatorSecrets } }));
    copy.cookies.set("operator", browser.cookies.get("operator") ?? "");
    return statusOf(copy);
  };
  expect(await statusWith(keyring(next, operatorSecret))).toBe(200);
  expect(await statusWith(keyring(next))).toBe(303);
});

it("is closed to members, and without a secret to everyone", async () => {
  const { cookie } = await service.session();
  const member = new Browser(service);
  member.cookies.set("session", cookie.replace("session=", ""));
  expect(await statusOf(member)).toBe(303);
  const closed = new Service({ settings: { operatorSecrets: [] } });
  const browser = new Browser(closed);
  for (const secret of ["", "none", operatorSecret]) {
    expect((await browser.submit("/operator/sign-in", { secret })).status).toBe(401);
  }
  browser.cookies.set("operator", "");
  expect(await statusOf(browser)).toBe(303);
});

it("refuses forms of other origins, and returns only to its own pages", async () => {
  const browser = await signedInOperator(service);
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await browser.send("POST", "/operator/sign-out", { origin });
    expect(answer.status).toBe(403);
  }
  expect(await statusOf(browser)).toBe(200);
  for (const place of [
    "https://evil.example/",
    "//evil.example",
    "/dashboard",
    "/operator/sign-in",
    "/operatorx",
  ]) {
    const answer = await browser.submit(`/operator/sign-in?${new URLSearchParams({ return: place })}`, {
      secret: operatorSecret,
    });
    expect(answer.headers.get("location")).toBe(`${appOrigin}/operator`);
  }
});

it("lets a link of another site in by loading the page again, with its cookie", async () => {
  const stranger = new Browser(service);
  const answer = await stranger.send("GET", page, { "sec-fetch-site": "cross-site" });
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain('<meta http-equiv="refresh" content="0"');
  expect(text).toContain(`<a href="${page}">`);
});
