import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { readTable, writeTable } from "../../../src/lib/text/csv.ts";
import type { Browser } from "../../support/browser.ts";
import { BulkHarness, withoutCodes } from "../../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import * as hard from "../../support/hard-text.ts";
import { encoded } from "../../support/images/encoded.ts";
import {
  codesByDestination,
  columnsOf,
  importStep,
  importPath as path,
  startImport,
} from "../../support/imports.ts";

const markup = `<img src=x onerror=alert(1)>"'&`;
const harness = new BulkHarness();
let me: SignedInBrowser;
let browser: Browser;

beforeAll(async () => {
  me = await signedIn(harness.service);
  ({ browser } = me);
});
beforeEach(() => withoutCodes(me.client));

type Fields = Record<string, string | Uint8Array<ArrayBuffer>>;

const step = (fields: Fields, status = 200, own = browser) => importStep(own, fields, status);
const paste = (text: string, status = 200, own = browser) => step({ step: "read", text }, status, own);
const start = (page: string, own = browser) => startImport(own, page);
const codes = () => codesByDestination(me);

describe("a table", () => {
  it("is pasted or uploaded, with or without a header, in every separator", async () => {
    const tables: [text: string, columns: string[], header: boolean][] = [
      ["https://a.example/1\nhttps://a.example/2?x=1,2", ["url"], false],
      ["a.example\r\nb.example/x", ["url"], false],
      ["Title;Link;Notes\nLunch;a.example;n", ["name", "url", ""], true],
      ["Keywords\tFolder\tWebsite\nx\t\ta.example", ["tags", "folderId", "url"], true],
      ["name,url,hash\nLunch,a.example,my-lunch-1", ["name", "url", "hash"], true],
      ["Lunch,a.example", ["name", "url"], false],
      ["What,Where\nLunch,a.example", ["name", "url"], true],
    ];
    for (const [text, columns, header] of tables) {
      const page = await paste(text);
      expect([text, columnsOf(page), fieldsOf(page).header]).toEqual([
        text,
        columns,
        header ? "on" : undefined,
      ]);
    }
    const file = Uint8Array.from(new TextEncoder().encode("\ufeffTitle;Link;Notes\nLunch;a.example;n"));
    const page = await step({ step: "read", text: "", file });
    expect([columnsOf(page), fieldsOf(page).header]).toEqual([["name", "url", ""], "on"]);
    expect(await codes()).toEqual([]);
  });

  it("can have its columns chosen otherwise", async () => {
    const page = await paste("What,Where,Also\nLunch,a.example,x|y");
    expect(page.match(/Your choice/g)).toBeNull();
    const fields = { ...fieldsOf(page), "column.0": "name", "column.2": "tags" };
    const chosen = await step(fields);
    expect(chosen.match(/Your choice/g)).toHaveLength(1);
    await start(chosen);
    await harness.drain();
    expect(await codes()).toMatchObject([
      { name: "Lunch", tags: ["x", "y"], data: { url: "https://a.example" } },
    ]);
    const twice = await step({ ...fields, "column.0": "url" }, 400);
    expect(twice).toContain("Choose this for only one column.");
    const none = await step({ ...fields, "column.1": "" }, 400);
    expect(none).toContain("Choose the column that becomes the destination.");
    const noHeader = { ...fields };
    Reflect.deleteProperty(noHeader, "header");
    expect(await step(noHeader, 400)).toContain('id="cell-0-1-problem"');
  });

  it("is read from a form as it was written, whatever its cells have", () => {
    const records = [
      ["a", 'b"c', "d,e;f\tg", hard.line],
      ["", "line\nline", " x ", hard.text],
      ['"', ",", "\r", `"${hard.text}"`],
    ];
    const bounds = { maxColumns: 4, maxRecords: 3 };
    expect(readTable(new TextEncoder().encode(writeTable(records)), bounds)).toEqual(records);
  });

  it("that can't be read, or has no row, is answered at its field", async () => {
    expect(await paste("", 400)).toContain('id="text-problem"');
    expect(await paste("name,url\n", 400)).toContain("is empty");
    const latin = await step({ step: "read", file: Uint8Array.of(0x61, 0xe4, 0x0a) }, 400);
    expect(latin).toContain("The file isn&#39;t valid UTF-8.");
    expect(latin).toContain("state its encoding");
    const open = await paste('url\n"a.example', 400);
    expect(open).toContain("has a quoted cell without a closing quote");
    expect(fieldsOf(open).text).toBe('url\n"a.example');
  });
});

