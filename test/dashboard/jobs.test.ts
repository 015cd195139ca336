import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Browser } from "../support/browser.ts";
import { BulkHarness, goodItems, item } from "../support/bulk.ts";
import { linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";

const harness = new BulkHarness();
const path = "/dashboard/jobs";
const markup = `<img src=x onerror=alert(1)>"'&`;
let me: SignedInBrowser;
let browser: Browser;

async function signIn() {
  me = await signedIn(harness.service);
  ({ browser } = me);
}
beforeAll(signIn);

const created = async (items: unknown) =>
  (await harness.accepted(await harness.json(me.client, items))).jobId;

/** An error as the page has it: the label instead of the name of a field. */
const inWords = (error: string | null | undefined): string =>
  error?.replace("tags.0 ", "Tags ").replace("'", "&#39;") ?? "?";

const createdFromCsv = async (csv: string) =>
  (await harness.accepted(await harness.csv(me.client, csv))).jobId;

describe("the list of jobs", () => {
  beforeEach(signIn);

  it("leads on where there is none, and is another workspace's business", async () => {
    expect(await pageAt(browser, path)).toContain("No jobs yet");
    const id = await created(goodItems(1));
    expect(linksOf(await pageAt(browser, path), "name")).toEqual([`${path}/${id}`]);
    const other = await signedIn(harness.service);
    expect(await pageAt(other.browser, path)).toContain("No jobs yet");
    for (const page of ["", "/progress", "/results.csv", "/failed.csv"]) {
      await pageAt(other.browser, `${path}/${id}${page}`, 404);
      await pageAt(other.browser, `${path}/0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71${page}`, 404);
    }
  });

  it("has the newest first, page by page", async () => {
    const newest = await created([item(0)]);
    const copies = Array.from({ length: limits.qrList.default + 1 }, (_, i) => {
      return `00${newest.slice(2, 24)}${i.toString().padStart(12, "0")}`;
    });
    await env.DB.prepare(
      `INSERT INTO bulk_jobs (id, workspace_id, kind, status, total_items, success_count, failure_count, created_at, staged_at)
       SELECT value, workspace_id, kind, status, total_items, success_count, failure_count, created_at, staged_at
       FROM bulk_jobs, json_each(?2) WHERE bulk_jobs.id = ?1`,
    )
      .bind(newest, JSON.stringify(copies))
      .run();
    const ids = [newest, ...copies.toReversed()];
    const first = await pageAt(browser, path);
    const next = /rel="next" href="([^"]+)"/.exec(first)?.[1] ?? "";
    const listed = [first, await pageAt(browser, next)].flatMap((page) => linksOf(page, "name"));
    expect(listed).toEqual(ids.map((id) => `${path}/${id}`));
    await pageAt(browser, `${path}?cursor=nonsense`, 400);
  });
});

