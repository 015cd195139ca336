import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Domain, DomainList, DomainProblem, OperatorDomain } from "../../src/contract/resources/domains.ts";
import { problemTexts, stepStates } from "../../src/dashboard/domains/problems.ts";
import { Browser } from "../support/browser.ts";
import { CloudflareStandIn } from "../support/cloudflare-stand-in.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { signedInOperator } from "../support/operator-pages.ts";
import { FakeClock, Service } from "../support/service.ts";

/** Domains in the dashboard, as people use it without scripts. */

const host = "go.acme.com";
const origins = {
  scanOrigin: "https://qr.example",
  appOrigin: "https://app.example",
  ownHosts: ["qr.example"],
};
let clock: FakeClock;
let cloudflare: CloudflareStandIn;
let customers: Service;
const local = new Service();

beforeEach(async () => {
  await env.DB.prepare("DELETE FROM aliases").run();
  await env.DB.prepare("DELETE FROM domains").run();
  clock = new FakeClock();
  cloudflare = new CloudflareStandIn(clock.now);
  const settings = { ...origins, ...cloudflare.settings };
  customers = new Service({ now: clock.now, fetch: cloudflare.fetch, settings });
});

/** Signs in an owner at a host with https, whose cookie has another name. */
async function signedInAt(service: Service): Promise<SignedInBrowser> {
  const { cookie, workspaceId } = await service.session();
  const browser = new Browser(service);
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie) ?? [];
  browser.cookies.set(name, value);
  return { browser, client: await service.client(workspaceId) };
}

const domainsOf = async (service: Service, { client }: SignedInBrowser) =>
  (await (await service.sessionIn(client.workspaceId)).expect(200, DomainList, "GET", "/developer/domains"))
    .domains;

/** Adds a domain by the form. @returns the path of its page */
async function add({ browser }: SignedInBrowser, name: string): Promise<string> {
  const path = "/dashboard/domains/new";
  const answer = await browser.submit(path, { ...fieldsOf(await pageAt(browser, path)), host: name });
  expect([answer.status, await answer.text()]).toEqual([303, ""]);
  return new URL(answer.headers.get("location") ?? "").pathname;
}

