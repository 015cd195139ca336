import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { QrList } from "../../src/contract/resources/codes/qr.ts";
import { listTags } from "../../src/store/folders/tags.ts";
import { BulkHarness } from "../support/bulk.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { Service } from "../support/service.ts";

const service = new Service();
const path = "/dashboard/tags";
const markup = `<b>"Summer" & 'sun'</b>`;
let me: SignedInBrowser;

const rowsOf = (page: string) =>
  [...page.matchAll(/class="name"[^>]*>.*?<span>([^<]*)<.*?class="number">([\d,+]+)</gs)].map(
    ([, tag, codes]) => [tag, codes],
  );

/** Writes codes' tags as the triggers would. */
const addTags = (from: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
     INSERT INTO qr_tags (workspace_id, tag, qr_id) SELECT ?1, ${from}, 'code ' || i FROM n WHERE ?2`,
  )
    .bind(me.client.workspaceId, 1, count)
    .run();

describe("the tags", () => {
  beforeEach(async () => {
    me = await signedIn(service);
  });

  it("are none at first", async () => {
    const page = await pageAt(me.browser, path);
    expect(page).toContain("No tags yet");
    await me.client.createQr({ name: "Lunch" });
    const form = { ...fieldsOf(page), addTags: markup, q: "lunch" };
    const review = await (await me.browser.submit("/dashboard/codes/bulk", form)).text();
    expect(review).toContain("1 code will change");
    const started = await me.browser.submit("/dashboard/codes/bulk", { ...fieldsOf(review), step: "start" });
    expect(started.status).toBe(303);
  });

  it("are shown with their live codes, and lead to these and to their reports", async () => {
    await me.client.createQr({ name: "Lunch", tags: ["summer", markup] });
    await me.client.createQr({ name: "Dinner", tags: ["summer"] });
    const gone = await me.client.createQr({ name: "Gone", tags: ["summer", "old"] });
    await me.client.send("DELETE", `/qr/${gone.id}`);
    await (await signedIn(service)).client.createQr({ tags: ["theirs"] });
    const page = await pageAt(me.browser, path);
    expect(rowsOf(page)).toEqual([
      ["&lt;b&gt;&quot;Summer&quot; &amp; &#39;sun&#39;&lt;/b&gt;", "1"],
      ["summer", "2"],
    ]);
    const [marked = "", summer = ""] = linksOf(page, "name");
    expect(await pageAt(me.browser, marked)).toContain(">Lunch</a>");
    expect(await pageAt(me.browser, marked)).not.toContain(">Dinner</a>");
    expect(await pageAt(me.browser, summer)).toMatch(/>Dinner<.*>Lunch</s);
    const [report = "", share = ""] = linksOf(page, "menu-item").filter((link) =>
      link.includes("?tag=summer"),
    );
    expect(await pageAt(me.browser, report)).toContain('value="summer"');
    expect(await pageAt(me.browser, share)).toContain("summer");
  });

  it("are listed a hundred a page, each on one page", async () => {
    await addTags("printf('tag %03d', i)", 250);
    const seen: string[] = [];
    let next: string | undefined = path;
    const sizes: number[] = [];
    while (next !== undefined) {
      const page: string = await pageAt(me.browser, next);
      const tags = rowsOf(page).map(([tag = ""]) => tag);
      seen.push(...tags);
      sizes.push(tags.length);
      next = linksOf(page, "button").find((link) => link.includes("cursor="));
    }
    expect(sizes).toEqual([100, 100, 50]);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, i) => `tag ${String(i + 1).padStart(3, "0")}`));
  });

  it("are counted up to a bound", async () => {
    await addTags("'many'", limits.countedCodes);
    expect(rowsOf(await pageAt(me.browser, path))).toEqual([["many", "10,000"]]);
    await me.client.createQr({ tags: ["many"] });
    expect(rowsOf(await pageAt(me.browser, path))).toEqual([["many", "10,000+"]]);
  });

  it("cost a search each, however many codes have them", async () => {
    await addTags("'many'", 5000);
    await addTags("'more'", 5000);
    let rowsRead = 0;
    const prepare = (sql: string) => {
      const bound = (...values: unknown[]) => {
        const statement = env.DB.prepare(sql).bind(...values);
        return {
          all: async () => {
            const result = await statement.all();
            rowsRead += result.meta.rows_read;
            return result;
          },
        };
      };
      return { bind: bound };
    };
    const db = { prepare } as unknown as D1Database;
    expect(await listTags(db, me.client.workspaceId, "", 10, 20)).toEqual([
      { tag: "many", codes: 21 },
      { tag: "more", codes: 21 },
    ]);
    expect(rowsRead).toBeLessThan(200);
  });
});

describe("a tag", () => {
  const harness = new BulkHarness();
  const tagsNow = async () => {
    const { items } = await me.client.expect(200, QrList, "GET", "/qr");
    return Object.fromEntries(items.map(({ name, tags }) => [name, tags]));
  };
  const menuOf = async (tag: string) => {
    const links = linksOf(await pageAt(me.browser, path), "menu-item");
    return links.filter((link) => link.includes(`?${new URLSearchParams({ tag })}`));
  };

  beforeEach(async () => {
    me = await signedIn(harness.service);
    await me.client.createQr({ name: "Lunch", tags: ["summer", "menu"] });
    await me.client.createQr({ name: "Dinner", tags: ["menu"] });
    await me.client.createQr({ name: "Bar", tags: [markup, "summer"] });
  });

  it("is renamed in all of its codes, by a job that its page shows", async () => {
    const rename = (await menuOf("summer")).find((link) => link.startsWith(`${path}/rename?`)) ?? "";
    const form = await pageAt(me.browser, rename);
    expect(form).toContain("Changes 2 codes.");
    const refused = await me.browser.submit(rename, { ...fieldsOf(form), addTags: " " });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("Enter a name.")]);
    const sent = { ...fieldsOf(form), addTags: "menu" };
    const [first, second] = [await me.browser.submit(rename, sent), await me.browser.submit(rename, sent)];
    expect([first.status, second.headers.get("location")]).toEqual([303, first.headers.get("location")]);
    await harness.drain();
    expect(await tagsNow()).toEqual({ Lunch: ["menu"], Dinner: ["menu"], Bar: [markup, "menu"] });
    const job = await pageAt(me.browser, new URL(first.headers.get("location") ?? "").pathname);
    expect(job).toContain("Replace tag summer with menu in 2 codes");
    expect((await me.browser.open(rename)).status).toBe(404);
  });

  it("is deleted from all of its codes, which stay", async () => {
    const remove = (await menuOf(markup)).find((link) => link.startsWith(`${path}/delete?`)) ?? "";
    const question = await pageAt(me.browser, remove);
    expect(question).toContain("1 code loses the tag.");
    expect(question).not.toContain("<b>");
    const answer = await me.browser.submit(remove, fieldsOf(question));
    expect(answer.status).toBe(303);
    await harness.drain();
    expect(await tagsNow()).toEqual({ Lunch: ["summer", "menu"], Dinner: ["menu"], Bar: ["summer"] });
  });

  it("is changed in as many codes as its page said, or the page says how many there are now", async () => {
    for (const page of ["rename", "delete"]) {
      const address = `${path}/${page}?tag=summer`;
      const sent = { ...fieldsOf(await pageAt(me.browser, address)), addTags: "menu" };
      const added = await me.client.createQr({ tags: ["summer"] });
      const answer = await me.browser.submit(address, sent);
      const again = await answer.text();
      expect([answer.status, again]).toEqual([
        400,
        expect.stringContaining("3 codes have this tag now. There were 2 when you opened the page."),
      ]);
      expect(harness.queued).toEqual([]);
      expect(fieldsOf(again).matched).toBe("3");
      await me.client.send("DELETE", `/qr/${added.id}`);
    }
  });

  it("of another workspace is not found", async () => {
    const other = await signedIn(harness.service);
    for (const page of ["rename", "delete"]) {
      const address = `${path}/${page}?tag=summer`;
      expect((await other.browser.open(address)).status).toBe(404);
      expect((await other.browser.submit(address, { addTags: "mine" })).status).toBe(404);
    }
  });
});
