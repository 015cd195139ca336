import { globSync, readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { AbuseReportList } from "../../../src/contract/resources/operations/abuse-reports.ts";
import { type Filled, fillWorkspace } from "../../e2e/support/filled-workspace.ts";
import { menusOutside } from "../../e2e/support/menus.ts";
import { narrowCells } from "../../e2e/support/narrow-cells.ts";
import { pageFaults, type Scheme } from "../../e2e/support/page-faults.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { openBrowser } from "../../e2e/support/shared-browser.ts";
import { fetchAs } from "../../e2e/support/tabs.ts";
import { callOperator, OwnWorkspace, operatorSecret } from "../../e2e/support/workspaces.ts";
import { readRouteTable } from "../../support/route-table.ts";
import { sample } from "../../support/runner/runs.ts";

const operatorRoutes = "src/dashboard/operator/routes.ts";
const routes = globSync("src/dashboard/*/routes.ts")
  .filter((path) => path !== operatorRoutes)
  .flatMap((path) => readRouteTable(readFileSync(path, "utf8")));

/** Tabs in which the pages of a state are inspected side by side. */
const tabs = 2;

/** More text than any field takes. */
const tooLong = "x".repeat(5000);

let browser: Browser;
let workspace: OwnWorkspace;
let filled: Filled;
/** The pages of the workspace that is filled. */
let filledPages: readonly string[];

beforeAll(async () => {
  [browser, workspace] = await Promise.all([openBrowser(), OwnWorkspace.create("pages")]);
  filled = await fillWorkspace(workspace);
  const context = await contextOf(workspace);
  filledPages = await pagesAmong(context, addressesOf(filled));
  await context.close();
});
afterAll(() => browser?.close());

/** The pages of one passkey, for which `passkeys.test.ts` has an authenticator. */
const ofPasskey = /^\/settings\/passkeys\/:id\//;

/** The gallery shows every component at once: more than a page may weigh. */
const heavyGallery = /\/components weight: /;

/** The addresses of the route table's pages. @throws for a parameter that `filled-workspace.ts` has no value for */
const addressesOf = ({ values, queries, deletedCode }: Filled): string[] =>
  routes
    .filter(([method, path]) => method === "GET" && !ofPasskey.test(path))
    .map(([, path]) =>
      path.replace(/([^/]+)\/:\w+/g, (parameter, segment: string) => {
        // Only a deleted code can be erased.
        const value = path === "/codes/:id/erase" ? deletedCode : values[segment];
        if (value === undefined) throw new Error(`there is no value for ${parameter} in ${path}`);
        return `${segment}/${encodeURIComponent(value)}`;
      }),
    )
    .map((path) => path.replace(/\/$/, "") + (queries[path] ?? ""));

/** The addresses that show a whole page: not a file, a part of a page, a redirect, what the plan lacks, or too many exports. */
async function pagesAmong(context: BrowserContext, addresses: readonly string[]): Promise<string[]> {
  const shown = await Promise.all(
    addresses.map(async (address) => {
      const answer = await fetchAs(context, urlOf(address));
      const isWhole = (await answer.text()).startsWith("<!doctype html>");
      return isWhole && answer.status !== 402 && answer.status !== 429 ? [address] : [];
    }),
  );
  return shown.flat();
}

/** The operator's pages are beside the dashboard. */
const urlOf = (address: string): string =>
  (address.startsWith("/operator") ? workspace.service.origin : workspace.service.dashboard) + address;

/** A context in which the operator has signed in. */
async function contextOfOperator(): Promise<BrowserContext> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  await tab.goto(urlOf("/operator/sign-in"));
  await tab.getByLabel("Operator's secret").fill(await operatorSecret());
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.waitForURL(/workspaces|operator$/);
  await tab.close();
  return context;
}