/** Gives a workspace a host, as the operator does. */
const give = (service: Service, { client: { workspaceId } }: SignedInBrowser, name: string) =>
  service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${name}`, { workspaceId });

const textOf = (page: string): string =>
  page
    .replace(/<style.*?<\/style>|<[^>]+>/gs, " ")
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, " ");

describe("a customer's own host", () => {
  it("is led from the form to scans, with each record to copy", async () => {
    const me = await signedInAt(customers);
    expect(await pageAt(me.browser, "/dashboard/domains")).toContain("No domains yet");
    const path = await add(me, `https://${host.toUpperCase()}/`);
    const unproved = await pageAt(me.browser, path);
    const [domain] = await domainsOf(customers, me);
    for (const { name, value } of domain?.records ?? []) {
      expect(unproved).toContain(`data-copy="${name}"`);
      expect(unproved).toContain(`data-copy="${value}"`);
      if (name.startsWith("_")) cloudflare.dns.set("TXT", name, value);
    }
    expect(textOf(unproved)).toContain(`No TXT record was found at _qr-owner.${host} yet`);
    expect(textOf(unproved)).toContain("Domain added");
    expect(textOf(await pageAt(me.browser, "/dashboard/domains"))).toContain("TXT record not found yet");

    await me.browser.submit(`${path}/check`, {});
    expect(await pageAt(me.browser, path)).toContain(
      "Checked less than a minute ago. Try again in a minute.",
    );
    clock.advance(60_000);
    expect((await me.browser.submit(`${path}/check`, {})).status).toBe(303);
    expect(textOf(await pageAt(me.browser, path))).toContain(`No record was found at ${host} yet`);
    cloudflare.dns.set("CNAME", host, "shops.example");
    clock.advance(60_000);
    await me.browser.submit(`${path}/check`, {});
    const elsewhere = textOf(await pageAt(me.browser, path));
    expect(elsewhere).toContain(`${host} points somewhere else. Replace its records with the CNAME above.`);
    expect(elsewhere).toContain("CNAME shops.example");
    expect(elsewhere).toContain("Needs a fix");
  });

  it("is refused in the form, by its field", async () => {
    const me = await signedInAt(customers);
    const path = "/dashboard/domains/new";
    for (const [typed, problem] of [
      ["", "Enter a host."],
      ["acme", "Enter a host name such as go.example.com"],
      ["go.qr.example", "belongs to this service"],
    ] as const) {
      const form = fieldsOf(await pageAt(me.browser, path));
      const answer = await me.browser.submit(path, { ...form, host: typed });
      expect(answer.status).toBe(400);
      expect(textOf(await answer.text())).toContain(problem);
    }
    await add(me, host);
    const again = await me.browser.submit(path, { ...fieldsOf(await pageAt(me.browser, path)), host });
    expect([again.status, textOf(await again.text())]).toEqual([409, expect.stringContaining("already")]);
    const form = fieldsOf(await pageAt(me.browser, path));
    const both = [0, 1].map(() => me.browser.submit(path, { ...form, host: "twice.acme.com" }));
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([303, 303]);
  });

  it("has the operator's command where only the operator can add hosts", async () => {
    const service = new Service({ settings: origins });
    const me = await signedInAt(service);
    const command = `npm run domains -- add go.example.com --workspace ${me.client.workspaceId}`;
    for (const path of ["/dashboard/domains", "/dashboard/domains/new"]) {
      expect(await pageAt(me.browser, path)).toContain(`data-copy="${command}"`);
    }
    await give(service, me, host);
    const page = await pageAt(me.browser, "/dashboard/domains");
    expect(linksOf(page, "name")).toHaveLength(1);
    expect(textOf(page)).toContain("Active");
  });
});

describe("problems of a domain", () => {
  it("are held up at one step, in words that say what to do", () => {
    for (const problem of DomainProblem.options) {
      for (const status of ["unproved", "pending", "active"] as const) {
        const states = Object.values(stepStates({ problem, status }));
        expect([problem, status, states.filter((state) => /problem|current/.test(state)).length]).toEqual([
          problem,
          status,
          1,
        ]);
        if (status === "active") expect(states.filter((state) => state === "done")).toHaveLength(3);
        else expect(states.at(-1)).toBe("upcoming");
      }
      const { advice } = problemTexts[problem];
      expect(advice({ host, records: [] })).toMatch(/^[A-Z\w].*\.$/s);
    }
    expect(Object.values(stepStates({ problem: null, status: "active" }))).toEqual(Array(4).fill("done"));
    expect(Object.values(stepStates({ problem: null, status: "unproved" }))).toEqual([
      "current",
      ...Array(3).fill("upcoming"),
    ]);
  });
});

