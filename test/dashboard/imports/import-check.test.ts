import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { guessColumns, hasHeader } from "../../../src/dashboard/imports/columns.ts";
import type { Browser } from "../../support/browser.ts";
import { BulkHarness, withoutCodes } from "../../support/bulk.ts";
import { fieldsOf, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import {
  codesByDestination,
  columnsOf,
  importStep,
  importPath as path,
  startImport,
} from "../../support/imports.ts";

const harness = new BulkHarness();
let me: SignedInBrowser;
let browser: Browser;

beforeAll(async () => {
  me = await signedIn(harness.service);
  ({ browser } = me);
});
beforeEach(() => withoutCodes(me.client));

const step = (fields: Record<string, string>, status = 200) => importStep(browser, fields, status);
const paste = (text: string, status = 200) => step({ step: "read", text }, status);
const start = (page: string) => startImport(browser, page);
const codes = () => codesByDestination(me);

describe("the columns", () => {
  it("are guessed by their names in each language of the visitors' pages", () => {
    const headers = [
      "Standort;Ziel-URL;Schlagworte",
      "Nom;Lien;Étiquettes",
      "Nombre;Enlace;Etiquetas",
      "Nome;Collegamento;Etichette",
      "Naam;Koppeling;Trefwoorden",
      "Nazwa;Odnośnik;Słowa kluczowe",
      "Título;Endereço;Palavras-chave",
      "Başlık;Bağlantı;Etiketler",
      "店舗名;リンク先;タグ",
      "名字;网址;标签",
      "الاسم;الرابط;وسوم",
      "PLACE (new);Link (final);  tags",
    ];
    for (const header of headers) {
      const [names, ...rows] = [header, "A;a.example;x", "A;b.example;x"].map((line) => line.split(";"));
      expect([header, hasHeader([names ?? [], ...rows])]).toEqual([header, true]);
      expect([header, guessColumns(names, rows, 3)]).toEqual([header, ["name", "url", "tags"]]);
    }
  });

  it("are guessed by what is in their cells, each once", async () => {
    const tables: [text: string, columns: string[]][] = [
      [
        "Who,Where,Mail,Colour of the door\nPier 1,a.example/1,a@a.example,#123456\nPier 2,a.example/2,b@a.example,#654321",
        ["name", "url", "", "dotsColor"],
      ],
      // Postal addresses, and the link elsewhere.
      ["Name;Adresse;Seite\nA;Hauptstraße 1;a.example\nB;Hauptstraße 2;b.example", ["name", "", "url"]],
      // The same campaign in each row, and numbers, tell no rows apart.
      ["Was;Wohin;Nr;Link\nHerbst;x;1001;a.example\nHerbst;x;1002;b.example", ["", "", "", "url"]],
      ["Name,Title,Link,URL\nA,B,a.example,b.example", ["name", "", "url", ""]],
    ];
    for (const [text, columns] of tables)
      expect([text, columnsOf(await paste(text))]).toEqual([text, columns]);
  });

  it("stand beside their first rows, with what they become and who chose it", async () => {
    const page = await paste("Standort;Ziel;Kampagne\nKöln;a.example;Herbst\nWien;b.example;Herbst");
    expect(page).toContain("2 of 3 are used");
    expect(page).toContain("Köln · Wien");
    expect(page.match(/>Detected</g)).toHaveLength(2);
    const other = await step({ ...fieldsOf(page), "column.2": "tags", "column.0": "" });
    expect(other.match(/>Your choice</g)).toHaveLength(1);
  });

  it("of a wide table are shown in parts, and those of other parts stay chosen", async () => {
    const names = Array.from({ length: 70 }, (_, i) => (i === 40 ? "Link" : `c${i}`));
    const page = await paste(
      `${names.join(",")}\n${names.map((_, i) => (i === 40 ? "a.example" : "1")).join(",")}`,
    );
    expect(fieldsOf(page)["column.40"]).toBe("url");
    expect(page.match(/<select /g)?.length).toBeLessThan(32);
    const next = await step({ ...fieldsOf(page), part: "1" });
    expect(next).toContain('<label for="column.40">Link</label>');
    await start(await step({ ...fieldsOf(next), "column.45": "tags" }));
    await harness.drain();
    expect(await codes()).toMatchObject([{ tags: ["1"], data: { url: "https://a.example" } }]);
  });
});

describe("problems of the same kind", () => {
  const messy = [
    "Standort;Ziel-URL;Ordner",
    "Köln;https://harbour,example/koeln;",
    "Wien;harbour,example/wien;",
    "Bonn;;",
    "Bern;info@harbour.example;",
    "Graz;htps://harbour.example/graz;",
    "Ulm;harbour.example/ulm;Nirgends",
    "Hamm;harbour.example/hamm;",
  ].join("\n");

  /** The groups of a page: their titles with their counts. */
  const groupsOf = (page: string): string[] =>
    [...page.matchAll(/<h3>(.*?) <span class="quiet">(.*?)<\/span>/g)].map(
      ([, title, count]) => `${title}, ${count}`,
    );
  /** The id by which a button applies the fix with this label. */
  const fixOf = (page: string, label: string): string =>
    new RegExp(`name="fix" value="([^"]*)"[^>]*>${label}`).exec(page)?.[1]?.replaceAll("&#39;", "'") ??
    `no fix ${label}`;

  it("are grouped with their counts, most first, each with rows that lead to their cells", async () => {
    const page = await paste(messy, 400);
    expect(page).toContain("1 row is ready");
    expect(page).toContain("6 need a fix");
    expect(groupsOf(page)).toEqual([
      "Destination has commas, 2 rows",
      "Destination is empty, 1 row",
      "Destination is an email address, 1 row",
      "Destination has no https://, 1 row",
      expect.stringMatching(/^Folder .*, 1 row$/),
    ]);
    expect(page).toContain("For example “https://harbour,example/koeln”: a comma where a full stop belongs.");
    expect(page).toContain('href="#cell-1-1">Row 2</a>');
    // A cell gives the same reason as its group.
    expect(page).toContain('id="cell-0-1-problem">Destination has commas.<');
    expect(page).toContain('id="cell-2-1-problem">Destination is empty. ');
    expect(page).toContain('id="cell-4-1-problem">Destination has no https://.<');
    expect(page).toContain(
      "<strong>1 code</strong> will be created. 6 rows are left out; you can download them.",
    );
  });

  it("are fixed together, as far as a fix suits them", async () => {
    let page = await paste(messy, 400);
    const fix = async (label: string, more: Record<string, string> = {}, status = 400) => {
      page = await step({ ...fieldsOf(page), ...more, fix: fixOf(page, label) }, status);
    };
    await fix("Change commas to full stops");
    expect(page).toContain("3 rows are ready");
    await fix("Add https://");
    await fix("Leave empty");
    const fill = fixOf(page, "Fill 1 row");
    await fix("Fill 1 row", { [`fill.${fill}`]: "" });
    expect(groupsOf(page)).toContain("Destination is empty, 1 row");
    await fix("Fill 1 row", { [`fill.${fill}`]: "harbour.example" });
    expect(groupsOf(page)).toEqual(["Destination is an email address, 1 row"]);
    const last = await step({ ...fieldsOf(page), "cell.4.1": "harbour.example/bern" });
    await start(last);
    await harness.drain();
    expect((await codes()).map(({ data }) => data.type === "url" && data.url)).toEqual([
      "https://harbour.example",
      "https://harbour.example/bern",
      "https://harbour.example/graz",
      "https://harbour.example/hamm",
      "https://harbour.example/koeln",
      "https://harbour.example/ulm",
      "https://harbour.example/wien",
    ]);
  });

  it("can be shown alone, and all again", async () => {
    const page = await paste(messy, 400);
    const show = /name="show" value="([^"]*)"[^>]*>Show only these 2</.exec(page)?.[1] ?? "";
    const shown = await step({ ...fieldsOf(page), show }, 400);
    expect(shown.match(/scope="row" id="row-(\d+)"/g)).toEqual([
      'scope="row" id="row-0"',
      'scope="row" id="row-1"',
    ]);
    expect(shown.match(/scope="row" id="row-/g)).toHaveLength(2);
    const corrected = await step({ ...fieldsOf(shown), "cell.1.1": "harbour.example/koeln" }, 400);
    expect(corrected.match(/scope="row" id="row-/g)).toHaveLength(1);
    expect(
      (await step({ ...fieldsOf(corrected), show: "" }, 400)).match(/scope="row" id="row-/g),
    ).toHaveLength(7);
  });

  it("are shown by themselves up to a number, whatever the errors say", async () => {
    const schemes = Array.from({ length: 200 }, (_, i) => `scheme${i}:x`);
    const page = await paste(schemes.join("\n"), 400);
    expect(groupsOf(page)).toHaveLength(9);
    expect(groupsOf(page)[8]).toBe("Other problems, 192 rows");
  });

  it("are downloaded with the person's own columns and what is wrong", async () => {
    const page = await paste(messy, 400);
    const answer = await browser.upload(path, { ...fieldsOf(page), step: "download" });
    expect(answer.headers.get("content-disposition")).toContain("rows-left-out.csv");
    const lines = (await answer.text()).replace("\ufeff", "").trim().split("\r\n");
    expect(lines).toHaveLength(1 + 6);
    expect(lines[0]).toBe("Standort,Ziel-URL,Ordner,Problem");
    expect(lines[3]).toMatch(/^Bonn,,,Destination is empty/);
    expect(harness.queued).toEqual([]);
  });

  it("in dates and names have fixes of their own", async () => {
    const page = await paste(`Name;Link;Ende\n${"x".repeat(250)};a.example;\nB;b.example;24.12.2090`, 400);
    const dated = await step({ ...fieldsOf(page), fix: fixOf(page, "Use midnight UTC") }, 400);
    await start(await step({ ...fieldsOf(dated), fix: fixOf(dated, "Shorten to 200 characters") }));
    await harness.drain();
    expect(await codes()).toMatchObject([
      { name: "x".repeat(200) },
      { expiresAt: "2090-12-24T00:00:00.000Z" },
    ]);
  });
});
