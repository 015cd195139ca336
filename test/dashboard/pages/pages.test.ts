import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Page } from "../../../src/contract/resources/pages.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { setFormClosed } from "../../../src/domain/pages/pages.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import type { Browser } from "../../support/browser.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { fillIn, makePage } from "../../support/hosted-pages.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { Service, type SessionClient } from "../../support/service.ts";
import { suspensionPath } from "../../support/suspension.ts";

const service = new Service();
const path = "/dashboard/pages";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;
let session: SessionClient;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
  session = await service.sessionIn(me.client.workspaceId);
});

const form = { fields: [{ type: "email", name: "email", label: "Email" }] };
const make = (input: object = {}) => makePage({ client: me.client, session }, input);
const suspend = ({ id }: Page, reason: string) =>
  service.operator.send("PUT", suspensionPath("pages", id), { reason });
const makeCode = ({ id }: Page, name: string) =>
  me.client.createQr({ qrType: "servicepage", name, data: { type: "servicepage", pageId: id } });

/** The figures and states of a page in the list, as text; undefined if it isn't there. */
async function cardOf({ id }: Page): Promise<string | undefined> {
  const list = await pageAt(browser, path);
  const card = list
    .split('class="page-card"')
    .slice(1)
    .find((each) => each.includes(`${path}/${id}"`));
  return card
    ?.replace(/^.*?<\/a>/s, "")
    .replace(/<p class="small quiet">Scans by.*/s, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
}

describe("the list of pages", () => {
  it("leads on when it is empty, and says that a plan has none", async () => {
    expect(await pageAt(browser, path)).toContain("No pages yet");
    expect(await pageAt(browser, path)).toContain(`href="${path}/new"`);
    const free = await signedIn(service, "free");
    const list = await pageAt(free.browser, path);
    expect(list).toContain("Your Free plan doesn&#39;t include hosted pages");
    expect(list).not.toContain(`href="${path}/new"`);
  });

  it("has scans, submissions, codes and the state of each page", async () => {
    const page = await make({ title: markup, form });
    const code = await makeCode(page, "A");
    const deleted = await makeCode(page, "B");
    await me.client.send("DELETE", `/qr/${deleted.id}`);
    await fillIn(service, page, { email: "ada@example.com" });
    const plain = await make({ title: "Plain" });
    const stranger = await signedIn(service);
    const theirs = await service.sessionIn(stranger.client.workspaceId);
    const other = await makePage({ client: stranger.client, session: theirs });
    const at = service.deps.now();
    const scan = scanRecord({ at, workspaceId: session.workspaceId, qrId: code.id, hash: code.hash });
    await service.deps.ledger(session.workspaceId).recordScans(packed(scan), at);
    expect(await cardOf(page)).toMatch(/^ 1 scan 1 submission 1 code Form open /);
    expect(await cardOf(plain)).toMatch(/^ 0 scans 0 submissions 0 codes No form /);
    expect(await cardOf(other)).toBeUndefined();
    await setFormClosed(service.deps, serviceContext(session.workspaceId, "business"), page.id, true);
    expect(await cardOf(page)).toContain("Form closed");
    await suspend(plain, "Spam");
    expect(await cardOf(plain)).toContain("Suspended");
    expect(await pageAt(browser, path)).not.toContain("<img src=x");
  });

  it("is paged", async () => {
    const { id } = await make({ title: "Page 25" });
    const copy = env.DB.prepare(
      `INSERT INTO pages (id, workspace_id, version, content, created_at, updated_at)
       SELECT ?1, workspace_id, version, json_set(content, '$.title', ?2), created_at, updated_at
       FROM pages WHERE id = ?3`,
    );
    const older = (i: number) => copy.bind(newId(Date.now() - (25 - i) * 1000), `Page ${i}`, id);
    await env.DB.batch(Array.from({ length: 25 }, (_, i) => older(i)));
    const first = await pageAt(browser, path);
    expect(first).toContain("Page 25");
    expect(first).not.toContain(">Page 0<");
    const next = /rel="next" href="([^"]*)"/.exec(first)?.[1] ?? "";
    expect(await pageAt(browser, next)).toMatch(/Page 0\s*</);
    await pageAt(browser, `${path}?cursor=nonsense`, 400);
  });
});

describe("a page", () => {
  it("leads to its codes, and to a new one", async () => {
    const page = await make({ form });
    const alone = await pageAt(browser, `${path}/${page.id}`);
    expect(alone).toContain("No code leads to this page yet");
    const newCode = `/dashboard/codes/new?type=servicepage&data.pageId=${page.id}`;
    expect(alone).toContain(newCode.replaceAll("&", "&amp;"));
    expect(await pageAt(browser, newCode)).toMatch(new RegExp(`<option value="${page.id}" selected`));
    const code = await makeCode(page, markup);
    const shown = await pageAt(browser, `${path}/${page.id}`);
    expect(shown).toContain(`href="/dashboard/codes/${code.id}"`);
    expect(shown).not.toContain("No code leads");
    expect(shown).not.toContain("<img src=x");
    await suspend(page, "Reported as spam");
    expect(await pageAt(browser, `${path}/${page.id}`)).toContain("Reported as spam");
  });

  it("is deleted unless codes lead to it, which are named", async () => {
    const page = await make({ form });
    await fillIn(service, page, { email: "ada@example.com" });
    const { id } = await makeCode(page, "Poster");
    // Six others.
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
       INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, name, data, tags, status, created_at, updated_at)
       SELECT id || ' ' || i, workspace_id, hash || i, version, qr_type, 'Poster ' || i, data, tags, status, created_at,
         updated_at
       FROM qr_codes, n WHERE id = ?`,
    )
      .bind(id)
      .run();
    const address = `${path}/${page.id}/delete`;
    const refused = await pageAt(browser, address);
    expect(refused).toContain("7 codes lead to Summer fair");
    expect(refused).toContain("Poster ");
    expect(refused).toContain("and 2 more");
    const answer = await browser.submit(address, {});
    expect([answer.status, (await answer.text()).includes("7 codes lead")]).toEqual([400, true]);
    await env.DB.prepare("UPDATE qr_codes SET deleted_at = 1 WHERE workspace_id = ?")
      .bind(me.client.workspaceId)
      .run();
    expect(await pageAt(browser, address)).toContain("Its 1 submission is kept until you erase");
    expect((await browser.submit(address, {})).status).toBe(303);
    expect(await pageAt(browser, path)).toContain("Page deleted.");
    await pageAt(browser, `${path}/${page.id}`, 404);
    expect(await pageAt(browser, `${path}/${page.id}/submissions`)).toContain("ada@example.com");
    const row = await env.DB.prepare("SELECT deleted_at FROM pages WHERE id = ?").bind(page.id).first();
    expect(row?.deleted_at).not.toBeNull();
  });
});
