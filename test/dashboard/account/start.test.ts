import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Authenticator, passkeyRequestOf } from "../../support/authenticator.ts";
import { Browser, pathOf } from "../../support/browser.ts";
import { pageAt } from "../../support/dashboard.ts";
import { FakeProvider } from "../../support/provider.ts";
import { watched } from "../../support/runner/log-watch.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { noProvider } from "../../support/settings.ts";

const minute = 60_000;
const start = "/dashboard/start";
const typed = "your-cafe.example/menu?table=4&lang=ü";
const startWith = (address: string, look: object = {}) =>
  `${start}?${new URLSearchParams({ address, ...look })}`;
const formWith = (address: string, look: object = {}) =>
  `${origin}/dashboard/codes/new?${new URLSearchParams({ "data.url": address, ...look })}`;

let clock: FakeClock;
let provider: FakeProvider;
let service: Service;
let browser: Browser;
beforeEach(async () => {
  clock = new FakeClock();
  provider = await FakeProvider.start(clock.now);
  service = new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: false } });
  browser = new Browser(service);
});

/** The address of the sign-in to which a page goes on. */
async function nextOf(answer: Response): Promise<string> {
  const page = await answer.text();
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1] ?? page;
  expect(page).toContain(`<a class="button primary" href="${address}">`);
  return address.replace(origin, "");
}

/** Signs in at the provider, as the page asks to. @returns where that leads */
async function signInAt(path: string, name = "Ada"): Promise<string> {
  const location = await browser.follow(path);
  return browser.follow(pathOf(provider.agree(location, { sub: crypto.randomUUID(), name })));
}

async function signIn(): Promise<void> {
  await signInAt("/dashboard/sign-in");
}

