import htmxSource from "htmx.org/dist/htmx.min.js?raw";
import { beforeEach, describe, expect, it } from "vitest";
import { dashboardFiles } from "../../../src/dashboard/assets/files.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { version } from "../../../src/lib/version.ts";
import { Browser } from "../../support/browser.ts";
import { gzippedBytes } from "../../support/page-rules.ts";
import { readRouteTable } from "../../support/route-table.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let browser: Browser;

const signedIn = async (plan: "free" | "business" = "business") => {
  const session = await service.session(plan);
  const own = new Browser(service);
  own.cookies.set("session", session.cookie.replace("session=", ""));
  return own;
};

beforeEach(async () => {
  browser = await signedIn();
});

const policyWith = (frames: string) =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data: ${origin}; ` +
  `font-src 'self'; connect-src 'self'; ${frames}base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Pages with a frame. */
const framed = ["/pages/new"];

/** A path of a route, for ids that do not exist. */
const pathOf = (path: string) =>
  `/dashboard${path.replace(/\/$/, "").replaceAll(/:\w+/g, () => crypto.randomUUID())}`;

const table = routes.map(([method, path]) => [method, path] as const);
const classes = oneOfEach(routes, ([method, , permission]) => `${method} ${permission}`).map(
  ([method, path]) => [method, path] as const,
);

describe("icons", () => {
  const references = (page: string) => Array.from(page.matchAll(/<use href="#([\w-]+)"/g), ([, id]) => id);
  const drawn = (page: string) => Array.from(page.matchAll(/<symbol id="([\w-]+)"/g), ([, id]) => id);

  it("are drawn once in a page, however often they are shown", async () => {
    for (const path of ["/dashboard/codes", "/dashboard/settings", "/dashboard/nothing"]) {
      const page = await (await browser.open(path)).text();
      expect(drawn(page).length).toBeGreaterThan(5);
      expect(drawn(page).sort()).toEqual([...new Set(references(page))].sort());
    }
  });

  it("are drawn where they stand in a part that htmx puts into a page, which may lack them", async () => {
    const parts = ["/dashboard/go/results", "/dashboard/codes/new"];
    for (const path of parts) {
      const part = await (await browser.send("GET", path, { "hx-request": "true" })).text();
      expect(part).toMatch(/<svg class="icon"[^>]*><svg viewBox="0 0 24 24"><\w/);
      expect(references(part)).toEqual([]);
    }
  });
});

describe("every page", () => {
  it("is in the tables that tests in a browser read", () => {
    const sources = import.meta.glob("../../../src/dashboard/*/routes.ts", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const read = Object.entries(sources).flatMap(([path, source]) =>
      path.includes("/operator/") ? [] : readRouteTable(source as string),
    );
    expect(read.sort()).toEqual([...table].sort());
  });

  it.each(classes.filter(([method]) => method === "GET"))("%s %s asks to sign in first", async (_, path) => {
    const visitor = new Browser(service);
    const address = pathOf(path);
    const answer = await visitor.open(address);
    const signIn = `${origin}/dashboard/sign-in?return=${address}`;
    expect([answer.status, answer.headers.get("location")]).toEqual([302, signIn]);
    // A script can't follow a redirect to the identity provider.
    const asked = await visitor.send("GET", address, { "hx-request": "true" });
    expect([asked.status, asked.headers.get("hx-redirect")]).toEqual([
      204,
      `${origin}/dashboard/sign-in?return=/dashboard`,
    ]);
  });

  it.each(classes.filter(([method]) => method === "POST"))(
    "%s %s is refused from elsewhere",
    async (_, path) => {
      for (const headers of [{}, { origin: "https://evil.example" }, { origin: "null" }]) {
        expect((await browser.send("POST", pathOf(path), headers as Record<string, string>)).status).toBe(
          403,
        );
      }
    },
  );

  const pages = [...classes.filter(([method]) => method === "GET").map(([, path]) => path), ...framed];
  // `page-rules.test.ts` looks for inline scripts and styles in all pages.
  it.each(pages)("%s says that nothing may run inline, and isn't kept", async (path) => {
    const answer = await browser.open(pathOf(path));
    await answer.body?.cancel();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-security-policy")).toBe(
      policyWith(framed.includes(path) ? "frame-src 'self'; " : ""),
    );
  });
});

