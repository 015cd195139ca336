import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ErrorBody } from "../src/contract/errors.ts";
import type { Qr } from "../src/contract/resources/codes/qr.ts";
import { Template } from "../src/contract/resources/images/templates.ts";
import type { Page } from "../src/contract/resources/pages.ts";
import type { ScansMessage } from "../src/protocol/messages.ts";
import { classes, method, rowCounts, somePath, TestCallers, validBody } from "./support/endpoints.ts";
import { makeCodeOfPage, sendForm } from "./support/hosted-pages.ts";
import { dataUri, svg } from "./support/images/logos.ts";
import { sample } from "./support/runner/runs.ts";
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

const fetchImage: typeof fetch = async () =>
  new Response("<svg/>", { headers: { "content-type": "image/svg+xml" } });

const settings = { scanOrigin, appOrigin, embedDemoKey };
const parts = { scanQueue, fetch: fetchImage };
let service: Service;
let callers: TestCallers;
let page: Page;
let pageCode: Qr;
let code: Qr;

beforeAll(async () => {
  service = new Service({ ...parts, settings });
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
  ["/report", 200],
  ["/report/sent", 200],
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
  "/api/v1/docs/api.md",
  "/api/v1/nowhere",
  "/llms.txt",
];

/** Each of the first with each of the second. */
const pairs = <A, B>(first: readonly A[], second: readonly B[]): [A, B][] =>
  first.flatMap((one) => second.map((other): [A, B] => [one, other]));

/** The endpoints, with the number of the host that each is tried at. */
const numbered = classes.map((endpoint, i) => ({ ...endpoint, i }));

/**
 * Which host a request is for is decided before its path and method are looked at. So each path is tried with each method,
 * but not at each host.
 */
describe("the app's host", () => {
  it("answers no scan and nothing else that visitors open, on any port, and counts nothing", async () => {
    const before = await rowCounts();
    const requests = pairs(pairs(scanPaths(), ["GET", "HEAD", "POST"]), appAddresses);
    for (const [[[path], verb], origin] of sample(requests, appAddresses.length - 1)) {
      const response = await at(origin, path, { method: verb });
      expect([origin, verb, path, response.status]).toEqual([origin, verb, path, 404]);
      if (verb === "GET") expect(await response.text()).toContain("Page not found");
    }
    expect(sent).toEqual([]);
    expect(await rowCounts()).toEqual(before);
  });

  it.each(numbered)("answers $name", async ({ i, ...endpoint }) => {
    for (const origin of sample(appAddresses, appAddresses.length, i)) {
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
      { error: `Endpoint not found. The API is at ${appOrigin}/api/v1.`, code: "not_found" },
    ]);
  });
});