/** Something for each of the operator's lists. @returns the pages about it */
async function fillOperator(own: OwnWorkspace): Promise<string[]> {
  const { service } = own;
  const data = { type: "url", url: `https://example.com/${"unbroken".repeat(20)}` };
  const [reported, suspended] = await Promise.all(
    [1, 2].map(() => readStrictly(service.send("POST", "/qr", { qrType: "url", data }), 201, Qr)),
  );
  const details = "unbroken".repeat(50);
  const body = new URLSearchParams({ code: reported?.hash ?? "", reason: "phishing", details });
  expect((await fetch(`${service.origin}/report`, { method: "POST", body })).status).toBe(200);
  const reason = `Reported by ${"unbroken".repeat(20)}`;
  await callOperator(service, "PUT", `/qr/${suspended?.id}/suspension`, { reason });
  await callOperator(service, "POST", "/blocked-hosts", { host: `${"unbroken.".repeat(20)}example`, reason });
  const path = "/operator/reports?status=open";
  const list = await fetch(`${service.origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${await operatorSecret()}` },
  });
  const { items } = AbuseReportList.parse(await list.json());
  const host = `${"long-".repeat(9)}name.localhost`;
  await callOperator(service, "PUT", `/domains/${host}`, { workspaceId: own.id });
  const ids: Readonly<Record<string, string | undefined>> = {
    ...{ workspaces: own.id, reports: items[0]?.id, domains: host, codes: reported?.id },
  };
  return (
    readRouteTable(readFileSync(operatorRoutes, "utf8"))
      // Hosted pages are suspended as codes are, and the search leads to what it finds.
      .filter(([method, route]) => method === "GET" && !/^\/pages|\/find$/.test(route))
      .map(
        ([, route]) =>
          `/operator${route.replace(/(\w+)\/:\w+/, (_, name: string) => `${name}/${ids[name]}`)}`,
      )
      .map((address) => address.replace(/\/$/, ""))
  );
}

/** A context in which a workspace's owner is signed in. */
async function contextOf({ cookies }: OwnWorkspace): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.addCookies(cookies);
  return context;
}

/** Inspects each item in one of several tabs, by a finger or by a mouse. @returns the faults of all, and what the browser complained of */
async function inTabs<Item>(
  context: BrowserContext,
  items: readonly Item[],
  inspect: (tab: Page, item: Item) => Promise<string[]>,
  { hasTouch = true } = {},
): Promise<string[]> {
  const rest = [...items];
  const faults: string[] = [];
  const storageState = await context.storageState();
  const work = async () => {
    // Of its own, since a notice is a cookie that the next page takes.
    const own = await browser.newContext({ storageState, hasTouch });
    const tab = await own.newPage();
    // As the markup in names does where a page has it as HTML.
    tab.on("request", (request) => {
      if (new URL(request.url()).pathname === "/x") faults.push(`${tab.url()} runs the markup of a name`);
    });
    tab.on("pageerror", ({ message }) => faults.push(`${tab.url()} ${message}`));
    tab.on("console", (message) => {
      const isStatus = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isStatus) faults.push(`${tab.url()} ${message.text()}`);
    });
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      faults.push(...(await inspect(tab, item)).map((fault) => `${tab.url()} ${fault}`));
    }
    await own.close();
  };
  await Promise.all(Array.from({ length: tabs }, work));
  return faults;
}

let inspected = 0;

/** In which schemes the next page is audited: in the long runs in both, else in light and in dark by turns. */
function nextSchemes(): readonly Scheme[] {
  inspected += 1;
  return sample<Scheme>(["light", "dark"], 2, inspected);
}

/** The faults of the page at an address. @param expected its status */
async function faultsAt(tab: Page, address: string, expected = 200): Promise<string[]> {
  let status = 0;
  const load = async () => {
    const answer = await tab.goto(urlOf(address));
    status = answer?.status() ?? 0;
    return (await answer?.text()) ?? "";
  };
  const faults = await pageFaults(tab, load, nextSchemes());
  return status === expected ? faults : [`status: ${status}`, ...faults];
}

/** A form of a page, by its place among those that change something. */
interface FormPlace {
  readonly address: string;
  readonly place: number;
}

