import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { csvRow, readTable, undefused } from "../../../src/lib/text/csv.ts";
import { BulkHarness, insertCodes } from "../../support/bulk.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { columnsOf, importPath, importStep, startImport } from "../../support/imports.ts";

const harness = new BulkHarness();
let me: SignedInBrowser;

beforeEach(async () => {
  me = await signedIn(harness.service);
});

type Row = Record<string, string>;

/** The file of the list of codes, as rows by the names of their columns. */
async function exported(): Promise<Row[]> {
  const answer = await me.browser.open("/dashboard/codes/export.csv?q=");
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const [header = [], ...rows] = readTable(bytes, { maxColumns: 50, maxRecords: 5000 });
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, undefused(cells[i] ?? "")])));
}

const fileOf = (rows: readonly Row[]): Uint8Array<ArrayBuffer> => {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => csvRow(columns.map((column) => row[column] ?? "")));
  return new Uint8Array(new TextEncoder().encode(csvRow(columns) + lines.join("")));
};

const check = (rows: readonly Row[], status = 200) =>
  importStep(me.browser, { step: "read", text: "", file: fileOf(rows) }, status);
const again = (page: string, more: Record<string, string>, status = 200) =>
  importStep(me.browser, { ...fieldsOf(page), step: "check", ...more }, status);
const read = (id: string) => me.client.expect(200, Qr, "GET", `/qr/${id}`);
const plain = (page: string) => page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