describe("an address typed on the welcome page", () => {
  it("is in the form at once for someone who is signed in, and creates nothing", async () => {
    const settings = { passkeys: false, defaultPlan: "business" } as const;
    service = new Service({ now: clock.now, fetch: provider.fetch, settings });
    browser = new Browser(service);
    await signIn();
    expect(await browser.follow(startWith(` ${typed} `))).toBe(formWith(typed));
    expect(await browser.follow(start)).toBe(`${origin}/dashboard/codes/new`);
    const page = await pageAt(browser, formWith(typed).replace(origin, ""));
    expect(page).toContain("your-cafe.example/menu?table=4&amp;lang=ü");
    expect(await pageAt(browser, formWith(typed, { look: "ocean" }).replace(origin, ""))).toContain(
      "#0e7490",
    );
    expect(await pageAt(browser, "/dashboard/codes")).not.toContain("your-cafe.example");
  });

  it("goes through the provider into the form of a person's first workspace, sealed", async () => {
    const answer = await browser.open(startWith(typed));
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const [cookie = ""] = browser.setCookies;
    expect(cookie).toMatch(/^start=[\w.-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/);
    const next = await nextOf(answer);
    expect(next).toBe(`/dashboard/sign-in?return=${start}`);
    const location = await browser.follow(next);
    expect(location).not.toContain("cafe");
    const back = provider.agree(location, { sub: crypto.randomUUID(), name: "Ada" });
    expect(await browser.follow(pathOf(back))).toBe(origin + start);
    expect(await browser.follow(start)).toBe(formWith(typed));
    expect(browser.cookies.has("start")).toBe(false);
  });

  it("goes through joining with a passkey into the form", async () => {
    service = new Service({
      now: clock.now,
      settings: { passkeys: true, provider: noProvider, signUp: "open", defaultPlan: "" },
    });
    browser = new Browser(service);
    const look = { look: "ocean" };
    const signInPage = await pageAt(browser, await nextOf(await browser.open(startWith(typed, look))));
    const signUp = /href="(\/dashboard\/sign-up[^"]+)"/.exec(signInPage)?.[1] ?? "";
    const signUpPage = await pageAt(browser, signUp);
    for (const page of [signInPage, signUpPage]) {
      expect(page).toMatch(
        /to keep the code for <strong [^>]+>your-cafe\.example\/menu\?table=4&amp;lang=ü</,
      );
      expect(decodeURIComponent(/src="data:image\/svg\+xml,([^"]+)/.exec(page)?.[1] ?? "")).toContain(
        "#0e7490",
      );
    }
    const request = passkeyRequestOf(signUpPage);
    const device = new Authenticator(origin);
    const fields = {
      credential: await device.create(request),
      ...{ sealed: request.sealed ?? "", person: "Ada", workspace: "Your café" },
    };
    const joined = await browser.submit(signUp, fields);
    expect([joined.status, joined.headers.get("location")]).toEqual([303, origin + start]);
    expect(browser.cookies.get("passkey")).toBe("yes");
    expect(await browser.follow(start)).toBe(formWith(typed, look));
    const form = await pageAt(browser, formWith(typed, look).replace(origin, ""));
    // Its plan has the colour of the look, and not its gradient.
    expect([form.includes("#0c4a6e"), form.includes("#0e7490")]).toEqual([true, false]);
    // The next time, with the same passkey.
    const again = new Browser(service);
    const path = await nextOf(await again.open(startWith("example.com")));
    const credential = await device.sign(passkeyRequestOf(await pageAt(again, path)));
    expect((await again.submit(path, { credential })).headers.get("location")).toBe(origin + start);
    expect(await again.follow(start)).toBe(formWith("example.com"));
  });

  it("is kept while a person without a workspace creates one", async () => {
    service = new Service({ now: clock.now, settings: { signUp: "open", defaultPlan: "" } });
    const { cookie, workspaceId } = await service.session();
    browser = new Browser(service);
    browser.cookies.set("session", cookie.replace("session=", ""));
    await env.DB.prepare("DELETE FROM members WHERE workspace_id = ?").bind(workspaceId).run();
    const form = await browser.follow(startWith(typed));
    const page = await pageAt(browser, form.replace(origin, ""), 403);
    const action = /action="(\/dashboard\/first-workspace[^"]*)"/.exec(page)?.[1] ?? "";
    const refused = await (await browser.submit(action, { name: "" })).text();
    expect(refused).toContain(action);
    const created = await browser.submit(action, { name: "Your café" });
    expect([created.status, created.headers.get("location")]).toEqual([303, form]);
  });

  it("is forgotten after an hour, or if its state isn't from this service", async () => {
    await browser.open(startWith(typed));
    const sealed = browser.cookies.get("start") ?? "";
    watched(sealed, "start");
    await signIn();
    const otherPurpose = browser.cookies.get("session") ?? "";
    for (const state of ["", "x", `${sealed.slice(0, -2)}AA`, otherPurpose]) {
      browser.cookies.set("start", state);
      expect({ state, to: await browser.follow(start) }).toEqual({
        state,
        to: `${origin}/dashboard/codes/new`,
      });
    }
    browser.cookies.set("start", sealed);
    clock.advance(60 * minute);
    expect(await browser.follow(start)).toBe(`${origin}/dashboard/codes/new`);
  });

  it("can be as long as a destination, and no longer", async () => {
    const longest = `example.com/${"x".repeat(2036)}`;
    await browser.open(startWith(longest));
    expect(browser.setCookies.join("").length).toBeLessThan(4096);
    expect(await signInAt(`/dashboard/sign-in?return=${start}`)).toBe(origin + start);
    expect(await browser.follow(start)).toBe(formWith(longest));
    for (const address of [`${longest}x`, "é".repeat(1025), "x".repeat(12_000)]) {
      const answer = await browser.open(startWith(address));
      expect([answer.status, browser.setCookies]).toEqual([400, []]);
      expect(await answer.text()).toContain("A destination can have at most 2048 characters.");
    }
  });

  it("is shown on the way only if it is an address, and has only a look that exists", async () => {
    service = new Service({ now: clock.now, fetch: provider.fetch, settings: { passkeys: true } });
    browser = new Browser(service);
    for (const [address, shown] of [
      ["example.com", "example.com</strong>"],
      [`example.com/${"x".repeat(200)}`, "…</strong>"],
      ["Your account is locked", null],
      ["tel:+15550100", null],
      [`example.com/${"x".repeat(400)}`, null],
      ["", null],
    ] as const) {
      browser = new Browser(service);
      const page = await pageAt(
        browser,
        await nextOf(await browser.open(startWith(address, { look: "none" }))),
      );
      expect({ address, shown: page.includes(shown ?? "to keep the code") }).toEqual({
        address,
        shown: shown !== null,
      });
    }
    const elsewhere = await pageAt(browser, "/dashboard/sign-in?return=/dashboard/codes");
    expect(elsewhere).not.toContain("to keep the code");
    await signInAt("/dashboard/sign-in/provider");
    expect(await browser.follow(startWith("example.com", { look: "none" }))).toBe(formWith("example.com"));
  });

  it("neither leads elsewhere nor adds headers, whatever it is", async () => {
    await signIn();
    for (const address of [
      "//evil.example",
      "https://evil.example/",
      "/\\evil.example",
      "javascript:alert(1)",
      "a\r\nSet-Cookie: session=x",
      "x&data.url=y#z",
      "\u0000",
    ]) {
      const answer = await browser.open(startWith(address));
      expect(answer.headers.get("location")).toBe(formWith(address));
      expect(browser.setCookies).toEqual([expect.stringMatching(/^start=; Max-Age=0/)]);
    }
    const page = await pageAt(browser, formWith('"><script>alert(1)</script>').replace(origin, ""));
    expect(page).not.toContain("<script>alert");
  });

  it("isn't kept where nobody can sign in", async () => {
    browser = new Browser(new Service({ settings: { passkeys: false, provider: noProvider } }));
    expect((await browser.open(startWith(typed))).status).toBe(200);
    expect(browser.setCookies).toEqual([]);
  });
});