const formSelector = 'main form[method="post"]:has(:is(input, textarea):not([type="hidden"], [readonly]))';

/** The forms of a page that text is entered in. */
async function formsAt(tab: Page, address: string): Promise<FormPlace[]> {
  await tab.goto(urlOf(address));
  const found = await tab
    .locator(formSelector)
    .evaluateAll((forms) =>
      forms.map((form) =>
        [...(form as HTMLFormElement).elements].some(
          (each) =>
            each.matches("textarea") ||
            (each instanceof HTMLInputElement &&
              each.name !== "" &&
              !/^(hidden|checkbox|radio|file|color)$/.test(each.type)),
        ),
      ),
    );
  return found.flatMap((hasText, place) => (hasText ? [{ address, place }] : []));
}

/** The faults of the page that a form answers when every text in it is too long. */
async function faultsOfProblems(tab: Page, { address, place }: FormPlace): Promise<string[]> {
  let status = 0;
  const load = async () => {
    await tab.goto(urlOf(address));
    const form = tab.locator(formSelector).nth(place);
    const [answer] = await Promise.all([tab.waitForNavigation(), form.evaluate(submitWith, tooLong)]);
    status = answer?.status() ?? 0;
    return (await answer?.text()) ?? "";
  };
  const faults = await pageFaults(tab, load, nextSchemes());
  const problems = await tab.locator(".problem").count();
  return status === 400 && problems > 0 ? faults : [`status: ${status}, ${problems} problems`, ...faults];
}

/** Enters a text everywhere in a form, and submits it without the checks of browsers and without htmx. */
function submitWith(element: Element, text: string): void {
  const form = element as HTMLFormElement;
  const fields = [...form.elements].filter(
    (each): each is HTMLInputElement | HTMLTextAreaElement =>
      each instanceof HTMLTextAreaElement ||
      (each instanceof HTMLInputElement && !/^(hidden|checkbox|radio|file|color)$/.test(each.type)),
  );
  // Of the sizes of images, only those of the chosen format count.
  const format = form.elements.namedItem("images");
  if (format instanceof HTMLSelectElement) format.value = "pdf";
  for (const each of fields) {
    // As in browsers without a calendar. Others drop what is no date.
    if (each instanceof HTMLInputElement) each.type = "text";
    // All of them must fit into the bytes that a form may have.
    each.value = text.slice(0, Math.floor(120_000 / fields.length));
  }
  // A list's form changes what is selected.
  const selected = [...form.elements].find(
    (each): each is HTMLInputElement => each instanceof HTMLInputElement && each.name === "id",
  );
  if (selected !== undefined) selected.checked = true;
  // As if Enter were pressed in the first field: the button of its popover, or the form's first.
  const part = fields.find(({ name }) => name !== "")?.closest("[data-action]") ?? form;
  const button = part.querySelector<HTMLButtonElement>("button[type=submit]");
  if (button !== null && button.name !== "") {
    const pressed = document.createElement("input");
    Object.assign(pressed, { type: "hidden", name: button.name, value: button.value });
    form.append(pressed);
  }
  HTMLFormElement.prototype.submit.call(form);
}