describe("a file that names codes", () => {
  it("is offered to change them, says what each row does, and is undone as one", async () => {
    const folder = (await (await me.client.send("POST", "/folders", { name: "Menus" })).json()) as {
      id: string;
    };
    const a = await me.client.createQr({ name: "=Lunch", tags: ["a", "b"], externalId: "A" });
    const b = await me.client.createQr({ name: "Dinner", tags: ["c"] });
    const c = await me.client.createQr({ name: "Breakfast" });
    const file = await exported();
    expect(file.find(({ Name }) => Name === "=Lunch")).toMatchObject({
      ...{ "Short link": a.scanUrl, Tags: "a|b", "Own ID": "A", "Last changed": a.updatedAt },
    });
    const edited = file.map((row) => ({
      ...row,
      ...(row.Name === "=Lunch" && { Destination: "https://new.example/lunch", Folder: "menus" }),
      ...(row.Name === "Dinner" && { Tags: "" }),
    }));
    const page = await check(edited);
    expect(plain(page)).toContain("3 rows name a code that you have");
    expect(plain(page)).toContain("2 codes change, 1 stays as it is");
    expect(page).toContain("Removes the tags of 1 code.");
    expect(page).toContain("Was https://example.com/");
    expect(plain(page)).toContain("Removes c");
    expect(columnsOf(page)).toContain("scanUrl");
    expect(page).not.toContain("For every code");
    const job = await startImport(me.browser, page);
    await harness.drain();
    expect(await read(a.id)).toMatchObject({
      ...{
        name: "=Lunch",
        data: { url: "https://new.example/lunch" },
        folderId: folder.id,
        tags: ["a", "b"],
      },
    });
    expect(await read(b.id)).toMatchObject({ name: "Dinner", tags: [] });
    expect(await read(c.id)).toEqual(c);
    expect(plain(await pageAt(me.browser, job))).toContain("Change 3 codes");

    expect((await me.browser.submit(`${job}/undo`, {})).status).toBe(303);
    await harness.drain();
    const { updatedAt: _, ...before } = a;
    expect(await read(a.id)).toMatchObject(before);
    expect((await read(b.id)).tags).toEqual(["c"]);
  });

  it("creates new codes, if one chooses that", async () => {
    await me.client.createQr({ name: "Lunch" });
    const page = await again(await check(await exported()), { mode: "create" });
    expect(page).toContain("For every code");
    await startImport(me.browser, page);
    await harness.drain();
    expect(await exported()).toHaveLength(2);
  });

  it("shows what isn't found and what has changed since in the table, where it can be corrected or forced", async () => {
    const qr = await me.client.createQr({ name: "Lunch" });
    const other = await me.client.createQr({ name: "Dinner" });
    const file = (await exported()).map((row) => ({ ...row, Name: `${row.Name}!` }));
    harness.clock.advance(1000);
    await me.client.send("PATCH", `/qr/${qr.id}`, { tags: ["theirs"] });
    const [first] = file;
    const page = await check(
      [...file, { ...first, "Short link": "https://elsewhere.example/x", Name: "?" }],
      400,
    );
    expect(plain(page)).toContain("1 code changes ");
    expect(page).toContain("has changed since your export");
    expect(plain(page)).toContain("a short link of this service");
    expect(page).toContain('name="cell.3.0"');
    const mended = await again(page, { "cell.3.0": "" }, 400);
    expect(plain(mended)).toContain("names no code");
    const forced = await again(page, { force: "on" }, 400);
    expect(plain(forced)).toContain("2 codes change");
    await startImport(me.browser, forced);
    await harness.drain();
    // The file has no tags.
    expect(await read(qr.id)).toMatchObject({ name: "Lunch!", tags: [] });
    expect((await read(other.id)).name).toBe("Dinner!");
  });

  it("says in the cell why a destination isn't possible, and counts its row", async () => {
    const data = { type: "email", to: "a@e.example" } as const;
    await me.client.createQr({ name: "Lunch" });
    await me.client.createQr({ name: "Mail", qrType: "email", data });
    const file = (await exported()).map(({ Name = "", "Short link": scanUrl = "" }) => ({
      ...{ "Short link": scanUrl, Name },
      Destination: Name === "Mail" ? "https://e.example" : "javascript:alert(1)",
    }));
    const page = plain(await check(file, 400));
    expect(page).toContain("2 rows name a code that you have");
    expect(page).toContain("a link. Its type is email.");
    expect(page).toContain("Destination must be an http or https address, not javascript:.");
  });

  it("is tried again with the rows that failed, whose empty cells still mean something", async () => {
    const qr = await me.client.createQr({ name: "Lunch", tags: ["a"] });
    const page = await check([{ "Short link": qr.scanUrl, Tags: "", Name: "New" }]);
    const job = await startImport(me.browser, page);
    harness.clock.advance(1000);
    await me.client.send("DELETE", `/qr/${qr.id}`);
    await harness.drain();
    await me.client.send("POST", `/qr/${qr.id}/restore`);
    const id = job.split("/").at(-1);
    const retry = await pageAt(me.browser, `${importPath}?job=${id}`);
    expect(columnsOf(retry)).toEqual(["scanUrl", "name", "tags"]);
    expect(retry).toContain("Removes the tags of 1 code.");
    await startImport(me.browser, retry);
    await harness.drain();
    expect(await read(qr.id)).toMatchObject({ name: "New", tags: [] });
  });

  it("may have more rows than a plan can import, but not if they create codes", async () => {
    me = await signedIn(harness.service, "free");
    await insertCodes(me.client, 40);
    const file = (await exported()).map((row) => ({ ...row, Name: `${row.Name}!` }));
    const page = await check(file);
    expect(plain(page)).toContain("40 codes change");
    expect(await again(page, { mode: "create" }, 400)).toContain("the most that your Free plan can import");
  });
});

it("a table without names of codes is imported as ever", async () => {
  await me.client.createQr({ externalId: "B-1" });
  const page = await check([{ SKU: "A-1", Link: "e.example/1" }]);
  expect(page).not.toContain("that you have");
  expect(columnsOf(page)).toEqual(["externalId", "url"]);
  await startImport(me.browser, page);
  await harness.drain();
  const made = await me.client.expect(200, Qr, "GET", "/qr/by-external-id/A-1");
  expect(made.data).toEqual({ type: "url", url: "https://e.example/1" });
});