describe("a table of a spreadsheet program", () => {
  it("has the encoding of its byte order mark, or the one that is chosen", async () => {
    for (const { name, charset, file } of encoded("name;url\nMenü – 5 €;a.example\n")) {
      if (name === "Latin-1") continue;
      const page = await step({ step: "read", charset, file });
      expect([name, columnsOf(page), page.includes("Menü – 5 €")]).toEqual([name, ["name", "url"], true]);
    }
  });

  it("may state its separator, and loses rows and columns without text", async () => {
    const page = await paste("sep=;\n;name;; url, in full ;\n;Menu, hot; ;a.example;\n;;;;\n");
    expect(columnsOf(page)).toEqual(["name", "url"]);
    expect(fieldsOf(page).text).toBe('name," url, in full "\n"Menu, hot",a.example');
  });

  it("keeps its places when the text of a row or a column is removed", async () => {
    const page = await paste("x,a.example,odd\n,mailto:b,\n,mailto:c,", 400);
    const first = fieldsOf(await step({ ...fieldsOf(page), "column.1": "url", "column.2": "status" }, 400));
    expect(first).toMatchObject({ "cell.0.2": "odd", "cell.1.1": "mailto:b", "cell.2.1": "mailto:c" });
    const removed = { "cell.0.2": "", "cell.1.1": "", "cell.2.1": "mailto:d" };
    const second = fieldsOf(await step({ ...first, ...removed }, 400));
    expect(second).toMatchObject({ text: "x,a.example\n,mailto:d", "cell.1.1": "mailto:d" });
    const third = await step({ ...second, "cell.1.1": "d.example" });
    expect(fieldsOf(third).text).toBe("x,a.example\n,d.example");
  });
});

describe("a column of texts with dots", () => {
  it.each([
    ["prices", (i: number) => `${i}.50`],
    ["dates", (i: number) => `0${1 + (i % 9)}.12.2026`],
    ["files", (i: number) => `menu${i}.pdf`],
  ])("makes no code: 10 000 %s", async (_, cellOf) => {
    const cells = Array.from({ length: 10_000 }, (__, i) => cellOf(i));
    const alone = await paste(cells.join("\n"), 400);
    expect(fieldsOf(alone).rows).toBeUndefined();
    expect(alone).not.toMatch(/[1-9]\d* rows? (is|are) ready/);
    const named = await paste(`name,price\n${cells.map((cell, i) => `Chair ${i},${cell}`).join("\n")}`, 400);
    expect(fieldsOf(named)).not.toMatchObject({ "column.1": "url" });
  });
});