/** Submits a form that no page shows in this way, such as one of many fields. */
function submitForm([action, entries]: readonly [string, Readonly<Record<string, string>>]): void {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", enctype: "multipart/form-data", action });
  for (const [name, value] of Object.entries(entries)) {
    const field = document.createElement("textarea");
    Object.assign(field, { name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

/** Pixels, from a small phone to a desktop. */
const widths = Array.from({ length: 29 }, (_, i) => 320 + 40 * i);

/** The faults of the cells of a page's tables at these widths. */
async function cellFaults(tab: Page, address: string, atWidths: readonly number[]): Promise<string[]> {
  await tab.goto(urlOf(address));
  if ((await tab.locator("main table").count()) === 0) return [];
  const found: string[] = [];
  for (const width of atWidths) {
    await tab.setViewportSize({ width, height: 900 });
    found.push(...(await tab.evaluate(narrowCells)).map((fault) => `at ${width}: ${fault}`));
  }
  return found;
}

describe.concurrent("every page keeps the rules of the dashboard", () => {
  it("in an empty workspace", async () => {
    const context = await contextOf(await OwnWorkspace.create("pages-empty"));
    const general = addressesOf({ ...filled, values: new Proxy({}, { get: () => "unknown" }) });
    // Without what the filled workspace has.
    const own = general.filter((address) => !/unknown|[\da-f-]{36}|^\/tags\//.test(address));
    const pages = await pagesAmong(context, sample(own, 4));
    expect(pages.length).toBeGreaterThan(4);
    expect(await inTabs(context, pages, faultsAt, { hasTouch: false })).toEqual([]);
    await context.close();
  });

  it("in a workspace with some of everything", async () => {
    const context = await contextOf(workspace);
    const { codes = "" } = filled.values;
    const others = [
      "/codes?q=tag:summer+status:paused+long",
      "/codes?q=nothing",
      "/codes/new?type=vcard",
      "/codes/new?type=servicepage",
      "/codes/new?advanced.frame.style=round&advanced.gradient.type=linear&advanced.modules=dots",
      "/codes/new?colorConfig.dotsColor=%23ffcc00",
      `/codes/${codes}?range=7d&compare=none`,
      "?range=custom&from=tomorrow&to=2020-01-01",
      "/components",
    ];
    expect(filledPages.length).toBeGreaterThan(10);
    const faults = await inTabs(context, [...filledPages, ...others], faultsAt);
    expect(faults.filter((fault) => !heavyGallery.test(fault))).toEqual([]);
    const refused = [
      [`/codes/${filled.deletedCode}`, 410],
      ["/nothing", 404],
    ] as const;
    expect(
      await inTabs(context, refused, (tab, [address, status]) => faultsAt(tab, address, status)),
    ).toEqual([]);
    await context.close();
  });

  it("with columns as wide as their content needs, at every width", async () => {
    const context = await contextOf(workspace);
    const faults = await inTabs(context, sample([...filledPages, "/codes?order=scans"], 6), (tab, address) =>
      cellFaults(tab, address, sample(widths, 14)),
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  it("with files that the browser downloads, and leaves the page as it is", async () => {
    const context = await contextOf(workspace);
    const clicked = new Set<string>();
    const faults = await inTabs(context, filledPages, async (own, address) => {
      await own.goto(urlOf(address));
      const found: string[] = [];
      for (const link of await own.locator("a[download]").all()) {
        const { pathname, searchParams } = new URL((await link.getAttribute("href")) ?? "", own.url());
        // One of each file is enough.
        const file = `${pathname.replaceAll(/[\da-f-]{36}/g, "ID")} ${searchParams.get("format")}`;
        if (clicked.has(file)) continue;
        clicked.add(file);
        const download = own.waitForEvent("download");
        await link.evaluate((each) => (each as HTMLAnchorElement).click());
        await (await download).cancel();
        if (own.url() !== urlOf(address)) found.push(`left by ${pathname}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
    expect(clicked.size).toBeGreaterThan(15);
    await context.close();
  });

  it("where a form shows problems", async () => {
    const context = await contextOf(workspace);
    const tab = await context.newPage();
    const forms: FormPlace[] = [];
    const always = ["/codes/new", "/developer/webhooks/new"];
    for (const address of new Set([...always, ...sample(filledPages, 8)])) {
      forms.push(...(await formsAt(tab, address)));
    }
    const addresses = forms.map(({ address }) => address);
    expect(addresses).toEqual(expect.arrayContaining(always));
    expect(await inTabs(context, forms, faultsOfProblems)).toEqual([]);
    await context.close();
  });

  it("for the operator", async () => {
    const context = await contextOfOperator();
    const pages = await fillOperator(await OwnWorkspace.create("pages-operator"));
    expect(pages.length).toBeGreaterThan(8);
    const others = ["/operator/workspaces?q=nothing", "/operator/reports?status=acted_on"];
    expect(await inTabs(context, [...pages, ...others], faultsAt)).toEqual([]);
    expect(
      await inTabs(context, ["/operator/nothing"], (tab, address) => faultsAt(tab, address, 404)),
    ).toEqual([]);
    const tab = await context.newPage();
    const forms: FormPlace[] = [];
    for (const address of pages) forms.push(...(await formsAt(tab, address)));
    expect(forms.length).toBeGreaterThan(3);
    expect(await inTabs(context, forms, faultsOfProblems)).toEqual([]);
    const cells = await inTabs(context, pages, (each, address) =>
      cellFaults(each, address, sample(widths, 8)),
    );
    expect(cells).toEqual([]);
    await context.close();
    const stranger = await browser.newContext();
    expect(await inTabs(stranger, ["/operator/sign-in"], faultsAt)).toEqual([]);
    await stranger.close();
  });

  it("with menus that stay in the window", async () => {
    const context = await contextOf(workspace);
    const { codes } = filled.values;
    const addresses = [
      "",
      "/codes",
      `/codes/${codes}`,
      `/codes/${codes}/scans`,
      "/folders",
      "/tags",
      "/history",
    ];
    // Of 1440 pixels at 200 % zoom, 720 are left.
    const faults = await inTabs(context, addresses, async (tab, address) => {
      await tab.goto(urlOf(address));
      expect(await tab.locator("details[data-menu]").count()).toBeGreaterThan(1);
      const found: string[] = [];
      for (const width of sample([320, 390, 720, 1000, 1440], 2)) {
        await tab.setViewportSize({ width, height: 800 });
        found.push(...(await menusOutside(tab)).map((fault) => `at ${width}: ${fault}`));
      }
      return found;
    });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("on the way to many codes at once", async () => {
    const context = await contextOf(workspace);
    const rows = [
      "Title,Link",
      "Dinner,mailto:dinner@example.com",
      `${"A long name ".repeat(20)},example.com`,
    ];
    const matching = { q: "tag:summer long", all: "on" };
    const ways: readonly [path: string, fields: Record<string, string>, shown: string][] = [
      ["/codes/import", { step: "read", text: rows.join("\n") }, "td.bad"],
      ["/codes/bulk", { ...matching, step: "look", addTags: "winter" }, "ins"],
      ["/codes/bulk", { ...matching, step: "delete" }, "button.danger.primary"],
    ];
    const faults = await inTabs(context, ways, async (tab, [path, fields, shown]) => {
      const load = async () => {
        await tab.goto(urlOf("/folders"));
        const [answer] = await Promise.all([
          tab.waitForNavigation(),
          tab.evaluate(submitForm, [urlOf(path), fields] as const),
        ]);
        return (await answer?.text()) ?? "";
      };
      const found = await pageFaults(tab, load, nextSchemes());
      return (await tab.locator(shown).count()) > 0 ? found : [`no ${shown}`, ...found];
    });
    expect(faults).toEqual([]);
    await context.close();
  });
});

it("every page keeps the rules of the dashboard below notices", async () => {
  await workspace.setPlan({ plan: "free" });
  await workspace.suspend("Reported as spam");
  const context = await contextOf(workspace);
  const { hostname } = new URL(workspace.service.origin);
  // The plan has fewer pages now.
  const pages = await pagesAmong(context, sample(filledPages, 10));
  expect(pages.length).toBeGreaterThan(5);
  const faults = await inTabs(context, pages, async (tab, address) => {
    await tab.context().addCookies([{ name: "notice", value: "saved", domain: hostname, path: "/" }]);
    const found = await faultsAt(tab, address);
    const notices = await tab.locator(".notice").count();
    // Of the plan and the suspension. The message about the change has gone by now.
    return notices >= 2 ? found : [`only ${notices} notices`, ...found];
  });
  expect(faults).toEqual([]);
  await context.close();
});
