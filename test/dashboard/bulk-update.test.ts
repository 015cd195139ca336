import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/qr.ts";
import type { Browser } from "../support/browser.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { origin } from "../support/service.ts";

const harness = new BulkHarness();
const path = "/dashboard/codes/bulk";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(harness.service);
  ({ browser } = me);
});

const read = (id: string) => me.client.expect(200, Qr, "GET", `/qr/${id}`);

/** Submits a form of a bulk update. @returns the page that answers it */
async function step(fields: Record<string, string>, status = 200): Promise<string> {
  const answer = await browser.submit(path, fields);
  const page = await answer.text();
  expect({ status: answer.status, page }).toEqual({ status, page: expect.anything() });
  return page;
}

/** Confirms what a page shows, and runs the job. @returns the path of the job's page */
async function confirm(review: string): Promise<string> {
  const answer = await browser.submit(path, { ...fieldsOf(review), step: "start" });
  expect(answer.status).toBe(303);
  await harness.drain();
  return answer.headers.get("location")?.replace(origin, "") ?? "";
}

describe("selecting codes", () => {
  it("is by a box in each row, and by a link for all that the search finds", async () => {
    const [a, b] = [await me.client.createQr({ name: "A" }), await me.client.createQr({ name: markup })];
    const list = await pageAt(browser, "/dashboard/codes");
    for (const { id } of [a, b]) expect(list).toContain(`name="id" value="${id}"`);
    expect(list).toContain("Change all 2 codes");
    expect(list).not.toContain("<img src=x");
    const found = await pageAt(browser, "/dashboard/codes?q=tag%3A%22two+words%22");
    expect(found).toContain("No results");
    const searched = await pageAt(browser, "/dashboard/codes?q=status:active");
    expect(searched).toContain('href="/dashboard/codes/bulk?q=status%3Aactive"');
    expect(searched).toContain('hx-get="/dashboard/codes/matches?q=status%3Aactive"');
    const matches = (q: string) => pageAt(browser, `/dashboard/codes/matches?q=${q}`);
    expect(await matches("status%3Aactive")).toBe("Change all 2 that match");
    expect(await matches("type%3Anonsense")).toBe("Change all 0 that match");
    expect(await pageAt(browser, `${path}?q=status%3Aactive`)).toContain(
      "All 2 codes that match “status:active”",
    );
    expect(await pageAt(browser, `${path}?q=`)).toContain("All 2 codes of this workspace");
    // After a form was answered, its address can be opened anew: without ids, that is not all codes.
    expect(await pageAt(browser, path)).toContain("No code is ticked");
  });

  it("says so where nothing is ticked, or nothing matches", async () => {
    await me.client.createQr();
    expect(await step({ q: "" })).toContain("No code is ticked");
    expect(await step({ q: "", id: "nonsense" })).toContain("No code is ticked");
    expect(await pageAt(browser, `${path}?q=type:nonsense`)).toContain("No code matches");
    expect(await pageAt(browser, `${path}?q=nothing`)).toContain("No code matches");
  });

  it("takes more ids than an address, or another form, carries", async () => {
    const created = await harness.run(me.client, await harness.json(me.client, goodItems(900)));
    const ids = created.items.flatMap(({ createdQrId }) => createdQrId ?? []);
    const rest = await me.client.createQr({ name: "Rest" });
    const others = Array.from({ length: 3000 }, () => crypto.randomUUID());
    const choices = await step({ ids: [...ids, ...others].join(" "), q: "" });
    expect(choices).toContain("900 codes that you have ticked");
    const review = await step({ ...fieldsOf(choices), addTags: "summer" });
    expect(review).toContain("900 codes will be changed");
    expect(await pageAt(browser, await confirm(review))).toContain("3,900 of 3,900, 3,000 failed");
    expect((await read(ids[899] ?? "")).tags).toEqual(["summer"]);
    expect((await read(rest.id)).tags).toEqual([]);
  });
});

