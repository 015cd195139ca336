import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { type Client, FakeClock, type Service, Service as TestService } from "../support/service.ts";

/** From noon, so that the minutes that a test takes are of one day. */
const clock = new FakeClock(new Date().setUTCHours(12, 0, 0, 0));
const service: Service = new TestService({ now: clock.now });
const path = "/dashboard/history";
let me: SignedInBrowser;
let browser: Browser;
let client: Client;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser, client } = me);
});

/** The lines of the page, newest first, as they are read. */
const linesOf = (page: string): string[] =>
  Array.from(page.matchAll(/<\/span><div><p>(.*?)<\/p>/gs), ([, line = ""]) => textOf(line));

const textOf = (html: string): string => html.replace(/<[^>]*>/g, "").trim();

/** Lets time pass, after which the browser has a session of the same workspace again. */
async function pass(days: number): Promise<void> {
  clock.advance(days * 24 * 60 * 60_000);
  const { cookie } = await service.sessionIn(client.workspaceId);
  browser.cookies.set("session", cookie.replace("session=", ""));
}

/** Returns the form of the message that undoes a change. */
function undoIn(page: string): [path: string, fields: Record<string, string>] {
  const [, action = "", fields = ""] =
    /class="toast".*?<form method="post" action="([^"]*)">(.*?)<button[^>]*>Undo</s.exec(page) ?? [];
  const named = fields.matchAll(/name="([^"]*)" value="([^"]*)"/g);
  return [action, Object.fromEntries(Array.from(named, ([, name = "", value = ""]) => [name, value]))];
}

/** Changes a code by the API, a second later. */
async function edit(id: string, change: Record<string, unknown>): Promise<void> {
  clock.advance(1000);
  await client.send("PATCH", `/qr/${id}`, change);
}

