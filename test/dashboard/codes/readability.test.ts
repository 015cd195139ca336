import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, signedIn } from "../../support/dashboard.ts";
import { PrintHarness } from "../../support/images/prints.ts";

const { service } = new PrintHarness();
const desk = "/dashboard/print";
let browser: Browser;
let fine: Qr;
let bad: Qr;
let waiting: Qr;

/** As the sweep marks a code. */
const mark = (id: string, readable: 0 | null) =>
  env.DB.prepare("UPDATE qr_codes SET readable = ?, version = version + 1 WHERE id = ?")
    .bind(readable, id)
    .run();

beforeAll(async () => {
  const me = await signedIn(service);
  ({ browser } = me);
  fine = await me.client.createQr({ name: "Fine" });
  bad = await me.client.createQr({ name: "Bad", shape: "circle" });
  waiting = await me.client.createQr({ name: "Waiting", shape: "circle" });
  await mark(bad.id, 0);
  await mark(waiting.id, null);
});

describe("a code whose design phones can't read, or that is not yet measured", () => {
  it("is marked in the list, on its page and above its form", async () => {
    const list = await pageAt(browser, "/dashboard/codes");
    expect(list.match(/>(Unreadable|Not yet measured)</g)).toHaveLength(2);
    for (const [{ id }, word, text] of [
      [bad, "Unreadable", "Phones can't read the design of this code reliably"],
      [waiting, "Not yet measured", "The design of this code is not yet measured"],
    ] as const) {
      const page = await pageAt(browser, `/dashboard/codes/${id}`);
      expect(page).toContain(`>${word}<`);
      expect(page.replaceAll("&#39;", "'")).toContain(text);
      expect((await pageAt(browser, `/dashboard/codes/${id}/edit`)).replaceAll("&#39;", "'")).toContain(text);
    }
    expect(await pageAt(browser, `/dashboard/codes/${fine.id}`)).not.toContain("Unreadable");
  });

  it("is named in a notice on every other page", async () => {
    const named = `<a href="/dashboard/codes/${bad.id}">Bad</a>`;
    expect(await pageAt(browser, "/dashboard/settings/account")).toContain(named);
    expect(await pageAt(browser, `/dashboard/codes/${bad.id}`)).not.toContain(named);
  });
});

describe("printing", () => {
  it.each([
    [desk, "pdf", "application/pdf", "Print anyway"],
    [`${desk}/images`, "zip", "application/zip", "Download anyway"],
  ])("asks once about codes that can't be read: %s", async (path, file, mediaType, button) => {
    const send = (fields: Record<string, string>) => browser.submit(path, { ...fields, file });
    const ids = `${fine.id} ${bad.id}`;
    const asked = await send(fieldsOf(await pageAt(browser, `${path}?ids=${encodeURIComponent(ids)}`)));
    const page = await asked.text();
    expect(page).toContain(button);
    const answered = await send(fieldsOf(page));
    expect(answered.headers.get("content-type")).toBe(mediaType);
    await answered.arrayBuffer();
    const others = `${fine.id} ${waiting.id}`;
    const unasked = await send(fieldsOf(await pageAt(browser, `${path}?ids=${encodeURIComponent(others)}`)));
    expect(unasked.headers.get("content-type")).toBe(mediaType);
    await unasked.arrayBuffer();
  });

  it("asks before the PDF of one", async () => {
    const page = `/dashboard/codes/${bad.id}`;
    expect(await pageAt(browser, page)).toContain(`href="${page}/print"`);
    const asked = await pageAt(browser, `${page}/print`);
    expect(asked).toContain(`href="${page}/image?format=pdf&amp;download"`);
    expect(await pageAt(browser, `/dashboard/codes/${fine.id}`)).not.toContain('/print"');
  });
});
