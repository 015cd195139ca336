import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/qr.ts";
import { readTable } from "../../src/lib/text/csv.ts";
import { rasterise, readWithZxing } from "../support/decode.ts";
import { type Client, Service } from "../support/service.ts";

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

/** The files of a ZIP whose entries are stored as they are, by name. */
function readZip(bytes: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    const [size, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
    const extra = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    expect(files.has(name)).toBe(false);
    files.set(name, bytes.slice(start, start + size));
    at += 46 + nameLength + extra;
  }
  return files;
}

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
      for (const [index, image] of images.entries()) {
        expect(await readWithZxing(await rasterise(format, image, 400))).toEqual([codes[index]?.scanUrl]);
      }
    },
  );

  it("has a table of its files, which no spreadsheet runs as a formula", async () => {
    const files = await archive({ ids: codes.map(({ id }) => id) });
    const table = readTable(files.get("codes.csv") ?? new Uint8Array(), { maxColumns: 3, maxRecords: 100 });
    expect(table).toEqual([
      ["name", "scanUrl", "file"],
      ...codes.map(({ name, scanUrl }, index) => [
        name === "=1+1" ? "'=1+1" : (name ?? ""),
        scanUrl,
        [...files.keys()][index],
      ]),
    ]);
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