describe("the history", () => {
  it("says in plain words who did what, newest first, with the values before and after", async () => {
    const qr = await client.createQr({ name: "Lunch menu" });
    await edit(qr.id, { data: { type: "url", url: "https://example.com/dinner" } });
    await edit(qr.id, { name: "Dinner <menu>" });
    await edit(qr.id, { tags: ["summer"], shape: "circle", colorConfig: { dotsColor: "#1e3a5f" } });
    clock.advance(1000);
    await browser.submit(`/dashboard/codes/${qr.id}/pause`, {});
    const key = "test (API key)";
    const page = await pageAt(browser, path);
    const lines = linesOf(page);
    expect(lines.slice(1)).toEqual([
      `${key} changed the tags and design of Dinner &lt;menu&gt;`,
      `${key} renamed Lunch menu to Dinner &lt;menu&gt;`,
      `${key} changed the destination of Lunch menu`,
      `${key} created the code Lunch menu`,
    ]);
    expect(lines[0]).toMatch(/ paused Dinner &lt;menu&gt;$/);
    expect(page).toMatch(/Destination<\/dt>.*?https:\/\/example\.com\/<.*?https:\/\/example\.com\/dinner</s);
    expect(page).toMatch(/<rect[^>]* fill="#1e3a5f"/);
    expect(page).toContain("in the dashboard");
    expect(page).toContain(">Today</h2>");
  });

  it("says that the operator suspended a code", async () => {
    const qr = await client.createQr({ name: "Menu" });
    clock.advance(1000);
    await service.operator.send("PUT", `/operator/qr/${qr.id}/suspension`, { reason: "Phishing" });
    const page = await pageAt(browser, path);
    expect(linesOf(page)[0]).toBe("The operator of this service suspended the code Menu");
    expect(page).toContain("Phishing");
  });

  it("has everything around codes, too", async () => {
    await browser.submit("/dashboard/folders", { name: "Cafés" });
    const [, folder = ""] =
      /\/dashboard\/folders\/([0-9a-f-]+)\/edit/.exec(await pageAt(browser, "/dashboard/folders")) ?? [];
    clock.advance(1000);
    await browser.submit(`/dashboard/folders/${folder}/edit`, { name: "Bars" });
    const qr = await client.createQr({ name: "Menu" });
    await edit(qr.id, { folderId: folder });
    clock.advance(1000);
    await browser.submit("/dashboard/settings", { name: "Harbour" });
    clock.advance(1000);
    await browser.submit(`/dashboard/folders/${folder}/delete`, {});
    const lines = linesOf(await pageAt(browser, path));
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/deleted the folder Bars$/),
        expect.stringMatching(/renamed the workspace Test to Harbour$/),
        expect.stringMatching(/moved Menu to the folder /),
        expect.stringMatching(/renamed the folder Cafés to Bars$/),
        expect.stringMatching(/created the folder Cafés$/),
      ]),
    );
  });

  it("is filtered by who, what and when, and exported so", async () => {
    const qr = await client.createQr({ name: "Old" });
    await pass(3);
    await browser.submit(`/dashboard/codes/${qr.id}/pause`, {});
    const linesAt = async (query: string) => linesOf(await pageAt(browser, `${path}?${query}`)).length;
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    expect(await linesAt("")).toBe(2);
    expect(await linesAt("actor=key")).toBe(1);
    expect(await linesAt("actor=operator")).toBe(0);
    expect(await linesAt(`from=${today}`)).toBe(1);
    expect(await linesAt(`to=${today}&kind=code&object=${qr.id}`)).toBe(2);
    expect(await pageAt(browser, `${path}?actor=operator`)).toContain("No change matches");
    expect(await pageAt(browser, `${path}?actor=key`)).toMatch(/Remove the filter.*All API keys/s);
    expect(await pageAt(browser, `${path}?from=yesterday`, 400)).toContain('aria-invalid="true"');
    const file = await browser.open(`${path}/export.ndjson?actor=key`);
    expect(file.headers.get("content-type")).toContain("ndjson");
    const rows = (await file.text()).trim().split("\n");
    expect(rows.map((row) => HistoryList.shape.items.element.parse(JSON.parse(row)).action)).toEqual([
      "code.created",
    ]);
    expect((await browser.open(`${path}/export.ndjson?from=yesterday`)).status).toBe(400);
  });

  it("offers to filter by all members and keys, and by others who are on the page, to roles that may see them", async () => {
    const qr = await client.createQr();
    await client.send("PATCH", `/qr/${qr.id}`, { name: "By a key" });
    const left = await service.sessionIn(client.workspaceId, "editor");
    const quiet = await service.sessionIn(client.workspaceId, "viewer");
    await env.DB.prepare("UPDATE users SET name = iif(id = ?1, 'Left', 'Quiet') WHERE id IN (?1, ?2)")
      .bind(left.userId, quiet.userId)
      .run();
    await left.send("POST", "/developer/pages", { title: "Fair" });
    await left.send("POST", "/developer/workspace/leave", {});
    const choices = (page: string) => {
      const [, options = ""] = /<select[^>]* name="actor"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
      return [...options.matchAll(/>([^<]+)<\/option>/g)].map(([, text]) => text);
    };
    const shown = await pageAt(browser, "/dashboard/history");
    expect(choices(shown)).toEqual(expect.arrayContaining(["API key test", "Quiet", "Left"]));
    expect(shown).toContain("left the workspace");
    const viewer = new Browser(service);
    viewer.cookies.set("session", quiet.cookie.replace("session=", ""));
    const nothing = await pageAt(viewer, "/dashboard/history?kind=folder");
    expect(choices(nothing)).toContain("Quiet (you)");
    expect(choices(nothing)).not.toContain("API key test");
  });

  it("has a page of results after the first, and names days", async () => {
    const qr = await client.createQr({ name: "Menu" });
    await pass(1);
    await edit(qr.id, { name: "Dinner" });
    await forwardEvents(service.deps, client.workspaceId);
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
    await runInDurableObject(ledger, (_, { storage: { sql } }) => {
      sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO history (id, object_id, object_kind, actor_id, actor_kind, bytes, entry)
         SELECT substr(id, 1, 24) || printf('%012d', i), object_id, object_kind, actor_id, actor_kind, bytes, entry
         FROM history, n WHERE id = (SELECT max(id) FROM history)`,
        limits.historyList.default,
      );
    });
    const first = await pageAt(browser, path);
    expect(linesOf(first)).toHaveLength(limits.historyList.default);
    const [, next = ""] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
    const second = await pageAt(browser, next.replaceAll("&amp;", "&"));
    expect(linesOf(second)).toHaveLength(1);
    expect(second).toContain(">Yesterday</h2>");
    expect(second).toContain("First page");
  });

  it("is empty in a new workspace, and says what it will have", async () => {
    expect(await pageAt(browser, path)).toContain("No changes yet");
  });

  it("offers to undo a change right after it, and again to undo that", async () => {
    const qr = await client.createQr({ name: "Menu" });
    await pass(0);
    const fields = fieldsOf(await pageAt(browser, `/dashboard/codes/${qr.id}/edit`));
    await browser.submit(`/dashboard/codes/${qr.id}/edit`, { ...fields, "data.url": "example.com/new" });
    const address = `/dashboard/codes/${qr.id}?range=7d`;
    const read = async () => (await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).data;
    for (const url of ["https://example.com/", "https://example.com/new"]) {
      const undone = await browser.submit(...undoIn(await pageAt(browser, address)));
      expect([undone.status, undone.headers.get("location")?.endsWith(address)]).toEqual([303, true]);
      expect(await read()).toEqual({ type: "url", url });
    }
    expect(await pageAt(browser, address)).toContain("Change undone.");
    expect(await pageAt(browser, address)).not.toContain("Change undone.");
  });

  it("offers the same for folders, templates and pages", async () => {
    await browser.submit("/dashboard/folders", { name: "Cafés" });
    const [, folder = ""] =
      /\/dashboard\/folders\/([0-9a-f-]+)\/edit/.exec(await pageAt(browser, "/dashboard/folders")) ?? [];
    await browser.submit("/dashboard/templates/new", { name: "House" });
    const [, template = ""] =
      /\/dashboard\/templates\/([0-9a-f-]+)\/edit/.exec(await pageAt(browser, "/dashboard/templates")) ?? [];
    const empty = fieldsOf(await pageAt(browser, "/dashboard/pages/new"));
    await browser.submit("/dashboard/pages/new", { ...empty, title: "Fair" });
    const [, hosted = ""] =
      /\/dashboard\/pages\/([0-9a-f-]{36})/.exec(await pageAt(browser, "/dashboard/pages")) ?? [];
    for (const [area, id, field, name] of [
      ["folders", folder, "name", "Cafés"],
      ["templates", template, "name", "House"],
      ["pages", hosted, "title", "Fair"],
    ] as const) {
      clock.advance(1000);
      const form = fieldsOf(await pageAt(browser, `/dashboard/${area}/${id}/edit`));
      await browser.submit(`/dashboard/${area}/${id}/edit`, { ...form, [field]: "Other" });
      const shown = await pageAt(browser, `${path}?object=${id}`);
      expect(shown).toContain("/revert");
      clock.advance(1000);
      const [, request = ""] = /Request <span class="address">([^<]+)/.exec(shown) ?? [];
      await browser.submit(`${path}/undo`, { object: id, request, back: path });
      expect(linesOf(await pageAt(browser, path))[0]).toMatch(
        new RegExp(` restored the .* of the .* ${name}$`),
      );
    }
  });

  it("puts a change back, returns to the page, and says why it can't", async () => {
    const qr = await client.createQr({ name: "Menu" });
    await edit(qr.id, { name: "Lunch" });
    const codePath = `/dashboard/codes/${qr.id}/history`;
    const [revert = ""] =
      /\/dashboard\/history\/[0-9a-f-]+\/revert/.exec(await pageAt(browser, codePath)) ?? [];
    const other = await signedIn(service);
    expect((await other.browser.submit(revert, {})).status).toBe(404);
    const answer = await browser.submit(revert, { back: codePath });
    expect(answer.headers.get("location")?.endsWith(codePath)).toBe(true);
    expect(linesOf(await pageAt(browser, codePath))[0]).toMatch(/ restored the name of Menu$/);
    const marked = await pageAt(browser, codePath);
    expect(marked.match(/class="was-undone/g)).toHaveLength(1);
    expect(marked).not.toContain(revert);
    const again = await browser.submit(revert, { back: "https://evil.example/" });
    expect(again.status).toBe(400);
    const page = await again.text();
    expect(page).toContain("That can&#39;t be undone");
    expect(page).toMatch(/name changed since/i);
    expect(page).not.toContain("evil.example");
  });

  it("offers nothing to undo to a viewer", async () => {
    const qr = await client.createQr({ name: "Menu" });
    await edit(qr.id, { name: "Lunch" });
    const { cookie } = await service.sessionIn(client.workspaceId, "viewer");
    browser.cookies.set("session", cookie.replace("session=", ""));
    const page = await pageAt(browser, path);
    expect(linesOf(page)).toHaveLength(2);
    expect(page).not.toContain("/revert");
  });

  it("of one code is on its page, and has its changes alone", async () => {
    const [one] = [await client.createQr({ name: "One" }), await client.createQr({ name: "Two" })];
    await edit(one.id, { status: "paused" });
    const page = await pageAt(browser, `/dashboard/codes/${one.id}/history`);
    expect(linesOf(page).map((line) => line.replace(/^\S+ \(API key\) /, ""))).toEqual([
      "paused One",
      "created the code One",
    ]);
    expect(await pageAt(browser, `/dashboard/codes/${one.id}`)).toContain(
      `href="/dashboard/codes/${one.id}/history"`,
    );
    const other = await signedIn(service);
    expect((await other.browser.open(`/dashboard/codes/${one.id}/history`)).status).toBe(404);
    expect(linesOf(await pageAt(other.browser, path))).toEqual([]);
  });
});