describe("in local development", () => {
  it("a host is active at once, has settings, is removed by its name and comes back", async () => {
    const me = await signedIn(local);
    const path = await add(me, "go.acme.localhost");
    expect(textOf(await pageAt(me.browser, path))).toContain("Every code of this workspace answers here");
    const form = fieldsOf(await pageAt(me.browser, `${path}/edit`));
    const wrong = await me.browser.submit(`${path}/edit`, { ...form, rootUrl: "no address" });
    expect([wrong.status, textOf(await wrong.text())]).toEqual([400, expect.stringContaining("Home link")]);
    const settings = { isDefault: "on", name: "Acme", rootUrl: "example.com", query: "merge" };
    expect((await me.browser.submit(`${path}/edit`, { ...form, ...settings })).status).toBe(303);
    const [saved] = await domainsOf(local, me);
    expect(saved).toMatchObject({
      ...{ isDefault: true, name: "Acme", rootUrl: "https://example.com", unknownUrl: null, query: "merge" },
    });
    expect(textOf(await pageAt(me.browser, "/dashboard/domains"))).toContain("Default");

    const qr = await me.client.createQr();
    expect(qr).toMatchObject({ domain: "go.acme.localhost", query: "merge" });
    const asked = textOf(await pageAt(me.browser, `${path}/remove`));
    expect(asked).toContain("1 code uses this domain.");
    expect(asked).toContain("The codes go on working at localhost:8787");
    for (const typed of ["", "go.acme"]) {
      const refused = await me.browser.submit(`${path}/remove`, { host: typed });
      expect([refused.status, textOf(await refused.text())]).toEqual([
        400,
        expect.stringContaining("Enter go.acme.localhost to remove it."),
      ]);
    }
    expect((await me.browser.submit(`${path}/remove`, { host: "Go.Acme.localhost" })).status).toBe(303);
    await pageAt(me.browser, path, 404);
    expect(textOf(await pageAt(me.browser, `/dashboard/codes/${qr.id}`))).toContain(
      "go.acme.localhost was removed, so the short link has localhost:8787 again.",
    );
    expect(await pageAt(me.browser, "/dashboard/bin")).toContain(`action="${path}/restore"`);
    expect((await me.browser.submit(`${path}/restore`, {})).status).toBe(303);
    expect((await domainsOf(local, me)).map(({ status }) => status)).toEqual(["active"]);
  });

  it("is read by viewers, and changed by admins", async () => {
    const me = await signedIn(local);
    const path = await add(me, "go.acme.localhost");
    const viewer = new Browser(local);
    const { cookie } = await local.sessionIn(me.client.workspaceId, "viewer");
    viewer.cookies.set("session", cookie.replace("session=", ""));
    const page = await pageAt(viewer, path);
    expect(page).not.toContain(`${path}/edit`);
    expect(page).not.toContain(`${path}/check`);
    await pageAt(viewer, `${path}/edit`, 403);
    expect((await viewer.submit(`${path}/remove`, {})).status).toBe(403);
    expect(await pageAt(viewer, "/dashboard/domains")).not.toContain("/dashboard/domains/new");
  });

  it("isn't in the Free plan, which says so", async () => {
    const me = await signedIn(local, "free");
    for (const path of ["/dashboard/domains", "/dashboard/domains/new"]) {
      expect(textOf(await pageAt(me.browser, path))).toContain("Your Free plan doesn't include domains.");
    }
    const answer = await me.browser.submit("/dashboard/domains/new", { host, key: crypto.randomUUID() });
    expect(answer.status).toBe(402);
    expect(textOf(await pageAt(me.browser, "/dashboard/codes/new"))).not.toContain("Also answers at");
  });

  it("says when the operator has suspended it", async () => {
    const me = await signedIn(local);
    const path = await add(me, "go.acme.localhost");
    const operator = await signedInOperator(local);
    const workspace = `/operator/workspaces/${me.client.workspaceId}`;
    const action = "/operator/domains/go.acme.localhost";
    expect(await pageAt(operator, workspace)).toContain(`${action}/suspend`);
    expect((await operator.submit(`${action}/suspend`, { reason: "" })).status).toBe(400);
    expect((await operator.submit(`${action}/suspend`, { reason: "Phishing" })).status).toBe(303);
    expect(textOf(await pageAt(me.browser, path))).toContain("has suspended this domain");
    expect(textOf(await pageAt(me.browser, "/dashboard/domains"))).toContain("Suspended Phishing");
    expect(await pageAt(operator, workspace)).toContain(`action="${action}/lift"`);
    expect((await operator.submit(`${action}/lift`, {})).status).toBe(303);
    expect(textOf(await pageAt(operator, `${action}/remove`))).toContain("0 codes use it");
    expect((await operator.submit(`${action}/remove`, {})).status).toBe(303);
    expect(await domainsOf(local, me)).toEqual([]);
  });
});

