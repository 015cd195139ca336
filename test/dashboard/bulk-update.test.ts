import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { Browser } from "../support/browser.ts";
import { BulkHarness, catalogueWith, insertCodes } from "../support/bulk.ts";
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
  it("works for single rows, and for all that match the search", async () => {
    const [a, b] = [await me.client.createQr({ name: "A" }), await me.client.createQr({ name: markup })];
    const list = await pageAt(browser, "/dashboard/codes");
    for (const { id } of [a, b]) expect(list).toContain(`name="id" value="${id}"`);
    // The page has all of them.
    expect(list).not.toContain("Select all 2 codes");
    expect(list).not.toContain("<img src=x");
    const found = await pageAt(browser, "/dashboard/codes?q=tag%3A%22two+words%22");
    expect(found).toContain("No results");
    const searched = await pageAt(browser, "/dashboard/codes?q=status:active");
    expect(searched).toContain('data-selection="all 2 results"');
    expect(await pageAt(browser, `${path}?q=status%3Aactive`)).toContain(
      "All 2 codes that match “status:active”",
    );
    expect(await pageAt(browser, `${path}?q=`)).toContain("All 2 codes of this workspace");
    // After a form was answered, its address can be opened again: without ids, that is not all codes.
    expect(await pageAt(browser, path)).toContain("No codes selected");
  });

  it("previews a deletion without scripts", async () => {
    const { id } = await me.client.createQr();
    expect(await step({ id, q: "", step: "delete" })).toContain("Delete 1 code");
  });

  it("says so where nothing is selected, or nothing matches", async () => {
    await me.client.createQr();
    expect(await step({ q: "" })).toContain("No codes selected");
    expect(await step({ q: "", id: "nonsense" })).toContain("No codes selected");
    expect(await pageAt(browser, `${path}?q=type:nonsense`)).toContain("No results");
    expect(await pageAt(browser, `${path}?q=nothing`)).toContain("No results");
  });

  it("takes more ids than an address, or another form, carries", async () => {
    const ids = await insertCodes(me.client, 3);
    const rest = await me.client.createQr({ name: "Rest" });
    const others = Array.from({ length: 3900 }, () => crypto.randomUUID());
    const choices = await step({ ids: [...ids, ...others].join(" "), q: "" });
    expect(choices).toContain("3 codes selected");
    const review = await step({ ...fieldsOf(choices), addTags: "summer" });
    expect(review).toContain("3 codes will change");
    expect(await pageAt(browser, await confirm(review))).toContain("3 codes changed");
    expect((await read(ids[2] ?? "")).tags).toEqual(["summer"]);
    expect((await read(rest.id)).tags).toEqual([]);
  });
});

