import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ErrorBody } from "../src/contract/errors.ts";
import type { Page } from "../src/contract/resources/pages.ts";
import type { Qr } from "../src/contract/resources/qr.ts";
import { sessionCookie } from "../src/domain/identity/sessions.ts";
import type { ScansMessage } from "../src/protocol/messages.ts";
import { Browser, pathOf } from "./support/browser.ts";
import { method, rowCounts, somePath, table, TestCallers, validBody } from "./support/endpoints.ts";
import { makeCodeOfPage, sendForm } from "./support/hosted-pages.ts";
import { FakeProvider } from "./support/provider.ts";
import { phone, Service } from "./support/service.ts";

const scanOrigin = "https://qr.example";
const appOrigin = "https://app.example";
const embedDemoKey = "pk_live_demo";

const sent: ScansMessage[] = [];
const scanQueue = {
  send: async (message: ScansMessage) => {
    sent.push(message);
  },
} as unknown as Queue<ScansMessage>;

const settings = { scanOrigin, appOrigin, embedDemoKey, scanQueue };
let provider: FakeProvider;
let service: Service;
let callers: TestCallers;
let page: Page;
let pageCode: Qr;
let code: Qr;

beforeAll(async () => {
  provider = await FakeProvider.start();
  service = new Service({ ...settings, fetch: provider.fetch });
  callers = await TestCallers.of(service);
  const { keyClient: client, sessionClient: session } = callers;
  const form = { fields: [{ type: "text", name: "name", label: "Name" }] };
  ({ page, qr: pageCode } = await makeCodeOfPage({ client, session }, { form }));
  code = await client.createQr();
});
beforeEach(() => {
  sent.length = 0;
});

const at = (origin: string, path: string, init: RequestInit<IncomingRequestCfProperties> = {}) =>
  service.fetch(origin + path, { ...init, headers: { "user-agent": phone, ...init.headers } });

/** Other addresses of the app's host: cookies are sent to all of them. */
const appAddresses = [appOrigin, "https://app.example:8443", "https://APP.example", "https://app.example."];

/** The origin of scans, and hosts that this deployment does not name. */
const otherOrigins = [
  scanOrigin,
  "https://qr-codes.team.workers.dev",
  "https://192.168.1.20:8787",
  "https://app.example.org",
  "https://my-app.example",
  "https://appxexample",
];

/** Paths of scans and of all that visitors open, and their statuses. */
const scanPaths = (): [path: string, status: number][] => [
  [`/${code.hash}`, 302],
  [`/${code.hash.toUpperCase()}`, 302],
  [`/%${code.hash.charCodeAt(0).toString(16)}${code.hash.slice(1)}`, 302],
  [`/${code.hash}?a=b`, 302],
  [`/${pageCode.hash}`, 200],
  [`/${code.hash}.svg`, 200],
  [`/${code.hash}.png`, 200],
  [`/pages/${page.id}`, 200],
  [`/%70ages/${page.id}`, 200],
  [`/pages/${page.id}/sent`, 200],
  ["/embed.js", 200],
  ["/embed/demo", 200],
];

/** Paths of the dashboard and the API, some in other spellings. */
const appPaths = [
  "/dashboard",
  "/dashboard/",
  "/dashboard/sign-in",
  "/dashboard/callback?state=a&code=b",
  "/dashboard/signed-out",
  "/%64ashboard/sign-in",
  "/dashboard%2Fsign-in",
  "/pages/../dashboard/sign-in",
  "//dashboard/sign-in",
  "/api/v1/qr",
  "/%61pi/v1/qr",
  "/api/v1/openapi.json",
  "/api/v1/docs",
  "/api/v1/nowhere",
];