describe("a code", () => {
  const go = "go.acme.localhost";
  let me: SignedInBrowser;
  let domain: Domain;

  beforeEach(async () => {
    me = await signedIn(local);
    const session = await local.sessionIn(me.client.workspaceId);
    const input = { host: go, isDefault: true, query: "raw" };
    domain = await session.expect(201, Domain, "POST", "/developer/domains", input);
  });

  const read = (id: string) => me.client.expect(200, Qr, "GET", `/qr/${id}`);

  it("gets the default domain and what that says of the query, unless another is chosen", async () => {
    const path = "/dashboard/codes/new";
    const form = fieldsOf(await pageAt(me.browser, path));
    expect(form).toMatchObject({ domain: go, query: "raw", aliases: "" });
    const changed = await me.browser.submit(path, { ...form, domain: "", change: "domain" });
    const page = await changed.text();
    expect(fieldsOf(page)).toMatchObject({ domain: "", query: "off" });
    expect(page).toContain('<span class="quiet">localhost:8787/</span>');
    expect(await pageAt(me.browser, path)).toContain(`<span class="quiet">${go}/</span>`);
    const aliases = `${go}/One\r\n\r\n ${go}/two,3 `;
    const whole = { ...fieldsOf(page), "data.url": "example.com", aliases };
    const created = await me.browser.submit(path, whole);
    const qr = await read(created.headers.get("location")?.split("/").at(-1) ?? "");
    expect(qr).toMatchObject({ domain: null, query: "off", aliases: [`${go}/One`, `${go}/two,3`] });
    expect(fieldsOf(await pageAt(me.browser, `${path}?from=${qr.id}`))).toMatchObject({
      aliases: "",
      domain: "",
    });
  });

  it("names the line of an address that can't be one, and the code that has it", async () => {
    const other = await me.client.createQr({ name: "Lunch menu", aliases: [`${go}/lunch`] });
    const { id } = await me.client.createQr();
    const path = `/dashboard/codes/${id}/edit`;
    const form = fieldsOf(await pageAt(me.browser, path));
    const problemOf = async (aliases: string) => {
      const answer = await me.browser.submit(path, { ...form, aliases });
      return [answer.status, textOf(await answer.text())];
    };
    expect(await problemOf(`${go}/a\r\nmenu`)).toEqual([
      400,
      expect.stringContaining("Line 2 must be a host and a path, such as go.example.com/menu."),
    ]);
    expect(await problemOf("other.localhost/a")).toEqual([
      400,
      expect.stringContaining("This address must be at a domain of this workspace"),
    ]);
    expect(await problemOf(`${go}/lunch`)).toEqual([
      409,
      expect.stringContaining("This address leads to Lunch menu already."),
    ]);
    expect((await read(other.id)).aliases).toEqual([`${go}/lunch`]);
  });

  it("shows its other addresses, and takes one from another code after asking", async () => {
    const aliases = ["a", "b", "c", "d"].map((path) => `${go}/${path}`);
    const other = await me.client.createQr({ name: "Lunch menu", aliases });
    const qr = await me.client.createQr({ name: "Dinner menu" });
    const shown = await pageAt(me.browser, `/dashboard/codes/${other.id}`);
    for (const alias of aliases) {
      expect(shown).toContain(`data-copy="http://${alias.replace("/", ":8787/")}"`);
    }
    expect(shown).toContain("1 more");

    const path = `/dashboard/codes/${qr.id}/aliases`;
    const refused = await me.browser.submit(path, { alias: "menu" });
    expect([refused.status, textOf(await refused.text())]).toEqual([
      400,
      expect.stringContaining("Enter a host and a path, such as go.example.com/menu."),
    ]);
    const asking = await me.browser.submit(path, { alias: aliases[0] ?? "" });
    const address = (asking.headers.get("location") ?? "").replace(/^https?:\/\/[^/]+/, "");
    const question = await pageAt(me.browser, address);
    expect(textOf(question)).toContain(`${aliases[0]} leads to Lunch menu`);
    expect((await read(qr.id)).aliases).toEqual([]);
    const moved = await me.browser.submit(path, fieldsOf(question));
    expect(moved.status).toBe(303);
    expect((await read(qr.id)).aliases).toEqual([aliases[0]]);
    expect((await read(other.id)).aliases).toEqual(aliases.slice(1));
    expect(textOf(await pageAt(me.browser, `/dashboard/codes/${qr.id}`))).toContain("leads to this code now");
    const unneeded = await me.browser.open(`${path}?alias=${go}/new`);
    expect(unneeded.status).toBe(303);
    await me.browser.submit(path, { alias: `https://${go}/new` });
    expect((await read(qr.id)).aliases).toEqual([aliases[0], `${go}/new`]);
  });

  it("has images from the scan origin, which alone the pages allow", async () => {
    const qr = await me.client.createQr({ domain: go });
    expect(qr.scanUrl).toBe(`http://${go}:8787/${qr.hash}`);
    const test = (await me.browser.open(`/dashboard/codes/${qr.id}/test`)).headers.get("location") ?? "";
    const paths = ["", "/codes", `/codes/${qr.id}`, "/codes/bulk?q=", test.replace(/^.*\/dashboard/, "")];
    for (const path of paths) {
      const page = await pageAt(me.browser, `/dashboard${path}`);
      const images = [...page.matchAll(/<img [^>]*src="(http[^"]*)"/g)].map(([, src = ""]) => new URL(src));
      expect([path, images.map(({ origin }) => origin)]).toEqual([
        path,
        images.map(() => "http://localhost:8787"),
      ]);
      if (path !== "") expect(images.map(({ pathname }) => pathname)).toContain(`/${qr.hash}.svg`);
    }
  });

  it("says that its short link waits for its domain", async () => {
    const qr = await me.client.createQr({ domain: go });
    await local.operator.send("PUT", `/operator/domains/${go}/suspension`, { reason: "Phishing" });
    const page = await pageAt(me.browser, `/dashboard/codes/${qr.id}`);
    expect(textOf(page)).toContain(`The short link has localhost:8787 until ${go} is active.`);
    expect(page).toContain(`/dashboard/domains/${domain.id}`);
  });
});