describe("an action of the bar", () => {
  const back = "/dashboard/codes?q=status%3Aactive";

  /** Takes an action, and follows it. @returns the page, and its path */
  async function act(fields: Record<string, string>) {
    const answer = await browser.submit(path, { q: "", back, ...fields });
    expect(answer.status).toBe(303);
    const location = answer.headers.get("location")?.replace(origin, "") ?? "";
    return { location, page: await pageAt(browser, location) };
  }

  it("is taken at once, and undone by its message", async () => {
    const { id } = await me.client.createQr({ name: "A" });
    const folder = await me.client.send("POST", "/folders", { name: "Menus" });
    const { id: folderId } = (await folder.json()) as { id: string };
    const actions = [
      [{ action: "tag", addTags: "summer, new" }, "1 code tagged summer, new."],
      [{ action: "move", folderId }, "1 code moved to Menus."],
      [{ action: "move", folderId: "none" }, "1 code taken out of folders."],
      [{ action: "pause" }, "1 code paused."],
      [{ action: "resume" }, "1 code resumed."],
    ] as const;
    for (const [fields, text] of actions) {
      const { location, page } = await act({ id, ...fields });
      expect(location).toBe(back);
      expect(page).toContain(text);
    }
    expect(await read(id)).toMatchObject({ tags: ["summer", "new"], folderId: null, status: "active" });
    const { page } = await act({ id, action: "delete" });
    expect(page).toContain("1 code deleted.");
    expect((await me.client.send("GET", `/qr/${id}`)).status).toBe(404);
    const [, undo = ""] = /action="(\/dashboard\/jobs\/[^"]+\/undo)"/.exec(page) ?? [];
    const undone = await browser.submit(undo, { back });
    expect(undone.headers.get("location")?.replace(origin, "")).toBe(back);
    expect(await pageAt(browser, back)).toContain("Change undone.");
    expect((await read(id)).name).toBe("A");
    // Nothing is left for the queue but the routes that a dead edge may have missed.
    expect(harness.queued.filter(({ task }) => task === "run")).toEqual([]);
  });

  it("reads only its own field, and asks for one that is missing", async () => {
    const { id } = await me.client.createQr();
    await act({ id, action: "pause", addTags: "typed elsewhere" });
    expect(await read(id)).toMatchObject({ tags: [], status: "paused" });
    expect(await step({ id, q: "", action: "tag", addTags: " , " }, 400)).toContain(
      "Choose at least one change.",
    );
    expect(await step({ id, q: "", action: "tag", addTags: "x".repeat(200) }, 400)).toContain('value="xxx');
  });

  it("happens once for a form that is submitted twice", async () => {
    const { id } = await me.client.createQr();
    const fields = { id, action: "tag", addTags: "summer", key: crypto.randomUUID() };
    const first = await act(fields);
    const second = await act(fields);
    const undoIn = (page: string) => /\/dashboard\/jobs\/([^"]+)\/undo/.exec(page)?.[1];
    expect(undoIn(second.page)).toBe(undoIn(first.page));
    expect(undoIn(second.page)).toBeDefined();
  });

  it("of all results needs as many matches as were shown, and a preview before pausing", async () => {
    await insertCodes(me.client, 3);
    expect(await step({ all: "on", q: "", action: "tag", addTags: "a", matched: "2" }, 400)).toContain(
      "matches 3 QR codes now, but 2 when you confirmed",
    );
    expect(await step({ all: "on", q: "", action: "tag", addTags: "a" })).toContain("3 codes will change");
    expect(await step({ all: "on", q: "", action: "pause", matched: "3" })).toContain("3 codes will change");
    const { page } = await act({ all: "on", action: "tag", addTags: "a", matched: "3" });
    expect(page).toContain("3 codes tagged a.");
  });

  it("is a job for many codes, and where a code can't be changed", async () => {
    const ids = await insertCodes(me.client, limits.bulkUpdate.atOnce + 1);
    const matched = String(ids.length);
    const many = await act({ all: "on", action: "tag", addTags: "a", matched });
    expect(many.location).toMatch(/^\/dashboard\/jobs\//);
    await harness.drain();
    expect(await pageAt(browser, many.location)).toContain("201 codes changed");
    const full = Array.from({ length: limits.tags.count }, (_, i) => `tag ${i}`);
    const { id } = await me.client.createQr({ tags: full });
    const failed = await act({ ids: `${id} ${ids[0]}`, action: "tag", addTags: "b" });
    expect(failed.location).toMatch(/^\/dashboard\/jobs\//);
    expect(failed.page).toContain("1 code changed, 1 skipped");
    expect((await read(ids[0] ?? "")).tags).toEqual(["a", "b"]);
  });

  it("waits for its turn behind another job of the workspace", async () => {
    const { id } = await me.client.createQr();
    const body = { ids: [id], change: { addTags: ["first"] } };
    await me.client.expect(202, BulkJob, "POST", "/qr/bulk-update", body);
    const { location } = await act({ id, action: "tag", addTags: "second" });
    expect(location).toMatch(/^\/dashboard\/jobs\//);
    await harness.drain();
    expect((await read(id)).tags).toEqual(["first", "second"]);
    expect((await act({ id, action: "tag", addTags: "third" })).location).toBe(back);
  });

  it("is left to the queue if the catalogue fails on the way", async () => {
    const { id } = await me.client.createQr();
    const prepare = (sql: string) => {
      if (sql.includes("attempts = attempts + 1")) throw new Error("the catalogue refuses the lease");
      return env.DB.prepare(sql);
    };
    const db = { ...catalogueWith((statements) => env.DB.batch(statements)), prepare } as D1Database;
    const failing = new Browser(harness.isolate({ db }));
    for (const [name, value] of browser.cookies) failing.cookies.set(name, value);
    const answer = await failing.submit(path, { id, q: "", back, action: "pause" });
    expect(answer.headers.get("location")).toContain("/dashboard/jobs/");
    expect((await read(id)).status).toBe("active");
    await harness.drain();
    expect((await read(id)).status).toBe("paused");
  });
});

describe("a bulk change", () => {
  it("is previewed, goes back with the entries kept, and changes what was shown", async () => {
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
      "advanced.modules": "dots",
      "replace.host": "old.example",
      "replace.to": "new.example",
    };
    const review = await step({ ...fieldsOf(choices), ...entries });
    expect(review).toContain("1 code will change");
    for (const pieces of [
      "<del>winter</del> <span>menu</span> <ins>summer</ins> <ins>&lt;b&gt;new&lt;/b&gt;</ins>",
      "<span>https://</span><del>old</del><ins>new</ins><span>.example/menu</span>",
      "<span>https://</span><del>old</del><ins>new</ins><span>.example/closed</span>",
      "<del>Active</del> <ins>Paused</ins>",
      "<del>None</del> <ins>&lt;img src=x onerror=alert(1)&gt;",
      "<del>Standard</del> <ins>Dots</ins>",
      "<del>None</del> <ins>Navy</ins>",
      "<del>default, default, default</del> <ins>#000080, default, default</ins>",
    ]) {
      expect(review).toContain(pieces);
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
    expect(review).toContain("2 codes will change");
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
    expect(again).toContain("matches 2 QR codes now, but 1 when you confirmed");
    expect(harness.queued).toEqual([]);
    expect(await read(late.id)).toEqual(late);
  });

  it("sets and removes colours and parts of the design", async () => {
    const frame = { style: "round", text: "Old" };
    const design = { shape: "square", advanced: { eyeFrame: "cut", frame, own: 1 } } as const;
    const qr = await me.client.createQr({ colorConfig: { cornerColor: "#111111" }, ...design });
    const choices = await step({ id: qr.id });
    const fields = {
      ...fieldsOf(choices),
      setColors: "on",
      "colorConfig.dotsColor": "#123456",
      ...{ "advanced.modules": "connected", "advanced.eyeFrame": "square", "advanced.eyeCenter": "leaf" },
      "advanced.frame.style": "line",
    };
    const review = await step(fields);
    expect(review).toContain("modules Fluid, eyes Square, eye centres Leaf, frame Line");
    await confirm(review);
    expect(await read(qr.id)).toMatchObject({
      colorConfig: { dotsColor: "#123456", backgroundColor: "#ffffff" },
      ...{ shape: "square", advanced: { modules: "connected", eyeCenter: "leaf", own: 1 } },
    });
    expect((await read(qr.id)).advanced).toMatchObject({ frame: { style: "line", text: "Old" } });
    expect((await read(qr.id)).colorConfig).not.toHaveProperty("cornerColor");
    const faint = await step({ ...fields, "colorConfig.dotsColor": "#fefefe" });
    expect(faint).toContain("0 of 1 code will change");
    expect(faint).toContain("1 code can&#39;t be edited this way and is left out");
    expect(faint).not.toContain('value="start"');
  });

  it("shows what is wrong at its field, and keeps the entries", async () => {
    const qr = await me.client.createQr();
    const choices = fieldsOf(await step({ id: qr.id }));
    const none = await step(choices, 400);
    expect(none).toContain("Choose at least one change.");
    const wrong = {
      ...choices,
      addTags: "x".repeat(101),
      "replace.from": "not a host",
      "replace.to": "b.example",
    };
    const page = await step(wrong, 400);
    expect(fieldsOf(page)).toEqual(wrong);
    expect(page).toContain('id="addTags-problem"');
    expect(page).toContain('id="replace.from-problem"');
    const same = await step({ ...choices, addTags: "a, b", removeTags: "b" }, 400);
    expect(same).toContain('id="removeTags-problem"');
    const folder = await step({ ...choices, folderId: "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71" }, 400);
    expect(folder).toMatch(/Folder isn&#39;t a/);
    const review = fieldsOf(await step({ ...choices, addTags: "a" }));
    await step({ ...review, addTags: "x".repeat(101), step: "start" }, 400);
    expect(harness.queued).toEqual([]);
  });

  it("is started once, however often its form is sent", async () => {
    const qr = await me.client.createQr();
    const review = await step({ ...fieldsOf(await step({ id: qr.id })), addTags: "a" });
    const [first, second] = [await confirm(review), await confirm(review)];
    expect(second).toBe(first);
    const again = await step({ ...fieldsOf(await step({ id: qr.id })), addTags: "b" });
    expect(await confirm(again)).not.toBe(first);
  });

  it("changes nothing of another workspace", async () => {
    const mine = await me.client.createQr();
    const other = await signedIn(harness.service);
    const theirs = await other.client.createQr({ name: "Secret" });
    expect(await step({ id: theirs.id })).toContain("No codes selected");
    const fields = { ids: `${mine.id} ${theirs.id}`, step: "look", status: "paused", q: "" };
    const review = await step(fields);
    expect(review).toContain("1 code will change");
    expect(review).not.toContain("Secret");
    const job = await pageAt(browser, await confirm(review));
    expect(job).toContain("1 code changed");
    expect(job).not.toContain("Secret");
    expect(await other.client.expect(200, Qr, "GET", `/qr/${theirs.id}`)).toEqual(theirs);
  });
});

describe("the headline", () => {
  const withHosts = async (hosts: readonly string[]) => {
    for (const [i, host] of hosts.entries()) {
      await me.client.createQr({ data: { type: "url", url: `https://${host}/${i}` }, tags: ["shop"] });
    }
    return fieldsOf(await pageAt(browser, `${path}?q=tag:shop`));
  };

  it("counts the codes that really change, and the job has no others", async () => {
    const choices = await withHosts(["old.example", "new.example", "old.example"]);
    const review = await step({ ...choices, "replace.host": "old.example", "replace.to": "b.example" });
    expect(review).toContain("<h1>2 of 3 codes will change</h1>");
    expect(review).toContain("1 code stays as it is and is left out");
    const job = await pageAt(browser, await confirm(review));
    expect(job).toContain("<h1>Replace old.example with b.example in 2 codes</h1>");
    expect(job).toContain("2 codes changed");
  });

  it("says that no code has the host, and offers nothing to start", async () => {
    const choices = await withHosts(["old.harbour.example", "old.harbour.example"]);
    const typo = { "replace.host": "?", "replace.from": "old.harbour.exmple", "replace.to": "b.example" };
    const review = await step({ ...choices, ...typo });
    expect(review).toContain("<h1>0 of 2 codes contain old.harbour.exmple</h1>");
    expect(review).not.toContain('value="start"');
    await step({ ...fieldsOf(review), step: "start" }, 400);
    expect(harness.queued).toEqual([]);
  });

  it("is confirmed again if other codes change than were shown", async () => {
    const choices = await withHosts(["old.example", "old.example"]);
    const review = await step(
      { ...choices, "replace.from": "https://old.example/1", "replace.to": "b.example" },
      400,
    );
    const { items } = await me.client.expect(200, QrList, "GET", "/qr?tag=shop");
    const shown = await step({ ...fieldsOf(review), "replace.to": "https://b.example/1" });
    expect(shown).toContain("1 of 2 codes will change");
    const shownCode = items.find(({ data }) => data.type === "url" && data.url.endsWith("/1"));
    await me.client.send("PATCH", `/qr/${shownCode?.id}`, {
      data: { type: "url", url: "https://c.example/1" },
    });
    expect(await step({ ...fieldsOf(shown), step: "start" }, 400)).toContain("Check the changes again");
    expect(harness.queued).toEqual([]);
  });

  it("counts the first 2000 codes, and says so", async () => {
    const most = limits.bulkUpdate.examined;
    await insertCodes(me.client, most + 1);
    const choices = await pageAt(browser, `${path}?q=`);
    expect(choices).toContain("example.com (2,000 codes)");
    expect(choices).toContain("Found in the first 2,000 codes");
    const review = await step({ ...fieldsOf(choices), addTags: "all" });
    expect(review).toContain("<h1>Edit up to 2,001 codes?</h1>");
    expect(review).toContain("Of the first 2,000 codes, 2,000 will change. The other 1 are checked");
    const { headers } = await browser.submit(path, { ...fieldsOf(review), step: "start" });
    const job = headers.get("location")?.replace(origin, "") ?? "";
    expect(await pageAt(browser, job)).toContain("0 of 2,001");
    harness.queued.length = 0;
  });
});

describe("hosts to replace", () => {
  it("are offered with the number of their codes, those of most codes first", async () => {
    const data = {
      type: "applink" as const,
      ios: "https://apps.example/x",
      fallback: "https://shop.example/",
    };
    await me.client.createQr({ qrType: "applink", data });
    for (const host of ["shop.example", "shop.example:8080", "other.example"]) {
      await me.client.createQr({
        data: { type: "url", url: `https://${host}/` },
        fallbackUrl: "https://shop.example/closed",
      });
    }
    const page = await pageAt(browser, `${path}?q=`);
    const options = [...page.matchAll(/<option value="([^"]*)"[^>]*>([^<]*\(\d+ codes?\))/g)].map(
      ([, , text]) => text,
    );
    expect(options[0]).toBe("shop.example (4 codes)");
    expect(options.toSorted()).toEqual([
      "apps.example (1 code)",
      "other.example (1 code)",
      "shop.example (4 codes)",
      "shop.example:8080 (1 code)",
    ]);
  });
});

describe("deleting many codes", () => {
  it("is asked about, says that codes can be restored, and leaves the others", async () => {
    const [a, b] = [await me.client.createQr({ tags: ["old"] }), await me.client.createQr()];
    const choices = await pageAt(browser, `${path}?q=tag:old`);
    const review = await step({ ...fieldsOf(choices), addTags: "left", step: "delete" });
    expect(review).toContain("<h1>Delete 1 code?</h1>");
    expect(review).toContain("Their scans stop working at once");
    expect(review).toContain("You can restore them from the bin for 30 days");
    expect(fieldsOf(await step({ ...fieldsOf(review), step: "choose" }))).toMatchObject({ addTags: "left" });
    expect((await read(a.id)).status).toBe("active");
    await confirm(review);
    expect((await me.client.send("GET", `/qr/${a.id}`)).status).toBe(404);
    expect(await read(b.id)).toEqual(b);
    expect((await me.client.send("POST", `/qr/${a.id}/restore`)).status).toBe(200);
  });
});

it("is undone as a whole by one button on its page, after a look at what would happen", async () => {
  const codes = [await me.client.createQr({ name: "A" }), await me.client.createQr({ name: "B" })];
  const choices = await pageAt(browser, `${path}?q=status%3Aactive`);
  const review = await step({ ...fieldsOf(choices), status: "paused" });
  const job = await confirm(review);
  expect(await pageAt(browser, `${job}/progress`)).toContain(`href="${job}/undo"`);
  expect(await pageAt(browser, `${job}/undo`)).toContain(
    "2 codes go back to how they were before this job, at once.",
  );
  await me.client.send("PATCH", `/qr/${codes[1]?.id}`, { status: "active" });
  const answer = await browser.submit(`${job}/undo`, {});
  expect(answer.status).toBe(303);
  await harness.drain();
  const undoing = await pageAt(browser, answer.headers.get("location")?.replace(origin, "") ?? "");
  expect(undoing).toContain("Undo changes of 2 codes");
  expect(undoing).toContain(`href="${job}"`);
  const undone = await pageAt(browser, job);
  expect(undone).toMatch(/Undone by <a href="\/dashboard\/jobs\/[^"]+">a later job/);
  expect(undone).not.toContain(`href="${job}/undo"`);
  expect(await pageAt(browser, "/dashboard/jobs")).toMatch(new RegExp(`${job}".*?>Undone<`, "s"));
  expect(await Promise.all(codes.map(async ({ id }) => (await read(id)).status))).toEqual([
    "active",
    "active",
  ]);
  expect(undoing).toContain("changed since");
});