describe("the app's host", () => {
  it("answers no scan and nothing else that visitors open, on any port, and counts nothing", async () => {
    const before = await rowCounts();
    for (const origin of appAddresses) {
      for (const [path] of scanPaths()) {
        for (const verb of ["GET", "HEAD", "POST"]) {
          const response = await at(origin, path, { method: verb });
          expect([origin, verb, path, response.status]).toEqual([origin, verb, path, 404]);
          if (verb === "GET") expect(await response.text()).toContain("There is no such page");
        }
      }
    }
    expect(sent).toEqual([]);
    expect(await rowCounts()).toEqual(before);
  });

  it.each(table)("answers $name", async (endpoint) => {
    for (const origin of appAddresses) {
      const response = await at(origin, `/api/v1${somePath(endpoint)}`, { method: method(endpoint) });
      expect([origin, response.status]).toEqual([origin, 401]);
    }
  });

  it("redirects its root to the dashboard, and answers other paths of /api as errors of the API", async () => {
    const root = await at(appOrigin, "/");
    expect([root.status, root.headers.get("location")]).toEqual([302, `${appOrigin}/dashboard`]);
    const unknown = await at(appOrigin, "/api/v2/qr");
    expect([unknown.status, ErrorBody.parse(await unknown.json())]).toEqual([
      404,
      { error: `Endpoint not found: the API is at ${appOrigin}/api/v1`, code: "not_found" },
    ]);
  });

  it("is named by the OpenAPI document and the reference", async () => {
    const document = await (await at(appOrigin, "/api/v1/openapi.json")).json<{ servers: unknown }>();
    expect(document.servers).toEqual([{ url: `${appOrigin}/api/v1` }]);
    const reference = await (await at(appOrigin, "/api/v1/docs")).text();
    expect(reference).toContain(`curl &quot;${appOrigin}/api/v1/qr&quot;`);
  });
});

describe("every other host", () => {
  it.each(otherOrigins)("%s answers what visitors open", async (origin) => {
    for (const [path, status] of scanPaths()) {
      const response = await at(origin, path);
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(sent.flatMap(({ batches }) => batches).flatMap(({ scans }) => scans)).toHaveLength(5);
  });

  it.each(table)("refuses $name, with the credentials it takes", async (endpoint) => {
    const { workspaceId, cookie } = callers.sessionClient;
    const authorization = {
      key: `Bearer ${callers.keyClient.key}`,
      session: undefined,
      operator: `Bearer ${service.deps.operatorSecret}`,
    }[endpoint.auth];
    const before = await rowCounts();
    for (const origin of otherOrigins) {
      const response = await at(origin, `/api/v1${somePath(endpoint, workspaceId)}`, {
        method: method(endpoint),
        headers: {
          origin,
          "content-type": "application/json",
          ...(authorization === undefined ? { cookie } : { authorization }),
        },
        ...(endpoint.method === "get" ? {} : { body: JSON.stringify(validBody[endpoint.name] ?? {}) }),
      });
      expect([origin, response.status, ErrorBody.parse(await response.json())]).toEqual([
        origin,
        404,
        { error: `Endpoint not found: the API is at ${appOrigin}/api/v1`, code: "not_found" },
      ]);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(await rowCounts()).toEqual(before);
  });

  it("refuses the dashboard and the API in every spelling, and neither reads nor sets a cookie", async () => {
    const { cookie } = callers.sessionClient;
    for (const origin of otherOrigins) {
      for (const path of ["/", ...appPaths]) {
        for (const verb of ["GET", "POST", "OPTIONS"]) {
          const headers = { cookie, origin: appOrigin, "access-control-request-method": "POST" };
          const response = await at(origin, path, { method: verb, headers });
          expect([404, 405]).toContain(response.status);
          expect([origin, verb, path, response.headers.getSetCookie()]).toEqual([origin, verb, path, []]);
          expect(response.headers.get("access-control-allow-origin")).toBeNull();
          if (verb === "GET") expect([origin, path, response.status]).toEqual([origin, path, 404]);
        }
      }
    }
  });

  it("takes a page's form", async () => {
    const response = await sendForm(service, page, { name: "Ada" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pages/${page.id}/sent`]);
  });
});

describe("signing in", () => {
  it("happens on the app's origin, whose host alone gets the cookies", async () => {
    const browser = new Browser(service);
    const first = await browser.follow("/dashboard");
    expect(first).toBe(`${appOrigin}/dashboard/sign-in?return=/dashboard`);
    const location = new URL(await browser.follow(first));
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
    const home = await browser.open("/dashboard");
    expect([home.status, await home.text()]).toEqual([
      200,
      expect.stringContaining(`${appOrigin}/api/v1/docs#createKey`),
    ]);
    const signedOut = await browser.send("POST", "/dashboard/sign-out", { origin: appOrigin });
    expect(signedOut.headers.get("location")).toBe(`${appOrigin}/dashboard/signed-out`);
  });

  it.each([
    [`${scanOrigin}/dashboard/keys`, "/dashboard"],
    [`${appOrigin}/dashboard/keys`, "/dashboard/keys"],
  ])("returns to %s as %s", async (requested, to) => {
    const browser = new Browser(service);
    const location = await browser.follow(`/dashboard/sign-in?return=${encodeURIComponent(requested)}`);
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
        { error: `Origin: must be ${appOrigin} for a change by cookie`, code: "forbidden" },
      ]);
      const signOut = await at(appOrigin, "/dashboard/sign-out", {
        method: "POST",
        headers: { cookie: sessionClient.cookie, origin },
      });
      expect(signOut.status).toBe(403);
    }
  });
});