describe("every other host", () => {
  it.each(otherOrigins)("%s answers what visitors open", async (origin) => {
    // Images take longest: they are drawn at the origin of scans and at one other host.
    const isDrawn = otherOrigins.indexOf(origin) < 2;
    const paths = scanPaths().filter(([path]) => isDrawn || !/\.(svg|png)$/.test(path));
    for (const [path, status] of paths) {
      const response = await at(origin, path);
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect(sent.flatMap(({ batches }) => batches).flatMap(({ scans }) => scans)).toHaveLength(5);
  });

  it.each(numbered)("refuses $name, with the credentials it takes", async ({ i, ...endpoint }) => {
    const { workspaceId, cookie } = callers.sessionClient;
    const authorization = {
      key: `Bearer ${callers.keyClient.key}`,
      session: undefined,
      person: undefined,
      operator: `Bearer ${service.operatorSecret}`,
    }[endpoint.auth];
    const before = await rowCounts();
    for (const origin of sample(otherOrigins, otherOrigins.length, i)) {
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
        { error: `Endpoint not found. The API is at ${appOrigin}/api/v1.`, code: "not_found" },
      ]);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(await rowCounts()).toEqual(before);
  });

  it("refuses the dashboard and the API in every spelling, and neither reads nor sets a cookie", async () => {
    const { cookie } = callers.sessionClient;
    const requests = pairs(pairs(appPaths, ["GET", "POST", "OPTIONS"]), otherOrigins);
    for (const [[path, verb], origin] of sample(requests, otherOrigins.length - 1)) {
      const headers = { cookie, origin: appOrigin, "access-control-request-method": "POST" };
      const response = await at(origin, path, { method: verb, headers });
      expect([404, 405]).toContain(response.status);
      expect([origin, verb, path, response.headers.getSetCookie()]).toEqual([origin, verb, path, []]);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      if (verb === "GET") expect([origin, path, response.status]).toEqual([origin, path, 404]);
    }
  });

  it("welcomes visitors at its root, without a cookie, and shows the way to the dashboard", async () => {
    for (const origin of otherOrigins) {
      const response = await at(origin, "/", { headers: { cookie: callers.sessionClient.cookie } });
      expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
      expect(await response.text()).toContain(`href="${appOrigin}/dashboard"`);
    }
  });

  it("takes a page's form", async () => {
    const response = await sendForm(service, page, { name: "Ada" });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pages/${page.id}/sent`]);
  });
});

describe("what customers write", () => {
  const asMember = (path: string, init: RequestInit<IncomingRequestCfProperties> = {}) =>
    at(appOrigin, path, { ...init, headers: { cookie: callers.sessionClient.cookie, origin: appOrigin } });

  it("is on the host of scans where anybody reads it: a shared report too, with its own files", async () => {
    const body = new URLSearchParams({ allow: "custom", from: "2026-09-01", to: "2026-09-30" });
    const made = await asMember(`/dashboard/codes/${code.id}/share`, { method: "POST", body });
    const [url = ""] = /https:\/\/[^"]*\/shared\/[0-9A-Za-z]{32}/.exec(await made.text()) ?? [];
    const { origin, pathname } = new URL(url);
    expect(origin).toBe(scanOrigin);
    const report = await at(origin, pathname);
    const shown = await report.text();
    expect([report.status, report.headers.getSetCookie()]).toEqual([200, []]);
    const assets = [...shown.matchAll(/ (?:src|href)="(\/[^"]*)"/g)].map(([, path = ""]) => path);
    expect(assets).toHaveLength(5);
    for (const path of assets) expect((await at(origin, path)).status).toBe(200);
    for (const path of [pathname, ...assets.filter((asset) => asset.startsWith("/shared/"))]) {
      expect((await asMember(path)).status).toBe(404);
    }
  });

  it("is contained on the app's host, where members see their own: no script, no form, no other type", async () => {
    const logo = dataUri(svg('<circle r="9"/>'), "image/svg+xml");
    const path = "/developer/templates";
    const template = await callers.sessionClient.expect(201, Template, "POST", path, { name: "T", logo });
    const brand = await (await asMember("/dashboard/settings/brand")).text();
    const [, logoPath = ""] = /src="(\/dashboard\/settings\/brand\/logos\/[0-9a-f]{64})"/.exec(brand) ?? [];
    const preview = new URLSearchParams({ title: "<script>alert(1)</script>" });
    const image = encodeURIComponent("https://images.example/a.svg");
    const answers: [name: string, answer: Response][] = [
      ["a logo", await asMember(logoPath)],
      ["a logo, by the API", await asMember(`/api/v1${path}/${template.id}/logo`)],
      ["a template's sample", await asMember(`/dashboard/templates/${template.id}/image`)],
      ["a code's image", await asMember(`/dashboard/codes/${code.id}/image`)],
      ["a page's preview", await asMember("/dashboard/pages/preview", { method: "POST", body: preview })],
      ["an image of its preview", await asMember(`/dashboard/pages/preview-image?url=${image}`)],
      ["its submissions", await asMember(`/dashboard/pages/${page.id}/submissions/export`)],
    ];
    for (const [name, { status, headers }] of answers) {
      const isDownload = headers.get("content-disposition")?.startsWith("attachment") === true;
      const policy = headers.get("content-security-policy") ?? "";
      const isSandboxed =
        /^default-src 'none';.*sandbox/.test(policy) && !/script-src|allow-scripts/.test(policy);
      expect({
        name,
        status,
        nosniff: headers.get("x-content-type-options"),
        contained: isDownload || isSandboxed,
      }).toEqual({ name, status: 200, nosniff: "nosniff", contained: true });
    }
    const relayed = answers.find(([name]) => name === "an image of its preview")?.[1];
    expect(relayed?.headers.get("content-disposition")).toBe("attachment");
  });
});

it.each([scanOrigin, appOrigin])("%s has the icon of the site", async (origin) => {
  for (const path of ["/favicon.ico", "/favicon.svg"]) expect((await at(origin, path)).status).toBe(200);
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
  ])("the app answers at its own host alone, scans at every host: %s", async (_, origins) => {
    const one = new Service({ ...parts, settings: { ...settings, appOrigin: scanOrigin, ...origins } });
    const ofVisitors = ["/", `/${code.hash}`, `/${code.hash}.svg`, `/pages/${page.id}`, "/embed.js"];
    const ofApp = ["/dashboard/signed-out", "/api/v1/openapi.json", "/llms.txt"];
    const statuses = async (origin: string, paths: readonly string[]) =>
      (await Promise.all(paths.map((path) => one.fetch(origin + path)))).map(({ status }) => status);
    const own = [scanOrigin, "https://localhost:8787", "https://127.0.0.1:8787", "https://[::1]:8787"];
    for (const origin of own) {
      expect([origin, ...(await statuses(origin, ofApp))]).toEqual([origin, 200, 200, 200]);
    }
    for (const origin of [...own, "https://192.168.1.20:8787", "https://go.acme.example"]) {
      expect([origin, ...(await statuses(origin, ofVisitors))]).toEqual([origin, 200, 302, 200, 200, 200]);
    }
    for (const origin of ["https://192.168.1.20:8787", "https://go.acme.example", "https://qr.localhost"]) {
      expect([origin, ...(await statuses(origin, ofApp))]).toEqual([origin, 404, 404, 404]);
    }
  });

  it("APP_ORIGIN is SCAN_ORIGIN unless it is set", () => {
    expect(new Service({ settings: { scanOrigin } }).deps.settings).toMatchObject({
      scanOrigin,
      appOrigin: scanOrigin,
    });
  });
});
