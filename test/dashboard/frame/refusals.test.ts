import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { createDashboard } from "../../../src/dashboard/app.tsx";
import { dashboardFiles } from "../../../src/dashboard/assets/files.ts";
import { pageOfForm } from "../../../src/dashboard/frame/form-address.ts";
import { createOperatorPages } from "../../../src/dashboard/operator/app.tsx";
import { rateLimited } from "../../../src/domain/errors.ts";
import { forwardEvents } from "../../../src/domain/events/forwarding.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { rowCounts } from "../../support/endpoints.ts";
import { svg } from "../../support/images/logos.ts";
import type { FormValues } from "../../support/images/templates.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";
import { setSuspension } from "../../support/suspension.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now, settings: { upgradeUrl: "https://plans.example/" } });
let me: SignedInBrowser;
let browser: Browser;
async function signIn() {
  me = await signedIn(service);
  ({ browser } = me);
}
beforeAll(signIn);

const signInWith = (path: string) => `${origin}/dashboard/sign-in?return=${path}`;

describe("a visitor who is signed out", () => {
  const visitor = new Browser(service);

  it("comes back to the page that they opened, with its query", async () => {
    const answer = await visitor.open("/dashboard/codes?q=a+b");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      signInWith("/dashboard/codes%3Fq%3Da%2Bb"),
    ]);
    const boosted = await visitor.send("GET", "/dashboard/codes?q=a", {
      "hx-request": "true",
      "hx-boosted": "true",
      "hx-current-url": `${origin}/dashboard/settings`,
    });
    expect([boosted.status, boosted.headers.get("hx-redirect")]).toEqual([
      204,
      signInWith("/dashboard/codes%3Fq%3Da"),
    ]);
  });

  it("comes back to the page with the form that they submitted, and to the page that asked for a part", async () => {
    const form = `${origin}/dashboard/codes/new?type=sms`;
    const expected = signInWith("/dashboard/codes/new%3Ftype%3Dsms");
    const plain = await visitor.send("POST", "/dashboard/codes/new", { origin, referer: form });
    expect([plain.status, plain.headers.get("location")]).toEqual([303, expected]);
    const headers = { origin, "hx-request": "true", "hx-current-url": form };
    for (const method of ["POST", "GET"]) {
      const answer = await visitor.send(method, "/dashboard/codes/new", headers);
      expect([answer.status, answer.headers.get("hx-redirect")]).toEqual([204, expected]);
    }
  });

  it("is never led elsewhere", async () => {
    for (const referer of ["https://evil.example/dashboard", `${origin}/api/v1/docs`, "nonsense"]) {
      const answer = await visitor.send("POST", "/dashboard/codes/new", { origin, referer });
      expect(answer.headers.get("location")).toBe(signInWith("/dashboard"));
    }
  });
});

describe("an unknown address of the dashboard", () => {
  it("has the frame for whoever is signed in, counted like any request, and none for a stranger", async () => {
    const answer = await browser.open("/dashboard/no/such/page");
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain("<h1>Page not found</h1>");
    expect(page).toContain('<nav class="side"');
    const stranger = await new Browser(service).open("/dashboard/no/such/page");
    expect(stranger.status).toBe(404);
    expect(await stranger.text()).not.toContain("<nav");
    expect((await browser.open("/dashboard/assets/none.css")).status).toBe(404);
  });
});