describe("static files", () => {
  it("can be kept for good, as their names change with them", async () => {
    const page = await (await browser.open("/dashboard/settings")).text();
    const paths = [...page.matchAll(/"(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(paths).toHaveLength(4);
    const visitor = new Browser(service);
    for (const path of paths) {
      const answer = await visitor.open(path);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
      expect(answer.headers.get("content-type")).toMatch(
        /^(text\/(css|javascript); charset=utf-8|font\/woff2)$/,
      );
      const other = await visitor.open(path.replace(/-[0-9a-f]{12}\./, "-000000000000."));
      expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await other.text()).toBe(await answer.text());
    }
    expect((await visitor.open("/dashboard/assets/toString-000000000000.js")).status).toBe(404);
  });

  it("are htmx as it was published, and at most 16 KB of our own", async () => {
    const paths = await dashboardFiles.paths("/dashboard/assets");
    const textOf = async (path: string) => (await browser.open(path)).text();
    expect(await textOf(paths["htmx.js"])).toBe(htmxSource);
    const own = await textOf(paths["script.js"]);
    expect(own).toContain("EventSource");
    expect(await gzippedBytes(own)).toBeLessThan(16 * 1024);
  });
});

describe("refusals", () => {
  it("have a page with the navigation for an unknown address", async () => {
    const answer = await browser.open("/dashboard/nothing");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("Page not found");
  });

  it("say that a form is of another type, or too large", async () => {
    const send = (type: string, body: string) =>
      service.fetch("/dashboard/settings/account", {
        method: "POST",
        headers: { cookie: browser.cookie, origin, "content-type": type },
        body,
      });
    expect((await send("application/json", "{}")).status).toBe(415);
    expect((await send("application/x-www-form-urlencoded", `a=${"b".repeat(129 * 1024)}`)).status).toBe(413);
  });

  it("say the same of forms with files, where no file is the reason", async () => {
    const send = (body: FormData | string) =>
      service.fetch("/dashboard/settings/account", {
        method: "POST",
        headers: {
          cookie: browser.cookie,
          origin,
          ...(typeof body === "string" ? { "content-type": body } : {}),
        },
        body: typeof body === "string" ? "no parts" : body,
      });
    const large = new FormData();
    large.set("name", "x".repeat(1024 * 1024));
    expect((await send(large)).status).toBe(413);
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=b"]) {
      const answer = await send(type);
      expect([answer.status, (await answer.text()).includes("The form isn&#39;t complete.")]).toEqual([
        400,
        true,
      ]);
    }
    const small = new FormData();
    small.set("shortcuts", "on");
    expect((await send(small)).status).toBe(303);
  });
});

describe("the settings", () => {
  it("set light or dark colours, which the document says", async () => {
    const settings = "/dashboard/settings/account";
    expect(await (await browser.open(settings)).text()).toContain('<html lang="en">');
    await browser.submit(settings, { scheme: "dark" });
    const dark = await (await browser.open("/dashboard")).text();
    expect(dark).toContain('<html lang="en" data-scheme="dark">');
    expect(dark).toContain('<meta name="color-scheme" content="dark"/>');
    expect(dark).toContain('data-shortcuts="on"');
    for (const scheme of ["auto", "no such scheme"]) {
      await browser.submit(settings, { scheme });
      expect(await (await browser.open(settings)).text()).toContain('<html lang="en">');
    }
  });

  it("switch single-key shortcuts off and on", async () => {
    const post = (value: string) => browser.submit("/dashboard/settings/account", { shortcuts: value });
    expect(await (await browser.open("/dashboard/settings/account")).text()).toContain('data-shortcuts="on"');
    expect((await post("off")).status).toBe(303);
    const page = await (await browser.open("/dashboard/settings/account")).text();
    expect(page).toContain('data-shortcuts="off"');
    expect(page).toContain("Settings saved.");
    await post("on");
    await browser.open("/dashboard/settings/account");
    const again = await (await browser.open("/dashboard/settings/account")).text();
    expect(again).toContain('data-shortcuts="on"');
    expect(again).not.toContain("Settings saved");
  });
});

describe("the usage", () => {
  it("is shown with a link to change the plan, where the operator has set one", async () => {
    const free = await signedIn("free");
    expect(await (await free.open("/dashboard/settings/plan")).text()).toContain(">25<");
    const linked = new Service({ settings: { upgradeUrl: "https://plans.example/" } });
    const answer = await linked.fetch("/dashboard/settings/plan", { headers: { cookie: free.cookie } });
    expect(await answer.text()).toContain('href="https://plans.example/"');
  });
});

it("the foot of every page shows the version that runs", async () => {
  const page = await (await browser.open("/dashboard")).text();
  expect(page).toContain(`Version ${version}</p>`);
});