describe("many codes", () => {
  it("get a domain, or none, by one change", async () => {
    const me = await signedIn(local);
    await add(me, "go.acme.localhost");
    const { id } = await me.client.createQr({ name: "Menu" });
    const path = "/dashboard/codes/bulk";
    const form = fieldsOf(await pageAt(me.browser, `${path}?q=`));
    expect(form).toMatchObject({ domain: "" });
    for (const [domain, words] of [
      ["go.acme.localhost", "Set go.acme.localhost as the domain of 1 code"],
      ["none", "Remove the domain from 1 code"],
    ] as const) {
      const review = await (await me.browser.submit(path, { ...form, domain })).text();
      expect(textOf(review)).toContain(domain === "none" ? "1 code" : "Domain None go.acme.localhost");
      const started = await me.browser.submit(path, { ...fieldsOf(review), step: "start" });
      const job = (started.headers.get("location") ?? "").replace(/^https?:\/\/[^/]+/, "");
      expect(textOf(await pageAt(me.browser, job))).toContain(words);
      const { id: jobId = "" } = /\/jobs\/(?<id>[^/?]+)/.exec(job)?.groups ?? {};
      const body = { task: "run", workspaceId: me.client.workspaceId, jobId };
      await local.consume("bulk", [{ body }]);
      const { domain: got } = await me.client.expect(200, Qr, "GET", `/qr/${id}`);
      expect(got).toBe(domain === "none" ? null : domain);
    }
  });
});