describe("a bulk change", () => {
  it("is looked at, goes back with the entries kept, and changes what was shown", async () => {
    const folder = await me.client.send("POST", "/folders", { name: markup });
    const { id: folderId } = (await folder.json()) as { id: string };
    const template = await (await harness.service.sessionIn(me.client.workspaceId)).send(
      "POST",
      "/developer/templates",
      { name: "Navy", colorConfig: { dotsColor: "#000080" } },
    );
    const { id: templateId } = (await template.json()) as { id: string };
    const data = { type: "url", url: "https://old.example/menu" } as const;
    const qr = await me.client.createQr({
      ...{ name: markup, tags: ["winter", "menu"], data },
      fallbackUrl: "https://old.example/closed",
    });
    const other = await me.client.createQr({ name: "Other" });
    const choices = await step({ id: qr.id, q: "menu" });
    const entries = {
      addTags: "summer, <b>new</b>",
      removeTags: "winter",
      folderId,
      status: "paused",
      templateId,
      shape: "circle",
      "replace.kind": "host",
      "replace.from": "old.example",
      "replace.to": "new.example",
    };
    const review = await step({ ...fieldsOf(choices), ...entries });
    expect(review).toContain("1 code will be changed");
    for (const [before, after] of [
      ["winter, menu", "menu, summer, &lt;b&gt;new&lt;/b&gt;"],
      ["old.example/menu", "new.example/menu"],
      ["https://old.example/closed", "https://new.example/closed"],
      ["Active", "Paused"],
      ["None", "&lt;img src=x onerror=alert(1)&gt;"],
      ["Standard", "Dots"],
      ["None", "Navy"],
      ["default, default, default", "#000080, default, default"],
    ]) {
      expect(review).toContain(`<del>${before}</del>`);
      expect(review).toContain(`<ins>${after}`);
    }
    expect(review).not.toContain("<img src=x");
    expect((await read(qr.id)).tags).toEqual(["winter", "menu"]);
    const back = await step({ ...fieldsOf(review), step: "choose" });
    expect(fieldsOf(back)).toMatchObject({ ...entries, ids: qr.id, q: "menu" });
    await confirm(await step(fieldsOf(back)));
    expect(await read(qr.id)).toMatchObject({
      tags: ["menu", "summer", "<b>new</b>"],
      folderId,
      templateId,
      status: "paused",
      shape: "circle",
      colorConfig: { dotsColor: "#000080" },
      data: { url: "https://new.example/menu" },
    });
    expect(await read(other.id)).toEqual(other);
  });

  it("reaches all that match the search, also by destination, and no other", async () => {
    const urls = ["https://a.example/1", "https://a.example/2", "https://b.example/1"];
    const codes = [];
    for (const url of urls) codes.push(await me.client.createQr({ data: { type: "url", url } }));
    const choices = await pageAt(browser, `${path}?q=to%3Aa.example`);
    const review = await step({ ...fieldsOf(choices), status: "paused" });
    expect(review).toContain("2 codes will be changed");
    await confirm(review);
    const states = [];
    for (const { id } of codes) states.push((await read(id)).status);
    expect(states).toEqual(["paused", "paused", "active"]);
  });

  it("is not started for more codes than were shown", async () => {
    await me.client.createQr({ tags: ["a"] });
    const choices = await pageAt(browser, `${path}?q=tag:a`);
    const review = await step({ ...fieldsOf(choices), step: "delete" });
    const late = await me.client.createQr({ tags: ["a"] });
    const again = await step({ ...fieldsOf(review), step: "start" }, 400);
    expect(again).toContain("matches 2 QR codes, not 1");
    expect(harness.queued).toEqual([]);
    expect(await read(late.id)).toEqual(late);
  });

  it("sets and removes colours", async () => {
    const qr = await me.client.createQr({ colorConfig: { cornerColor: "#111111" }, shape: "square" });
    const choices = await step({ id: qr.id });
    const fields = {
      ...fieldsOf(choices),
      setColors: "on",
      "colorConfig.dotsColor": "#123456",
      shape: "none",
    };
    await confirm(await step(fields));
    expect(await read(qr.id)).toMatchObject({
      colorConfig: { dotsColor: "#123456", backgroundColor: "#ffffff" },
      shape: null,
    });
    expect((await read(qr.id)).colorConfig).not.toHaveProperty("cornerColor");
    const faint = await step({ ...fields, "colorConfig.dotsColor": "#fefefe" });
    expect(faint).toContain("Fails:");
  });

  it("shows what is wrong at its field, and keeps the entries", async () => {
    const qr = await me.client.createQr();
    const choices = fieldsOf(await step({ id: qr.id }));
    const none = await step(choices, 400);
    expect(none).toContain("Choose at least one change.");
    const wrong = {
      ...choices,
      addTags: "x".repeat(101),
      "replace.from": "https://not a host",
      "replace.to": "b.example",
    };
    const page = await step(wrong, 400);
    expect(fieldsOf(page)).toEqual(wrong);
    expect(page).toContain('id="addTags-problem"');
    expect(page).toContain('id="replace.from-problem"');
    const same = await step({ ...choices, addTags: "a, b", removeTags: "b" }, 400);
    expect(same).toContain('id="removeTags-problem"');
    const folder = await step({ ...choices, folderId: "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71" }, 400);
    expect(folder).toMatch(/Folder [a-z ]*not/);
    const review = fieldsOf(await step({ ...choices, addTags: "a" }));
    await step({ ...review, addTags: "x".repeat(101), step: "start" }, 400);
    expect(harness.queued).toEqual([]);
  });

  it("is started once, however often its form is sent", async () => {
    const qr = await me.client.createQr();
    const review = await step({ ...fieldsOf(await step({ id: qr.id })), addTags: "a" });
    const [first, second] = [await confirm(review), await confirm(review)];
    expect(second).toBe(first);
    const again = await step({ ...fieldsOf(await step({ id: qr.id })), addTags: "a" });
    expect(await confirm(again)).not.toBe(first);
  });

  it("changes nothing of another workspace", async () => {
    const mine = await me.client.createQr();
    const other = await signedIn(harness.service);
    const theirs = await other.client.createQr({ name: "Secret" });
    expect(await step({ id: theirs.id })).toContain("No code is ticked");
    const fields = { ids: `${mine.id} ${theirs.id}`, step: "look", status: "paused", q: "" };
    const review = await step(fields);
    expect(review).toContain("1 code will be changed");
    expect(review).not.toContain("Secret");
    const job = await pageAt(browser, await confirm(review));
    expect(job).toContain("2 of 2, 1 failed");
    expect(job).not.toContain("Secret");
    expect(await other.client.expect(200, Qr, "GET", `/qr/${theirs.id}`)).toEqual(theirs);
  });
});

describe("deleting many codes", () => {
  it("is asked about, says that codes can be restored, and leaves the others", async () => {
    const [a, b] = [await me.client.createQr({ tags: ["old"] }), await me.client.createQr()];
    const choices = await pageAt(browser, `${path}?q=tag:old`);
    const review = await step({ ...fieldsOf(choices), addTags: "left", step: "delete" });
    expect(review).toContain("<h1>Delete 1 code?</h1>");
    expect(review).toContain("Their scans stop working at once");
    expect(review).toContain("You can restore a code for 30 days");
    expect(fieldsOf(await step({ ...fieldsOf(review), step: "choose" }))).toMatchObject({ addTags: "left" });
    expect((await read(a.id)).status).toBe("active");
    await confirm(review);
    expect((await me.client.send("GET", `/qr/${a.id}`)).status).toBe(404);
    expect(await read(b.id)).toEqual(b);
    expect((await me.client.send("POST", `/qr/${a.id}/restore`)).status).toBe(200);
  });
});
