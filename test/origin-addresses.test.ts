import { beforeAll, describe, expect, it } from "vitest";
import { sessionCookie } from "../src/domain/identity/sessions.ts";
import { Browser, pathOf } from "./support/browser.ts";
import { TestCallers, validBody } from "./support/endpoints.ts";
import { makePage } from "./support/hosted-pages.ts";
import { FakeProvider } from "./support/provider.ts";
import { Service } from "./support/service.ts";

const scanOrigin = "https://qr.example";
const appOrigin = "https://app.example";

let provider: FakeProvider;
let service: Service;
let callers: TestCallers;

beforeAll(async () => {
  provider = await FakeProvider.start();
  service = new Service({
    settings: { scanOrigin, appOrigin, embedDemoKey: "pk_live_demo" },
    fetch: provider.fetch,
  });
  callers = await TestCallers.of(service);
});

describe("signing in", () => {
  it("happens on the app's origin, whose host alone gets the cookies", async () => {
    const browser = new Browser(service);
    const first = await browser.follow("/dashboard");
    expect(first).toBe(`${appOrigin}/dashboard/sign-in?return=/dashboard`);
    const location = new URL(await browser.follow(first.replace("/sign-in?", "/sign-in/provider?")));
    expect(location.searchParams.get("redirect_uri")).toBe(`${appOrigin}/dashboard/callback`);
    const back = provider.agree(location.href, { sub: crypto.randomUUID() });
    expect(back.origin).toBe(appOrigin);
    expect(await browser.follow(pathOf(back))).toBe(`${appOrigin}/dashboard`);
    expect(browser.setCookies).toHaveLength(2);
    for (const line of browser.setCookies) {
      expect(line).toMatch(/^__Host-[\w-]+=/);
      expect(line).toContain("; Secure");
      expect(line).not.toMatch(/domain/i);
    }
    const developer = await browser.open("/dashboard/developer");
    expect([developer.status, await developer.text()]).toEqual([
      200,
      expect.stringContaining(`${appOrigin}/api/v1/docs`),
    ]);
    const signedOut = await browser.send("POST", "/dashboard/sign-out", { origin: appOrigin });
    expect(signedOut.headers.get("location")).toBe(`${appOrigin}/dashboard/signed-out`);
  });

  it.each([
    [`${scanOrigin}/dashboard/keys`, "/dashboard"],
    [`${appOrigin}/dashboard/keys`, "/dashboard/keys"],
  ])("returns to %s as %s", async (requested, to) => {
    const browser = new Browser(service);
    const location = await browser.follow(
      `/dashboard/sign-in/provider?return=${encodeURIComponent(requested)}`,
    );
    const back = provider.agree(location, { sub: crypto.randomUUID() });
    expect(await browser.follow(pathOf(back))).toBe(appOrigin + to);
  });

  it("allows changes by cookie from pages of the app's origin, and not of the scan origin", async () => {
    const { sessionClient } = callers;
    expect(sessionClient.cookie).toContain(`${sessionCookie(service.deps)}=`);
    const create = (origin: string) =>
      sessionClient.send("POST", "/developer/keys", validBody.createKey, { origin });
    expect((await create(appOrigin)).status).toBe(201);
    for (const origin of [scanOrigin, "https://app.example:8443", "null"]) {
      const refused = await create(origin);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        { error: `Origin must be ${appOrigin} for changes authenticated by cookie.`, code: "forbidden" },
      ]);
      const signOut = await service.fetch(`${appOrigin}/dashboard/sign-out`, {
        method: "POST",
        headers: { cookie: sessionClient.cookie, origin },
      });
      expect(signOut.status).toBe(403);
    }
  });
});

describe("resources", () => {
  it("have addresses of the scan origin", async () => {
    const { keyClient: client, sessionClient: session } = callers;
    const code = await client.createQr();
    const page = await makePage({ client, session });
    expect(code.scanUrl).toBe(`${scanOrigin}/${code.hash}`);
    expect(page.url).toBe(`${scanOrigin}/pages/${page.id}`);
  });

  it("lead to neither of the two hosts, on any port", async () => {
    for (const host of ["qr.example", "app.example", "APP.example.", "qr.example:8443", "app.example:1"]) {
      const data = { type: "url", url: `https://${host}/01234567` };
      const destination = await callers.keyClient.send("POST", "/qr", { qrType: "url", data });
      const webhook = await callers.sessionClient.send("POST", "/developer/webhooks", {
        url: `https://${host}/hook`,
        events: ["qr.created"],
      });
      const image = await callers.sessionClient.send("POST", "/developer/pages", {
        title: "A page",
        blocks: [{ type: "image", url: `https://${host}/a.png`, alt: "A" }],
      });
      expect([host, destination.status, webhook.status, image.status]).toEqual([host, 400, 400, 400]);
    }
  });
});

describe("the widget", () => {
  it("is served by the scan origin, and calls the app's", async () => {
    const script = await (await service.fetch(`${scanOrigin}/embed.js`)).text();
    expect(script).toContain(`const apiOrigin = "${appOrigin}";`);
    const demo = await service.fetch(`${scanOrigin}/embed/demo`);
    expect(demo.headers.get("content-security-policy")).toContain(
      `script-src 'self'; img-src 'self' ${scanOrigin}; font-src 'self'; connect-src ${appOrigin}; form-action 'none'`,
    );
  });
});

describe("the API's documents", () => {
  it("name the app's origin", async () => {
    const document = await (await service.fetch(`${appOrigin}/api/v1/openapi.json`)).json<{
      servers: unknown;
    }>();
    expect(document.servers).toEqual([{ url: `${appOrigin}/api/v1` }]);
    const reference = await (await service.fetch(`${appOrigin}/api/v1/docs`)).text();
    expect(reference).toContain(`curl &quot;${appOrigin}/api/v1/qr&quot;`);
  });
});
