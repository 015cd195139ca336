import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { erasableRows, eraseRows } from "../../../src/store/operations/erasure.ts";
import { eraseWorkspacePages } from "../../../src/store/workspaces/deletion.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { wholePage as all, makePage } from "../../support/hosted-pages.ts";
import { Service, type SessionClient } from "../../support/service.ts";

const service = new Service();
const path = "/dashboard/pages";
let me: SignedInBrowser;
let session: SessionClient;
let page: Page;
let edit: string;

const browserOf = ({ cookie }: SessionClient): Browser => {
  const browser = new Browser(service);
  browser.cookies.set("session", cookie.replace("session=", ""));
  return browser;
};

beforeEach(async () => {
  me = await signedIn(service);
  session = await service.sessionIn(me.client.workspaceId);
  page = await makePage({ client: me.client, session }, all);
  edit = `${path}/${page.id}/edit`;
});

const stored = () => session.expect(200, Page, "GET", `/developer/pages/${page.id}`);
const rowOfDraft = () => env.DB.prepare("SELECT * FROM page_drafts WHERE page_id = ?").bind(page.id).first();

/** Submits the editor as it is shown, changed. */
async function submit(
  editor: string,
  save: "draft" | "publish",
  changes: Record<string, string> = {},
  browser = me.browser,
): Promise<{ status: number; page: string }> {
  const answer = await browser.submit(edit, { ...fieldsOf(editor), ...changes, save });
  return { status: answer.status, page: await answer.text() };
}

/** Opens the editor, changes it and saves the draft. */
async function draft(changes: Record<string, string>, browser = me.browser): Promise<void> {
  const { status, page: shown } = await submit(await pageAt(browser, edit), "draft", changes, browser);
  if (status !== 303) throw new Error(`the draft was not saved: ${shown}`);
}

