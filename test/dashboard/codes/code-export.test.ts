import { beforeAll, beforeEach, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { readTable } from "../../../src/lib/text/csv.ts";
import { BulkHarness, withoutCodes } from "../../support/bulk.ts";
import { fieldsOf, linksOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { codesByDestination, columnsOf, importStep, startImport } from "../../support/imports.ts";

const harness = new BulkHarness();
const list = "/dashboard/codes";
let me: SignedInBrowser;

beforeAll(async () => {
  me = await signedIn(harness.service);
});
beforeEach(() => withoutCodes(me.client));

/** The rows of a file, each by the names of its columns. */
async function download(path: string): Promise<Record<string, string>[]> {
  const answer = await me.browser.open(path);
  expect([answer.status, answer.headers.get("content-disposition")]).toEqual([
    200,
    expect.stringContaining('attachment; filename="codes.csv"'),
  ]);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const [header = [], ...rows] = readTable(bytes, { maxColumns: 50, maxRecords: 5000 });
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""])));
}

const namesAt = async (path: string) => (await download(path)).map(({ Name }) => Name).sort();

it("a list is exported by its menu: all codes, or those that its search finds", async () => {
  await me.client.createQr({ name: "Lunch", tags: ["summer"] });
  await me.client.createQr({ name: "Dinner, with a comma", status: "paused" });
  await (await signedIn(harness.service)).client.createQr({ name: "Theirs" });
  const exportOf = async (path: string) =>
    linksOf(await pageAt(me.browser, path), "menu-item").find((link) => link.includes("export.csv")) ?? "";
  expect(await namesAt(await exportOf(list))).toEqual(["Dinner, with a comma", "Lunch"]);
  expect(await namesAt(await exportOf(`${list}?q=tag%3Asummer`))).toEqual(["Lunch"]);
  expect(await namesAt(await exportOf(`${list}?q=comma`))).toEqual(["Dinner, with a comma"]);
  expect(await exportOf(`${list}?q=nothing-has-this`)).toBe("");
  expect(await namesAt(`${list}/export.csv?q=folder%3Anone`)).toEqual([]);
});

it("selected codes are exported, and no others", async () => {
  const [a, , c] = [
    await me.client.createQr({ name: "A" }),
    await me.client.createQr({ name: "B" }),
    await me.client.createQr({ name: "C" }),
  ];
  const theirs = await (await signedIn(harness.service)).client.createQr({ name: "Theirs" });
  expect(await pageAt(me.browser, list)).toMatch(/formaction="[^"]*export.csv" formmethod="get"/);
  const ids = new URLSearchParams([a, c, a, theirs, { id: "1" }].map(({ id }) => ["id", id]));
  expect(await namesAt(`${list}/export.csv?q=&${ids}`)).toEqual(["A", "C"]);
  expect(await namesAt(`${list}/export.csv?q=&id=1`)).toEqual([]);
});

it("an exported file can be imported: the copies have everything but the short links", async () => {
  const folder = await me.client.send("POST", "/folders", { name: "Cafés" });
  const { id: folderId } = (await folder.json()) as { id: string };
  const { scanUrl } = await me.client.createQr({
    name: "Lunch – 12 €",
    data: { type: "url", url: "https://a.example/menu?x=1,2" },
    tags: ["summer", "two words"],
    folderId,
    shape: "circle",
    colorConfig: { dotsColor: "#14532d", backgroundColor: "#ffffff", cornerColor: "#123456" },
    status: "paused",
    startsAt: "2090-01-01T00:00:00.000Z",
    expiresAt: "2091-01-01T00:00:00.000Z",
    fallbackUrl: "https://a.example/over",
    utm: { source: "table", medium: "print", campaign: "c", term: "t", content: "n" },
  });
  const file = await (await me.browser.open(`${list}/export.csv?q=`)).arrayBuffer();
  expect((await download(`${list}/export.csv?q=`))[0]).toMatchObject({
    "Short link": scanUrl,
    Destination: "https://a.example/menu?x=1,2",
    Folder: "Cafés",
    Tags: "summer|two words",
    Status: "paused",
  });
  const offered = await importStep(me.browser, { step: "read", text: "", file: new Uint8Array(file) });
  expect(offered).toContain("Change this code");
  const read = await importStep(me.browser, { ...fieldsOf(offered), step: "check", mode: "create" });
  expect(columnsOf(read).filter((column) => column === "")).toHaveLength(4);
  expect(fieldsOf(read).header).toBe("on");
  await startImport(me.browser, read);
  await harness.drain();
  const codes = await codesByDestination(me);
  expect(codes).toHaveLength(2);
  const [original, copy] = codes.map(
    ({ id, hash, scanUrl, createdAt, updatedAt, readability, ...rest }) => rest,
  );
  expect(copy).toEqual(original);
});

it("codes of other types are in the file, and say so", async () => {
  const data = { type: "whatsapp", phone: "+351912345678" } as const;
  await me.client.createQr({ name: "Orders", qrType: "whatsapp", data });
  expect(await download(`${list}/export.csv?q=`)).toMatchObject([
    { Name: "Orders", Type: "whatsapp", Destination: "" },
  ]);
});

it("a workspace has a few exports at a time", async () => {
  const answers = [];
  for (let i = 0; i <= limits.exports; i += 1) answers.push(await me.browser.open(`${list}/export.csv?q=`));
  expect(answers.map(({ status }) => status)).toEqual([...Array(limits.exports).fill(200), 429]);
  await Promise.all(answers.map((answer) => answer.text()));
  expect(await namesAt(`${list}/export.csv?q=`)).toEqual([]);
});