describe("resources", () => {
  it("have addresses of the scan origin", () => {
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
    const script = await (await at(scanOrigin, "/embed.js")).text();
    expect(script).toContain(`fetch("${appOrigin}/api/v1/qr"`);
    const demo = await at(scanOrigin, "/embed/demo");
    expect(demo.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self'; connect-src ${appOrigin}; img-src ${scanOrigin}`,
    );
  });
});

describe("by plain http", () => {
  it("scans are answered, and all else is redirected to https on its host", async () => {
    const scan = await at("http://qr.example", `/${code.hash}`);
    expect([scan.status, scan.headers.get("location")]).toEqual([302, "https://example.com/"]);
    for (const path of [`/${code.hash}`, "/dashboard", "/", "/api/v1/qr", "/embed.js"]) {
      const response = await at("http://app.example", path);
      expect([response.status, response.headers.get("location")]).toEqual([308, appOrigin + path]);
    }
    const post = await at("http://app.example", "/api/v1/qr", { method: "POST", body: "{}" });
    expect(post.status).toBe(403);
  });

  it("https answers of both hosts have Strict-Transport-Security", async () => {
    for (const origin of [scanOrigin, appOrigin]) {
      for (const path of ["/", `/${code.hash}`, "/dashboard", "/api/v1/qr"]) {
        const { headers } = await at(origin, path);
        expect([origin, path, headers.get("strict-transport-security")]).toEqual([
          origin,
          path,
          "max-age=31536000",
        ]);
      }
    }
  });
});

describe("without a host of the app's own", () => {
  it.each([
    ["one origin", { scanOrigin }],
    ["two ports of a host", { scanOrigin, appOrigin: "https://qr.example:8443" }],
  ])("every host answers everything: %s", async (_, origins) => {
    const one = new Service({ ...settings, appOrigin: scanOrigin, ...origins });
    for (const origin of [scanOrigin, "https://192.168.1.20:8787"]) {
      const paths = ["/", `/${code.hash}`, `/${code.hash}.svg`, `/pages/${page.id}`, "/embed.js"];
      const answers = [...paths, "/dashboard/signed-out", "/api/v1/docs"].map((path) =>
        one.fetch(origin + path),
      );
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([
        404, 302, 200, 200, 200, 200, 200,
      ]);
    }
  });

  it("APP_ORIGIN is SCAN_ORIGIN unless it is set", () => {
    expect(new Service({ scanOrigin }).deps).toMatchObject({ scanOrigin, appOrigin: scanOrigin });
  });
});