describe("the check", () => {
  it("marks bad cells in the person's own table, links to them, and stores nothing", async () => {
    const page = await paste(
      `name,url,tags,startsAt\n${markup},a.example,x,\nB,mailto:b,x,\n${"n".repeat(201)},c.example,,soon\nD,,,`,
      400,
    );
    expect(page).toContain("1 row is ready");
    expect(page).toContain("3 need a fix");
    for (const [row, column] of [
      [1, 1],
      [2, 0],
      [2, 3],
      [3, 1],
    ]) {
      expect(page).toContain(`href="#cell-${row}-${column}"`);
      expect(page).toContain(`id="cell-${row}-${column}"`);
      expect(page).toContain(`id="cell-${row}-${column}-problem"`);
    }
    expect(page.match(/<td class="bad">/g)).toHaveLength(4);
    expect(page).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(page).not.toContain("<img src=x");
    expect(page).toContain("Create 1 code");
    expect([await codes(), harness.queued]).toEqual([[], []]);
  });

  it("has the words of the API for a bad row", async () => {
    const csv = "name,url\nA,mailto:a\nB,http://user:secret@b.example\nC,\n";
    const page = await paste(csv, 400);
    const { items } = await harness.run(me.client, await harness.csv(me.client, csv));
    for (const { error } of items) {
      expect(page).toContain(`Destination ${error?.replace(/^line \d+: url /, "")}`.replaceAll("'", "&#39;"));
    }
  });

  it("takes corrections, checks them again, and creates what was corrected", async () => {
    const folder = await me.client.send("POST", "/folders", { name: "Old menus" });
    const { id: folderId } = (await folder.json()) as { id: string };
    const first = await paste("name;url;Folder;tags\nA;mailto:a;old MENUS;x, y\nB;b.example;New;", 400);
    const fields = fieldsOf(first);
    expect(fields).toMatchObject({ "cell.1.1": "mailto:a", "cell.2.2": "New" });
    const second = await step({ ...fields, "cell.1.1": "a.example", "cell.2.2": "Newer" }, 400);
    expect(fieldsOf(second)).toMatchObject({ "cell.2.2": "Newer" });
    expect(fieldsOf(second)).not.toHaveProperty("cell.1.1");
    const third = await step({ ...fieldsOf(second), "cell.2.2": "" });
    expect(third).toContain("2 rows are ready");
    expect(third).not.toContain("need a fix");
    await start(third);
    await harness.drain();
    expect(await codes()).toMatchObject([
      { name: "A", folderId, tags: ["x", "y"], data: { url: "https://a.example" } },
      { name: "B", folderId: null },
    ]);
  });

  it("gives all rows a template, a folder and tags, unless they have their own", async () => {
    const session = await harness.service.sessionIn(me.client.workspaceId);
    const template = await session.send("POST", "/developer/templates", { name: "Dots", shape: "circle" });
    const { id: templateId } = (await template.json()) as { id: string };
    const ids: string[] = [];
    for (const name of ["A", "B"]) {
      ids.push(((await (await me.client.send("POST", "/folders", { name })).json()) as { id: string }).id);
    }
    const [a = "", b = ""] = ids;
    const page = await paste(`url,folder,tags\na.example,,x\nb.example,B,`);
    const fields = { ...fieldsOf(page), templateId, folderId: a };
    const wrong = await step({ ...fields, tags: "t".repeat(101) }, 400);
    expect(wrong).toContain('id="tags-problem"');
    await start(await step({ ...fieldsOf(wrong), tags: "all" }));
    await harness.drain();
    expect(await codes()).toMatchObject([
      { folderId: a, tags: ["x", "all"], templateId, shape: "circle" },
      { folderId: b, tags: ["all"], templateId, shape: "circle" },
    ]);
  });

  it("shows the first 20 rows and those with problems, as far as the page has room", async () => {
    const line = (i: number) => (i % 100 === 50 ? "mailto:x" : `a.example/${i}`);
    const page = await paste(Array.from({ length: 200 }, (_, i) => line(i)).join("\n"), 400);
    expect(page.match(/scope="row" id="row-/g)).toHaveLength(20 + 2);
    expect(page).toContain("22 of 200 rows: the first ones, and those with problems");
    const all = await paste("mailto:x\n".repeat(300), 400);
    expect(all).toMatch(/ of 300 rows/);
    expect(all.match(/scope="row" id="row-/g)?.length).toBeGreaterThan(50);
    const long = await paste(`${`mailto:${"&".repeat(2000)}\n`.repeat(100)}`, 400);
    expect(long.length - 5 * 2007 * 100).toBeLessThan(150 * 1024);
  });

  it("states the plan's limits before the start, and refuses more rows", async () => {
    const small = await signedIn(harness.service, "free");
    const upload = await pageAt(small.browser, path);
    expect(upload).toContain("Up to 25 rows per import on your Free plan, and 25 more codes");
    const lines = (count: number) => "a.example\n".repeat(count);
    const refused = await paste(lines(26), 400, small.browser);
    expect(refused).toContain("has more than 25 rows, the most that your Free plan can import at once");
    expect(fieldsOf(refused).text).toBe(lines(26));
    await start(await paste(lines(20), 200, small.browser), small.browser);
    await harness.drain();
    const rest = await paste(lines(20), 200, small.browser);
    expect(rest).toContain("and 5 more codes");
    expect(rest).toContain("Only 5 of these codes can be created");
  });
});

describe("the start", () => {
  it("makes one job, however often its form is sent", async () => {
    const hash = `once-${me.client.workspaceId.slice(-12)}`;
    const page = await paste(`url,hash\na.example,${hash}\nb.example,${hash}-b`);
    const job = await start(page);
    expect(await start(page)).toBe(job);
    await harness.drain();
    // When the hashes are taken, by this very job.
    expect(await start(page)).toBe(job);
    expect(await codes()).toHaveLength(2);
  });

  it("names the job after the file, and goes back to the file with nothing lost", async () => {
    const file = Uint8Array.from(new TextEncoder().encode("url\na.example"));
    const page = await step({ step: "read", text: "", file });
    expect(page).toContain(" · 1 row, 1 column");
    const back = await step({ ...fieldsOf(page), step: "back" });
    expect(fieldsOf(back)).toMatchObject({ step: "read", text: "url\na.example" });
    const job = await start(await step({ ...fieldsOf(page), fileName: `filialen ${markup}.csv` }));
    expect(await pageAt(browser, job)).toContain("<h1>Import 1 row from filialen &lt;img");
    harness.queued.length = 0;
  });

  it("is refused where no row is good", async () => {
    const page = await paste("mailto:a", 400);
    await step({ ...fieldsOf(page), step: "start" }, 400);
    expect(harness.queued).toEqual([]);
  });

  it("leaves bad rows in the job as failed, which can be corrected and tried again alone", async () => {
    const page = await paste('Title,Link,tags\nA,a.example,x\nB,mailto:b,"y, z"\nC,mailto:c,', 400);
    const job = await start(page);
    await harness.drain();
    const shown = await pageAt(browser, job);
    expect(shown).toContain("1 code created, 2 rows left out");
    const retry = /href="(\/dashboard\/codes\/import\?job=[^"]+)"/.exec(shown)?.[1] ?? "";
    const again = await pageAt(browser, retry);
    expect(columnsOf(again)).toEqual(["name", "url", "tags"]);
    const names = /^[^\n]*/.exec(fieldsOf(again).text ?? "")?.[0];
    expect(names).toBe("Title,Link,tags");
    const failed = await (await browser.open(`${job}/failed.csv`)).text();
    expect(failed.split("\r\n")[0]).toBe("Title,Link,tags,error");
    expect(fieldsOf(again)).toMatchObject({ "cell.1.1": "mailto:b", "cell.2.1": "mailto:c" });
    const corrected = await step({ ...fieldsOf(again), "cell.1.1": "b.example", "cell.2.1": "c.example" });
    await start(corrected);
    await harness.drain();
    expect((await codes()).map(({ name, tags }) => [name, tags])).toEqual([
      ["A", ["x"]],
      ["B", ["y", "z"]],
      ["C", []],
    ]);
    const other = await signedIn(harness.service);
    await pageAt(other.browser, retry, 404);
    const done = job.replace("/dashboard/jobs/", "");
    harness.clock.advance((limits.bulkItemDays + 1) * 24 * 60 * 60 * 1000);
    const later = await harness.service.sessionIn(me.client.workspaceId);
    browser.cookies.set("session", later.cookie.replace("session=", ""));
    expect(await pageAt(browser, `${path}?job=${done}`)).toContain("This job has no rows to try again");
  });

  it("takes many rows, without a field for each", async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `Code ${i},https://a.example/page/${i},x`);
    const page = await paste(["name,url,tags", ...rows].join("\n"));
    expect(page.match(/<input /g)?.length).toBeLessThan(30);
    expect(page).toContain("One square is 4 rows.");
    const job = await start(page);
    expect(await pageAt(browser, job)).toContain("0 of 2,000");
    harness.queued.length = 0;
  });

  it("refuses a table above the size that it states", async () => {
    const file = new Uint8Array(limits.importedTable + 1).fill("\n".charCodeAt(0));
    expect(await step({ step: "read", text: "a.example", file }, 400)).toContain(
      "The file can have at most 4,096 KiB.",
    );
  });

  it("refuses a table above the width that it states, and bounds its page, whatever the rows have", async () => {
    const cells = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join(",");
    for (const width of [limits.tableColumns + 1, 30_000]) {
      const wide = `${cells(width)}\na\n`;
      const page = await paste(wide, 400);
      expect(page).toContain(`can have at most 100 columns, but line 1 has ${width}`);
      expect(page.length - wide.length).toBeLessThan(32 * 1024);
    }
    const widest = `url,${cells(limits.tableColumns - 1)}\n`;
    const table = widest + `${"x,".repeat(limits.tableColumns - 1)}x\n`.repeat(1000);
    const shown = await paste(table, 400);
    expect(shown).toContain("1,000 need a fix");
    expect(shown.length - table.length).toBeLessThan(150 * 1024);
    // Spreadsheet programs export empty columns as far as a format reaches.
    await paste(`name,url${",".repeat(30_000)}\nA,a.example${",".repeat(30_000)}`);
  });

  it("is refused in a suspended workspace", async () => {
    const { workspaceId } = me.client;
    const suspension = `/operator/workspaces/${workspaceId}/suspension`;
    await harness.service.operator.send("PUT", suspension, { reason: "A test" });
    expect(await paste("a.example", 403)).toContain("suspended");
  });
});