describe("a job", () => {
  it("moves until it has ended, then has its results with links, and errors in words", async () => {
    const id = await created([item(1), { ...item(2), name: markup }, { ...item(3), tags: [""] }]);
    const waiting = await pageAt(browser, `${path}/${id}`);
    expect(waiting).toContain("Create 3 codes");
    expect(waiting).toContain(`hx-get="${path}/${id}/progress"`);
    expect(waiting).toContain("Reload to see");
    expect(waiting).not.toContain("Results</h2>");
    expect(await pageAt(browser, `${path}/${id}/progress`)).toContain('hx-trigger="every 2s"');
    await harness.drain();
    const part = await pageAt(browser, `${path}/${id}/progress`);
    expect(part).not.toContain("hx-trigger");
    expect(part).not.toContain("<!doctype");
    const { items } = await harness.read(me.client, id);
    const links = items.flatMap(({ createdQrId }) =>
      createdQrId === null ? [] : [`/dashboard/codes/${createdQrId}`],
    );
    expect(links).toHaveLength(2);
    for (const page of [part, await pageAt(browser, `${path}/${id}`)]) {
      expect(linksOf(page, "name")).toEqual(links);
      expect(page).toContain("2 codes created, 1 row left out");
      expect(page).toContain(inWords(items[2]?.error));
      expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
      expect(page).not.toContain("<img src=x");
    }
    const failed = await pageAt(browser, `${path}/${id}?show=failed`);
    expect([linksOf(failed, "name"), failed.includes(inWords(items[2]?.error))]).toEqual([[], true]);
    const succeeded = await pageAt(browser, `${path}/${id}?show=succeeded`);
    expect([linksOf(succeeded, "name"), succeeded.includes(inWords(items[2]?.error))]).toEqual([
      links,
      false,
    ]);
  });

  it("says what it changes, by the names of folders and templates", async () => {
    const qr = await me.client.createQr({ name: "Lunch" });
    const folder = await me.client.send("POST", "/folders", { name: "Old menus" });
    const { id: folderId } = (await folder.json()) as { id: string };
    const change = { addTags: ["summer"], folderId, status: "paused" };
    const { jobId } = await harness.accepted(await harness.update(me.client, { ids: [qr.id], change }));
    await harness.drain();
    const page = await pageAt(browser, `${path}/${jobId}`);
    for (const text of [
      "Pause 1 code, and 2 more changes",
      "summer",
      "Old menus",
      "Paused",
      ">Lunch</a>",
      "Changed",
    ]) {
      expect(page).toContain(text);
    }
    const deletion = { ids: [qr.id], change: { delete: true } };
    const deleted = await harness.accepted(await harness.update(me.client, deletion));
    await harness.drain();
    expect(await pageAt(browser, `${path}/${deleted.jobId}`)).toContain("<h1>Delete 1 code</h1>");
  });

  it("is called by what it does, in the list and on its page", async () => {
    const { id } = await me.client.createQr();
    const folder = await me.client.send("POST", "/folders", { name: "Old menus" });
    const { id: folderId } = (await folder.json()) as { id: string };
    const host = { from: "old.example", to: "new.example" };
    const prefix = { from: "https://example.com/2025/", to: "https://example.com/2026/" };
    const long = "https://example.com/".padEnd(2000, "x");
    const works: [change: object, title: string][] = [
      [{ replace: { host } }, "Replace old.example with new.example in 1 code"],
      [{ replace: { prefix } }, `Replace ${prefix.from} with ${prefix.to} in 1 code`],
      [
        { replace: { prefix: { from: long, to: "https://b.example" } } },
        `Replace ${long.slice(0, 60)}… with https://b.example in 1 code`,
      ],
      [{ addTags: ["summer"] }, "Add tag summer to 1 code"],
      [{ removeTags: ["a", "b"] }, "Remove tags a, b from 1 code"],
      [{ addTags: ["a", "b", "c", "d"] }, "Add 4 tags to 1 code"],
      [{ folderId }, "Move 1 code to Old menus"],
      [{ folderId: null }, "Remove 1 code from folders"],
      [{ status: "active" }, "Resume 1 code"],
      [{ shape: "circle", status: "paused" }, "Pause 1 code, and 1 more change"],
      [{ delete: true }, "Delete 1 code"],
    ];
    const links: string[] = [];
    for (const [change, title] of works) {
      harness.clock.advance(1);
      const { jobId } = await harness.accepted(await harness.update(me.client, { ids: [id], change }));
      expect(await pageAt(browser, `${path}/${jobId}`)).toContain(`<h1>${title}</h1>`);
      links.push(`/jobs/${jobId}">${title}</a>`);
    }
    const list = await pageAt(browser, path);
    for (const link of links) expect(list).toContain(link);
    expect(await pageAt(browser, "/dashboard")).toContain(">Delete 1 code</a>");
    harness.queued.length = 0;
  });

  it("has pages of results, whose cursor is for the same results", async () => {
    const id = await created(goodItems(60));
    await harness.drain();
    const seen: string[] = [];
    let next = `${path}/${id}`;
    while (next !== "") {
      const page = await pageAt(browser, next);
      seen.push(...linksOf(page, "name"));
      next = /rel="next" href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      if (next !== "") await pageAt(browser, next.replace("?", "?show=failed&"), 400);
    }
    expect(new Set(seen).size).toBe(60);
  });

  it("is downloaded: its results, and the failed rows with their own cells and errors", async () => {
    const id = await createdFromCsv(
      `name,url,tags,utmSource\nGood,a.example,x|y,\n"Bad, one",mailto:me,x,poster\nLong,b.example,${"t".repeat(101)},\n`,
    );
    await harness.drain();
    const results = await browser.open(`${path}/${id}/results.csv`);
    expect(results.headers.get("content-disposition")).toBe(`attachment; filename="bulk-${id}.csv"`);
    expect(await results.text()).toBe(await (await me.client.send("GET", `/qr/bulk/${id}/download`)).text());
    const { items } = await harness.read(me.client, id);
    const [, bad, long] = items;
    const failed = await (await browser.open(`${path}/${id}/failed.csv`)).text();
    expect(failed.split("\r\n")).toEqual([
      "name,url,tags,utmSource,error",
      `"Bad, one",mailto:me,x,poster,${bad?.error?.includes(",") ? `"${bad.error}"` : bad?.error}`,
      `Long,b.example,${"t".repeat(101)},,${long?.error}`,
      "",
    ]);
  });

  it("keeps rows that fail after they were accepted, so that they can be tried again", async () => {
    const hash = `menu-${me.client.workspaceId.slice(-12)}`;
    const id = await createdFromCsv(
      `name,url,hash,tags,status,expiresAt,utmCampaign\nA,a.example,,,,,\nB,b.example,${hash},x|y,paused,2090-01-01T00:00:00Z,c\n`,
    );
    await me.client.createQr({ hash });
    await harness.drain();
    const failed = await (await browser.open(`${path}/${id}/failed.csv`)).text();
    expect(failed).toBe(
      "name,url,hash,tags,status,expiresAt,utmCampaign,error\r\n" +
        `B,https://b.example,${hash},x|y,paused,2090-01-01T00:00:00.000Z,c,line 3: hash is taken. Choose another.\r\n`,
    );
  });

  it("says that results are deleted after 30 days, and keeps its counts", async () => {
    const id = await created(goodItems(2));
    await harness.drain();
    expect(await pageAt(browser, `${path}/${id}`)).toContain("Results are kept for 30 days");
    harness.clock.advance(limits.bulkItemDays * 24 * 60 * 60 * 1000);
    // Sessions do not last so long.
    const later = await harness.service.sessionIn(me.client.workspaceId);
    browser.cookies.set("session", later.cookie.replace("session=", ""));
    const page = await pageAt(browser, `${path}/${id}`);
    expect(page).toContain("The results were deleted");
    expect(page).toContain("2 codes created");
    expect(linksOf(page, "name")).toEqual([]);
  });
});
