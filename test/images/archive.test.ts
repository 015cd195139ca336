import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { readTable } from "../../src/lib/text/csv.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { readPdf } from "../support/images/pdf.ts";
import { sample } from "../support/runner/runs.ts";
import { type Client, Service } from "../support/service.ts";
import { readZip } from "../support/zip.ts";

const service = new Service();
let client: Client;
let codes: Qr[];

const names = [
  "Summer menu!",
  "summer MENU",
  null,
  "CON",
  "../../etc/passwd",
  "菜单 🍜",
  "=1+1",
  "a".repeat(200),
];

beforeAll(async () => {
  client = await service.workspace();
  codes = [];
  for (const name of names) codes.push(await client.createQr(name === null ? {} : { name }));
});

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

async function archive(body: object): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const response = await client.send("POST", "/qr/images", body);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/zip");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="qr-codes.zip"');
  return readZip(new Uint8Array(await response.arrayBuffer()));
}

describe("an archive of images", () => {
  it.each(["svg", "png"] as const)(
    "has the %s of every code, under a name that is safe and its own",
    async (format) => {
      const files = await archive({ ids: codes.map(({ id }) => id), format });
      const hashOf = (index: number) => codes[index]?.hash ?? "";
      expect([...files.keys()]).toEqual([
        `summer-menu.${format}`,
        `summer-menu-${hashOf(1)}.${format}`,
        `${hashOf(2)}.${format}`,
        `${hashOf(3)}.${format}`,
        `etc-passwd.${format}`,
        `菜单.${format}`,
        `1-1.${format}`,
        `${"a".repeat(60)}.${format}`,
        "codes.csv",
      ]);
      const images = [...files.values()].slice(0, -1);
      for (const [index, image] of sample([...images.entries()], 4)) {
        expect(await readWithZxing(await rasterise(format, image, 400))).toEqual([codes[index]?.scanUrl]);
      }
    },
  );

  it("has a table of its files, which no spreadsheet runs as a formula", async () => {
    const files = await archive({ ids: codes.map(({ id }) => id) });
    const table = readTable(files.get("codes.csv") ?? new Uint8Array(), { maxColumns: 5, maxRecords: 100 });
    expect(table).toEqual([
      ["name", "scanUrl", "file", "error", "@image"],
      ...codes.map(({ name, scanUrl }, index) => [
        name === "=1+1" ? "'=1+1" : (name ?? ""),
        scanUrl,
        [...files.keys()][index],
        "",
        [...files.keys()][index],
      ]),
    ]);
  });

  it.each([
    [{}, [0xef, 0xbb, 0xbf], "utf-8"],
    [{ encoding: "utf-8" }, [0xef, 0xbb, 0xbf], "utf-8"],
    [{ encoding: "utf-16" }, [0xff, 0xfe], "utf-16le"],
  ])("has the table that a data merge reads: %j", async (options, mark, encoding) => {
    const { id, scanUrl } = await client.createQr({ name: "Café 菜单 🍜" });
    const bytes = (await archive({ ids: [id], ...options })).get("codes.csv") ?? new Uint8Array();
    expect([...bytes.subarray(0, mark.length)]).toEqual(mark);
    // By the letter, because a data merge knows no other name of the column, nor apostrophes in front.
    expect(new TextDecoder(encoding).decode(bytes)).toBe(
      `name,scanUrl,file,error,@image\r\nCafé 菜单 🍜,${scanUrl},café-菜单.svg,,café-菜单.svg\r\n`,
    );
  });

  it("has no table in other encodings", async () => {
    for (const encoding of ["utf8", "UTF-16", "utf-16le", "latin1", "", 16, null]) {
      const response = await client.send("POST", "/qr/images", { filter: {}, encoding });
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
        400,
        "encoding must be utf-8 or utf-16.",
      ]);
    }
  });

  it.each([
    ["svg", { mm: 30 }],
    ["png", { mm: 30, dpi: 600 }],
    ["png", { size: 1024 }],
    ["pdf", { mm: 30, ink: "k100" }],
  ] as const)("has the same %s with %o as a code's own image", async (format, options) => {
    const [code] = codes;
    const files = await archive({ ids: [code?.id], format, ...options });
    const query = new URLSearchParams({ format, ...options } as unknown as Record<string, string>);
    const own = await client.send("GET", `/qr/${code?.id}/image?${query}`);
    const image = files.get(`summer-menu.${format}`) ?? new Uint8Array();
    if (format === "pdf") expect(await readPdf(image)).toEqual(await readPdf(await bytesOf(own)));
    else expect(image).toEqual(await bytesOf(own));
  });

  it("names a code that can't be drawn in its table, and has the others", async () => {
    const files = await archive({ ids: codes.map(({ id }) => id), format: "png", mm: 2000 });
    expect([...files.keys()]).toEqual(["codes.csv"]);
    expect(new TextDecoder().decode(files.get("codes.csv"))).toContain(
      `${codes[0]?.scanUrl},,"mm must be at most`,
    );
  });

  it("has the codes of a filter, newest first", async () => {
    const { name, scanUrl } = await client.createQr({ name: "Tagged", tags: ["press"] });
    const files = await archive({ filter: { tag: "press" } });
    expect([...files.keys()]).toEqual(["tagged.svg", "codes.csv"]);
    expect(new TextDecoder().decode(files.get("codes.csv"))).toContain(`${name},${scanUrl},tagged.svg`);
  });

  it("has at most 100 codes", async () => {
    const ids = Array.from({ length: 101 }, () => crypto.randomUUID());
    const response = await client.send("POST", "/qr/images", { ids });
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: "invalid_input", error: "ids can have at most 100 ids." },
    ]);
  });
});