describe("the page about a refusal", () => {
  // The first tests leave a workspace on the Free plan, and suspended.
  beforeEach(signIn);

  it("by the plan has a link to change it", async () => {
    const qr = await me.client.createQr();
    await me.client.send("DELETE", `/qr/${qr.id}`);
    await env.DB.prepare("UPDATE workspaces SET plan = 'free', live_codes = 25 WHERE id = ?")
      .bind(me.client.workspaceId)
      .run();
    const answer = await browser.submit(`/dashboard/codes/${qr.id}/restore`, {});
    expect(answer.status).toBe(402);
    const page = await answer.text();
    expect(page).toContain("<h1>Your plan doesn&#39;t include this</h1>");
    expect(page).toContain('<a href="https://plans.example/">Change plan</a>');
  });

  it("by a suspension says so, in the form and with the operator's words", async () => {
    await setSuspension({ service, clock }, "workspaces", me.client.workspaceId, { reason: "Reported" });
    const answer = await browser.submit("/dashboard/codes/new", { type: "url", "data.url": "a.example" });
    expect(answer.status).toBe(403);
    const page = await answer.text();
    expect(page).toContain("has suspended your workspace.");
    expect(page).toContain("<q>Reported</q>");
    expect(fieldsOf(page)["data.url"]).toBe("a.example");
  });

  it("by a suspension is the answer to every form that creates something", async () => {
    const { id } = await me.client.createQr();
    const logo = svg("<g/>");
    const forms: [path: string, fields: FormValues][] = [
      ["/codes/new", { type: "url", "data.url": "a.example" }],
      ["/codes/import", { text: "a.example" }],
      ["/folders", { name: "Menus" }],
      ["/pages/new", { title: "Fair", language: "en" }],
      ["/templates/new", { name: "Blue" }],
      ["/templates/new", { name: "Blue", logo }],
      ["/settings/brand", { part: "logo", logo }],
      ["/developer/keys/new", { name: "Shop", type: "secret", scopes: "qr:read" }],
      [
        "/developer/webhooks/new",
        { url: "https://example.com/hook", events: "qr.created", mode: "realtime" },
      ],
      [`/codes/${id}/share`, { allow: "30d" }],
      ["/share?tag=summer", { allow: "30d" }],
      ["/share", {}],
    ];
    await setSuspension({ service, clock }, "workspaces", me.client.workspaceId);
    await forwardEvents(service.deps, me.client.workspaceId);
    const before = await rowCounts();
    for (const [path, fields] of forms) {
      const answer = await browser.upload(`/dashboard${path}`, { step: "start", ...fields });
      const isExplained = (await answer.text()).includes("has suspended your workspace.");
      expect({ path, status: answer.status, isExplained }).toEqual({ path, status: 403, isExplained: true });
    }
    expect(await rowCounts()).toEqual(before);
  });

  it("of a request from elsewhere has its own words", async () => {
    const answer = await browser.send("POST", "/dashboard/settings", { origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain("<h1>You can&#39;t do that</h1>");
  });

  it("of a form that is too large says what to do", async () => {
    const answer = await browser.submit("/dashboard/settings", { a: "b".repeat(129 * 1024) });
    expect(answer.status).toBe(413);
    const page = await answer.text();
    expect(page).toContain("<h1>File too large</h1>");
    expect(page).toContain("Go back and send less.");
  });

  it("of a form with too many fields says so, however it is sent", async () => {
    const fields = Array.from({ length: 501 }, () => ["a", ""]);
    const parts = new FormData();
    for (const [name = "", value = ""] of fields) parts.append(name, value);
    for (const body of [new URLSearchParams(fields), parts]) {
      const answer = await browser.send("POST", "/dashboard/settings", { origin }, body);
      expect(answer.status).toBe(413);
      expect(await answer.text()).toContain("A form can have at most 500 fields. Go back and send less.");
    }
  });

  it("by a rate limit says when to try again", async () => {
    const limited = new Service({
      db: wrapDatabase(service.deps.db, (work, sql = "") =>
        sql.includes("FROM qr_codes") ? Promise.reject(rateLimited(17)) : work(),
      ),
    });
    await me.client.createQr();
    const answer = await limited.fetch("/dashboard/codes", { headers: { cookie: browser.cookie } });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "17"]);
    expect(await answer.text()).toContain("Rate limit exceeded. Try again in 17 seconds.");
  });

  it("by an internal error reveals nothing about it", async () => {
    const failing = new Service({
      ledger: () => {
        throw new Error("a secret of ours");
      },
    });
    await me.client.createQr();
    const answer = await failing.fetch("/dashboard/codes", { headers: { cookie: browser.cookie } });
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain("Something went wrong on our side");
    expect(page).not.toContain("secret of ours");
  });
});

describe("an address that only takes a form", () => {
  type Mounted = readonly { readonly method: string; readonly path: string }[];

  /** The addresses that have no page, with ids in place of parameters. */
  const formsOf = (mounted: Mounted): string[] => {
    const pages = new Set(mounted.filter(({ method }) => method === "GET").map(({ path }) => path));
    const forms = mounted.filter(({ method, path }) => method === "POST" && !pages.has(path));
    return [...new Set(forms.map(({ path }) => path.replace(/:\w+/g, crypto.randomUUID())))];
  };

  it("leads to a page above it, where the form is", async () => {
    const forms = formsOf(createDashboard(service.deps).routes);
    expect(forms.length).toBeGreaterThan(30);
    for (const path of forms) {
      const { status, headers } = await browser.open(path);
      const page = headers.get("location")?.slice(origin.length) ?? "";
      expect([path, status, page !== "" && path.startsWith(page)]).toEqual([path, 302, true]);
    }
    const { routes } = createOperatorPages(service.deps, dashboardFiles);
    const operatorForms = formsOf(routes);
    expect(operatorForms.length).toBeGreaterThan(5);
    for (const path of operatorForms) {
      expect(pageOfForm(routes, path)).toSatisfy((page) => path.startsWith(String(page)));
    }
    const unknown = "/dashboard/codes/1/nothing";
    const answer = await browser.send("GET", unknown, { referer: `${origin}/dashboard/codes?q=tram` });
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('<a class="button" href="/dashboard/codes?q=tram">Go back</a>');
    expect(page).toContain('aria-label="Search codes"');
  });

  it("isn't shown by the browser after a refusal, so that a reload shows the page with what was entered", async () => {
    const page = `/dashboard/codes/${(await me.client.createQr()).id}`;
    const refused = await browser.submit(`${page}/destination`, { "data.url": "no address" });
    expect([refused.status, refused.headers.get("hx-push-url")]).toEqual([400, "false"]);
    const own = await browser.submit("/dashboard/codes/new", { qrType: "url", "data.url": "no address" });
    expect([own.status, own.headers.get("hx-push-url")]).toEqual([400, null]);
  });
});