describe("the draft of a page", () => {
  it("may be unfinished, is there for all editors with who and when, and changes nothing", async () => {
    const before = await stored();
    const unfinished = {
      title: "",
      "blocks.1.url": "not yet",
      "form.fields.0.label": "",
      "form.fields.0.name": "",
      "form.fields.4.options": "Yes",
      "colors.accent": "gol",
      otherLanguage: "!",
      language: "",
    };
    await draft(unfinished);
    expect(await stored()).toEqual(before);
    const { items } = await session.expect(200, HistoryList, "GET", "/developer/history");
    expect(items.map(({ action }) => action)).toEqual(["page.created"]);
    const other = browserOf(await service.sessionIn(me.client.workspaceId, "editor"));
    const editor = await pageAt(other, edit);
    expect(fieldsOf(editor)).toMatchObject(unfinished);
    expect(editor).toMatch(/saved a draft on \d+ \w+ \d{4}, \d\d:\d\d/);
    expect(await pageAt(other, `${path}/${page.id}`)).toContain("saved a draft on");
    expect(await pageAt(other, path)).toContain(">Draft<");
    const { status, page: refused } = await submit(editor, "publish", {}, other);
    expect(status).toBe(400);
    for (const problem of [
      "Enter a title.",
      "Enter a label for field 1 (text).",
      "Options for field 5 (choice)",
    ]) {
      expect(refused).toContain(problem);
    }
    expect(await stored()).toEqual(before);
    const finished = {
      title: "Winter fair",
      "blocks.1.url": "example.com",
      "form.fields.0.label": "Who?",
      "form.fields.4.options": "Yes\nNo",
      "colors.accent": "gold",
      otherLanguage: "pt-BR",
    };
    expect((await submit(refused, "publish", finished, other)).status).toBe(303);
    expect(await stored()).toMatchObject({
      title: "Winter fair",
      form: { fields: [{ name: "who" }, {}, {}, {}, {}, {}] },
    });
    expect(await rowOfDraft()).toBeNull();
    expect(await pageAt(other, `${path}/${page.id}`)).not.toContain("saved a draft on");
  });

  it("is compared with what someone else has saved since the editor was opened", async () => {
    const editor = await pageAt(me.browser, edit);
    const answers = await Promise.all(
      ["Saturday.", "Sunday."].map((intro) => submit(editor, "draft", { intro })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    const [own, theirs] = refused === 0 ? ["Saturday.", "Sunday."] : ["Sunday.", "Saturday."];
    const shown = answers[refused]?.page ?? "";
    expect(shown).toContain("The draft has changed since you opened this form");
    expect(shown).toContain(`Introduction: ${theirs}`);
    expect(fieldsOf(shown).intro).toBe(own);
    // Publishing would also discard what the other person saved.
    expect((await submit(editor, "publish", { intro: "Monday." })).status).toBe(409);
    expect((await stored()).intro).toBe(all.intro);
    expect((await submit(shown, "draft")).status).toBe(303);
    expect(fieldsOf(await pageAt(me.browser, edit)).intro).toBe(own);
    // The same entries are no conflict.
    expect((await submit(editor, "draft", { intro: own ?? "" })).status).toBe(303);
  });

  it("says that the page has changed since it was begun, and asks before it replaces that", async () => {
    await draft({ intro: "Sunday." });
    await session.expect(200, Page, "PATCH", `/developer/pages/${page.id}`, { title: "Winter fair" });
    const editor = await pageAt(me.browser, edit);
    expect(editor).toContain(
      "The page has changed since this draft was begun. They differ in: title, introduction.",
    );
    // A draft replaces no page.
    expect((await submit(editor, "draft", { intro: "Monday." })).status).toBe(303);
    const { status, page: asked } = await submit(await pageAt(me.browser, edit), "publish");
    expect(status).toBe(409);
    expect(asked).toContain("Title: Winter fair");
    expect((await submit(asked, "publish")).status).toBe(303);
    expect(await stored()).toMatchObject({ title: all.title, intro: "Monday." });
    expect(await rowOfDraft()).toBeNull();
  });

  it("is discarded by the version that was shown", async () => {
    const discard = `${path}/${page.id}/draft/discard`;
    await pageAt(me.browser, discard, 404);
    await draft({ intro: "Sunday." });
    const asked = await pageAt(me.browser, discard);
    expect(asked).toContain("saved a draft on");
    await draft({ intro: "Monday." });
    const again = await me.browser.submit(discard, fieldsOf(asked));
    expect([again.status, (await rowOfDraft())?.version]).toEqual([200, 2]);
    expect((await me.browser.submit(discard, fieldsOf(await again.text()))).status).toBe(303);
    expect(await rowOfDraft()).toBeNull();
    expect(fieldsOf(await pageAt(me.browser, edit)).intro).toBe(all.intro);
  });

  it("comes back with a deleted page, and is erased with its values, by whichever way", async () => {
    await draft({ intro: "Sunday." });
    const counted = async () =>
      (
        await env.DB.prepare(
          `SELECT stored_bytes - (SELECT coalesce(sum(bytes), 0) FROM pages WHERE workspace_id = w.id)
             - (SELECT coalesce(sum(bytes), 0) FROM page_drafts WHERE workspace_id = w.id) AS others
           FROM workspaces w WHERE id = ?`,
        )
          .bind(session.workspaceId)
          .first<{ others: number }>()
      )?.others;
    expect(await counted()).toBe(0);
    await draft({ intro: "A longer one.".repeat(50) });
    expect(await counted()).toBe(0);
    expect(await pageAt(me.browser, `${path}/${page.id}/delete`)).toContain("with its draft");
    await me.browser.submit(`${path}/${page.id}/delete`, {});
    await pageAt(me.browser, edit, 404);
    await me.browser.submit(`${path}/${page.id}/restore`, {});
    expect(fieldsOf(await pageAt(me.browser, edit)).intro).toContain("A longer one.");
    await me.browser.submit(`${path}/${page.id}/delete`, {});
    for (const rows of erasableRows) await eraseRows(env.DB, rows, Date.now() + 1, Date.now(), 500);
    expect(await rowOfDraft()).toBeNull();
    expect(await counted()).toBe(0);

    page = await makePage({ client: me.client, session }, all);
    edit = `${path}/${page.id}/edit`;
    await draft({ intro: "Sunday." });
    await eraseWorkspacePages(env.DB, session.workspaceId, Date.now(), 500);
    expect(await rowOfDraft()).toBeNull();
  });

  it("is bounded, counts towards the workspace's storage, and has blocks and fields of known types", async () => {
    const editor = await pageAt(me.browser, edit);
    const long = await submit(editor, "draft", { intro: "x".repeat(33_000) });
    expect([long.status, long.page.includes("Page can have at most 32768 bytes of JSON")]).toEqual([
      400,
      true,
    ]);
    expect((await submit(editor, "draft", { intro: "x".repeat(129 * 1024) })).status).toBe(413);
    const strange = await submit(editor, "draft", { "blocks.0.type": "script" });
    expect(strange.status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`blocks.${i}.type`, "text"]));
    const more = await submit(editor, "draft", many);
    expect([more.status, more.page.includes("can have at most 50 entries")]).toEqual([400, true]);
    await env.DB.prepare("UPDATE workspaces SET max_stored_bytes = stored_bytes + 100 WHERE id = ?")
      .bind(session.workspaceId)
      .run();
    expect((await submit(editor, "draft", { intro: "Sunday." })).status).toBe(402);
    expect(await rowOfDraft()).toBeNull();
  });

  it("can be seen and changed only by people of its workspace who may edit pages", async () => {
    await draft({ intro: "Sunday." });
    const viewer = browserOf(await service.sessionIn(me.client.workspaceId, "viewer"));
    const discard = `${path}/${page.id}/draft/discard`;
    for (const address of [edit, discard]) {
      await pageAt(viewer, address, 403);
      expect((await viewer.submit(address, { save: "draft", title: "Mine", version: "1" })).status).toBe(403);
    }
    expect(await pageAt(viewer, `${path}/${page.id}`)).not.toContain("saved a draft on");
    expect(await pageAt(viewer, path)).not.toContain(">Draft<");
    const stranger = await signedIn(service);
    for (const address of [edit, discard]) {
      await pageAt(stranger.browser, address, 404);
      expect(
        (await stranger.browser.submit(address, { save: "draft", title: "Mine", version: "1" })).status,
      ).toBe(404);
    }
    expect(await rowOfDraft()).toMatchObject({ version: 1 });
  });
});
