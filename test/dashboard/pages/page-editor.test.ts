import { beforeEach, describe, expect, it } from "vitest";
import { Page, PageList } from "../../../src/contract/resources/pages.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { wholePage as all, makePage } from "../../support/hosted-pages.ts";
import { origin, Service, type SessionClient } from "../../support/service.ts";

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

const make = (input: object = {}) => makePage({ client: me.client, session }, input);
const stored = async (): Promise<Page[]> =>
  (await session.expect(200, PageList, "GET", "/developer/pages")).items;

async function only(): Promise<Page> {
  const [page, ...others] = await stored();
  if (page === undefined || others.length > 0) throw new Error("there is not one page");
  return page;
}

/** Submits the editor as the page has it, changed, and follows it to a page. */
async function submit(
  address: string,
  page: string,
  changes: Record<string, string> = {},
): Promise<{ status: number; page: string }> {
  const answer = await browser.submit(address, { ...fieldsOf(page), ...changes });
  return { status: answer.status, page: await answer.text() };
}

describe("the editor", () => {
  it("makes one page of a form that is submitted twice, and another of a form of its own", async () => {
    const editor = await pageAt(browser, `${path}/new`);
    const send = (page: string) => browser.submit(`${path}/new`, { ...fieldsOf(page), title: "Summer fair" });
    const answers = await Promise.all([send(editor), send(editor)]);
    answers.push(await send(editor));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const page = await only();
    const addresses = answers.map(({ headers }) => headers.get("location"));
    expect(new Set(addresses)).toEqual(new Set([`${origin}${path}/${page.id}`]));
    await send(await pageAt(browser, `${path}/new`));
    expect(await stored()).toHaveLength(2);
  });

  it("makes a page without scripts: buttons add, move and remove, and store nothing", async () => {
    const path0 = `${path}/new`;
    let editor = await pageAt(browser, path0);
    const press = async (button: string, changes: Record<string, string> = {}) => {
      const answer = await submit(path0, editor, { ...changes, do: button });
      expect(answer.status).toBe(200);
      editor = answer.page;
    };
    await press("blocks.add.text", { title: markup });
    await press("blocks.add.link", { "blocks.0.text": "First" });
    expect(editor).toMatch(/<input[^>]* id="blocks\.1\.label"[^>]* autofocus/);
    await press("blocks.add.image", { "blocks.1.label": "Programme", "blocks.1.url": "example.com" });
    await press("blocks.up.1");
    expect(fieldsOf(editor)).toMatchObject({ "blocks.0.label": "Programme", "blocks.1.text": "First" });
    expect(editor).toMatch(/<button[^>]* id="blocks\.0\.up"[^>]* autofocus/);
    await press("blocks.remove.2");
    for (const what of ["text", "lines", "email", "phone", "choice", "checkbox"]) {
      await press(`fields.add.${what}`);
    }
    await press("fields.down.0");
    expect(await stored()).toEqual([]);
    const labels = ["A message", "Your  name!", "E-Mail", "Your name", "Größe", "2 私は"];
    const changes = Object.fromEntries(labels.map((label, i) => [`form.fields.${i}.label`, label]));
    const saved = await submit(path0, editor, {
      ...changes,
      "form.fields.1.required": "on",
      "form.fields.4.options": "S\r\n\r\n M \n",
    });
    expect(saved.status).toBe(303);
    const page = await only();
    expect(page).toMatchObject({
      title: markup,
      blocks: [
        { type: "link", label: "Programme", url: "https://example.com" },
        { type: "text", text: "First" },
      ],
      form: {
        fields: [
          { type: "text", name: "a_message", multiline: true, required: false },
          { type: "text", name: "your_name", multiline: false, required: true },
          { type: "email", name: "e_mail" },
          { type: "phone", name: "your_name_2" },
          { type: "choice", name: "grosse", options: ["S", "M"] },
          { type: "checkbox", name: "field" },
        ],
        button: null,
        thanks: null,
      },
      colors: null,
      header: null,
      look: "plain",
      scheme: "auto",
      language: "en",
    });
    const shown = await pageAt(browser, `${path}/${page.id}`);
    expect(shown).toContain("Page created.");
    expect(shown).toContain(`/dashboard/codes/new?type=servicepage&amp;data.pageId=${page.id}`);
    expect(shown).not.toContain("<img src=x");
  });

  it("saves a page as it is shown without a change, and only what was changed", async () => {
    const { id } = await make(all);
    const before = await only();
    expect(before).toMatchObject(all);
    const edit = `${path}/${id}/edit`;
    const editor = await pageAt(browser, edit);
    expect((await submit(edit, editor)).status).toBe(303);
    expect(await only()).toEqual(before);
    await submit(edit, editor, {
      "colors.accent": "#ffffff",
      language: "de",
      "header.url": "",
      look: "bold",
    });
    expect(await only()).toMatchObject({
      ...all,
      colors: { ...all.colors, accent: "#ffffff" },
      header: null,
      look: "bold",
      language: "de",
    });
  });

  it("says what is wrong beside each field, and keeps what was entered", async () => {
    const edit = `${path}/${(await make(all)).id}/edit`;
    const before = await only();
    const wrong = {
      title: "",
      "blocks.1.url": "javascript:alert(1)",
      "form.fields.4.options": "Yes",
      "form.fields.0.name": "1",
      language: "",
      otherLanguage: "Klingon!",
      "header.alt": markup,
      "header.url": "",
    };
    const { status, page } = await submit(edit, await pageAt(browser, edit), wrong);
    expect(status).toBe(400);
    expect(page).toContain("Enter a title.");
    expect(page).toContain("Options must have at least two entries");
    expect(page).toContain('aria-describedby="form.fields.4.options-problem form.fields.4.options-hint"');
    expect(page).toContain("Options for field 5 (choice) must have at least two entries");
    expect(page).toContain("Field name must begin with a letter");
    expect(page).toContain("Language must be a language tag such as en or pt-BR");
    expect(page).toContain("Enter an image URL.");
    expect(fieldsOf(page)).toMatchObject(wrong);
    expect(page).not.toContain("<img src=x");
    const { page: second } = await submit(edit, await pageAt(browser, edit), {
      "blocks.1.url": "javascript:alert(1)",
    });
    expect(second).toMatch(/id="blocks\.1\.url-problem">.*?<span>\s*Destination /s);
    const { page: third } = await submit(edit, await pageAt(browser, edit), { "colors.text": "#000090" });
    expect(third).toContain("Text needs more contrast: text and background have");
    expect(third).toContain("hard to read: needs 4.5:1");
    expect(await only()).toEqual(before);
  });

  it("says contrasts while colours are chosen", async () => {
    const query = "colors.background=%23ffffff&colors.text=%23767676&colors.accent=%23eeeeee";
    const notes = await pageAt(browser, `${path}/contrast?${query}`);
    expect(notes).toContain("Text on the background: 4.54:1, readable");
    expect(notes).toContain("Buttons on the background: 1.16:1, hard to read: needs 3:1");
  });

  it("shows what another user saved since it was opened, and replaces it the second time", async () => {
    const { id } = await make(all);
    const edit = `${path}/${id}/edit`;
    const editor = await pageAt(browser, edit);
    const change = { title: "Winter fair", blocks: [] };
    await session.expect(200, Page, "PATCH", `/developer/pages/${id}`, change);
    const { status, page } = await submit(edit, editor, { intro: "Sunday." });
    expect(status).toBe(409);
    expect(page).toContain("The page has changed since you opened this form");
    expect(page).toContain("Title: Winter fair");
    expect(page).toContain("Blocks: 0 blocks");
    expect(page).not.toContain("Look: ");
    expect((await only()).title).toBe("Winter fair");
    expect((await submit(edit, page)).status).toBe(303);
    expect(await only()).toMatchObject({ ...all, intro: "Sunday." });
  });

  it("does not overwrite what a second editor saved at the same moment", async () => {
    const { id } = await make(all);
    const edit = `${path}/${id}/edit`;
    const editor = await pageAt(browser, edit);
    const intros = ["Saturday.", "Sunday."];
    const answers = await Promise.all(intros.map((intro) => submit(edit, editor, { intro })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    expect(answers[refused]?.page).toContain(`Introduction: ${intros[1 - refused]}`);
    expect(fieldsOf(answers[refused]?.page ?? "").intro).toBe(intros[refused]);
    expect((await only()).intro).toBe(intros[1 - refused]);
  });

  it("opens only on plans with hosted pages, and for the workspace's own", async () => {
    const free = await signedIn(service, "free");
    const refused = await pageAt(free.browser, `${path}/new`);
    expect(refused).toContain("Your Free plan doesn&#39;t include hosted pages");
    expect(refused).not.toContain('name="title"');
    const { id } = await make();
    for (const each of ["", "/edit", "/delete", "/submissions", "/submissions/erase?id=1"]) {
      await pageAt(free.browser, `${path}/${id}${each}`, 404);
    }
    const answer = await free.browser.submit(`${path}/${id}/edit`, { title: "Mine" });
    expect(answer.status).toBe(404);
  });
});