describe("a code that someone else has deleted", () => {
  let qr: Qr;
  let fields: Record<string, string>;
  beforeAll(async () => {
    qr = await me.client.createQr({ name: "Poster" });
    fields = fieldsOf(await pageAt(browser, `/dashboard/codes/${qr.id}/edit`));
    await me.client.send("DELETE", `/qr/${qr.id}`);
  });

  it.each(["", "/edit", "/delete", "/scans", "/test", "/share"])("can be restored from %s", async (path) => {
    const page = await pageAt(browser, `/dashboard/codes/${qr.id}${path}`, 410);
    expect(page).toContain("Poster was deleted");
    expect(page).toContain(`action="/dashboard/codes/${qr.id}/restore"`);
  });

  it.each(["/edit", "/delete", "/pause", "/resume", "/share"])("is not changed by %s", async (path) => {
    const answer = await browser.submit(`/dashboard/codes/${qr.id}${path}`, fields);
    expect(answer.status).toBe(410);
    expect(await answer.text()).toContain("Restore code");
  });

  it("is gone for good after 30 days", async () => {
    const later = new Service({ now: () => clock.now() + 31 * 86_400_000 });
    const session = await later.sessionIn(me.client.workspaceId);
    const answer = await later.fetch(`/dashboard/codes/${qr.id}`, { headers: { cookie: session.cookie } });
    expect(answer.status).toBe(404);
  });
});

describe("a code that someone else has changed while a form was open", () => {
  const open = async () => {
    const qr = await me.client.createQr({ name: "Menu", tags: ["a"] });
    const path = `/dashboard/codes/${qr.id}/edit`;
    return { qr, path, fields: fieldsOf(await pageAt(browser, path)) };
  };
  const read = async (id: string) =>
    (await (await me.client.send("GET", `/qr/${id}`)).json()) as { name: string; tags: string[] };

  it("is not overwritten at once: the form shows what is saved, keeps the entries, and can be saved again", async () => {
    const { qr, path, fields } = await open();
    clock.advance(1000);
    await me.client.send("PATCH", `/qr/${qr.id}`, { name: "Dinner <b>" });
    const answer = await browser.submit(path, { ...fields, tags: "b" });
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain("The code has changed since you opened this form");
    expect(page).toContain("<li>Name: Dinner &lt;b&gt;</li><li>Tags: a</li>");
    expect(await read(qr.id)).toMatchObject({ name: "Dinner <b>", tags: ["a"] });
    const again = fieldsOf(page);
    expect([again.name, again.tags]).toEqual(["Menu", "b"]);
    expect((await browser.submit(path, again)).status).toBe(303);
    expect(await read(qr.id)).toMatchObject({ name: "Menu", tags: ["b"] });
  });

  it("is not overwritten by a second form that was saved at the same moment", async () => {
    const { qr, path, fields } = await open();
    const names = ["Breakfast", "Dinner"];
    const answers = await Promise.all(names.map((name) => browser.submit(path, { ...fields, name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    const page = (await answers[refused]?.text()) ?? "";
    expect(page).toContain(`<li>Name: ${names[1 - refused]}</li>`);
    expect(fieldsOf(page).name).toBe(names[refused]);
    expect((await read(qr.id)).name).toBe(names[1 - refused]);
    expect((await browser.submit(path, fieldsOf(page))).status).toBe(303);
    expect((await read(qr.id)).name).toBe(names[refused]);
  });

  it("is saved where both have entered the same", async () => {
    const { qr, path, fields } = await open();
    clock.advance(1000);
    await me.client.send("PATCH", `/qr/${qr.id}`, { name: "Dinner" });
    expect((await browser.submit(path, { ...fields, name: "Dinner" })).status).toBe(303);
  });
});
