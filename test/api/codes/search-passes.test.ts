import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
const usual = bounds.search;

/** Bounds by which each page of a search of a few codes examines a part of them. */
const narrow = () =>
  Object.assign(bounds, { search: { ...usual, entries: 2, perIndex: 2, codes: 2, statements: 1, whole: 0 } });
afterEach(() => {
  Object.assign(bounds, { search: usual });
});

type Query = Readonly<Record<string, string>>;

const page = (client: Client, query: Query): Promise<QrList> =>
  client.expect(200, QrList, "GET", `/qr?${new URLSearchParams(query)}`);

/** Returns the pages of a search. */
async function pagesOf(client: Client, query: Query): Promise<QrList[]> {
  const pages = [await page(client, query)];
  for (let cursor = pages[0]?.nextCursor; cursor != null; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await page(client, { ...query, cursor }));
  }
  return pages;
}

const namesOf = (pages: readonly QrList[]) =>
  pages.flatMap(({ items }) => items.map(({ name, externalId }) => name ?? externalId));

const url = (address: string) => ({ data: { type: "url" as const, url: address } });

/** A workspace with a code for each way of finding one. */
async function filled(): Promise<Client> {
  const own = await service.workspace();
  await own.createQr({ externalId: "x-lamp-3" });
  await own.createQr({ name: "a", ...url("https://shop.example/LAMP/1") });
  await own.createQr({ name: "Old lamp" });
  await own.createQr({ name: "b", tags: ["Lamps", "lamp post"] });
  await own.createQr({ name: "Lampshade" });
  await own.createQr({ name: "other" });
  await own.createQr({ name: "Lamp" });
  return own;
}
const order = ["Lamp", "Lampshade", "b", "Old lamp", "a", "x-lamp-3"];

describe("a search", () => {
  it("finds what it names, then what begins so, then what contains it: names, addresses, other texts", async () => {
    const own = await filled();
    const [only, ...more] = await pagesOf(own, { q: "lamp" });
    expect([namesOf([only as QrList]), only?.searched, more]).toEqual([order, undefined, []]);
  });

  it.each([false, true])(
    "has the same codes in the same order on pages of any size, narrow: %s",
    async (isNarrow) => {
      const own = await filled();
      if (isNarrow) narrow();
      for (const limit of ["1", "2", "4"]) {
        expect([limit, namesOf(await pagesOf(own, { q: "lamp", limit }))]).toEqual([limit, order]);
      }
      expect(namesOf(await pagesOf(own, { q: "lamp", status: "active" }))).toEqual(order);
      expect(namesOf(await pagesOf(own, { q: "lamp", status: "paused" }))).toEqual([]);
    },
  );

  it("has that order among the codes of a filter, too", async () => {
    const own = await service.workspace();
    for (const [name, address] of [
      ["Late lamp", "https://a.example/"],
      ["Lamp", "https://a.example/"],
      ["c", "https://a.example/lamp"],
    ] as const)
      await own.createQr({ name, tags: ["hall"], ...url(address) });
    await own.createQr({ name: "Lamp elsewhere" });
    expect(namesOf(await pagesOf(own, { q: "lamp", tag: "hall" }))).toEqual(["Lamp", "Late lamp", "c"]);
    narrow();
    const pages = await pagesOf(own, { q: "lamp", tag: "hall" });
    expect(namesOf(pages)).toEqual(["Lamp", "Late lamp", "c"]);
    expect(pages.length).toBeGreaterThan(3);
  });

  it("says how far it came on pages that aren't full, and never on others", async () => {
    const own = await filled();
    narrow();
    const pages = await pagesOf(own, { q: "nobody" });
    expect(namesOf(pages)).toEqual([]);
    const searched = pages.map((each) => each.searched);
    expect(searched.at(-1)).toBeUndefined();
    expect(searched.slice(0, -1).every((each) => each?.of === 7)).toBe(true);
    for (const part of ["names", "destinations", "codes"] as const) {
      const counts = searched.slice(0, -1).map((each) => each?.[part] ?? 0);
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect([part, counts.some((count) => count > 0)]).toEqual([part, true]);
    }
    const [full] = await pagesOf(own, { q: "lamp", limit: "1" });
    expect([full?.items.length, full?.searched]).toEqual([1, undefined]);
  });

  it("answers at once what an index finds in a large workspace, and goes on after it", async () => {
    const own = await filled();
    narrow();
    const first = await page(own, { q: "Lampshade" });
    expect([namesOf([first]), first.nextCursor === null, first.searched]).toEqual([
      ["Lampshade"],
      false,
      { names: 0, destinations: 0, codes: 0, of: 7 },
    ]);
  });

  it("finds codes that are created, renamed and deleted between its pages as they are", async () => {
    const own = await filled();
    narrow();
    const first = await page(own, { q: "lamp", limit: "2" });
    await own.createQr({ name: "My lamp" });
    const old = (await page(own, { q: "Old lamp" })).items[0];
    await own.send("DELETE", `/qr/${old?.id}`);
    const rest: QrList[] = [];
    for (let cursor = first.nextCursor; cursor !== null; cursor = rest.at(-1)?.nextCursor ?? null) {
      rest.push(await page(own, { q: "lamp", limit: "2", cursor }));
    }
    expect(namesOf([first, ...rest])).toEqual(["Lamp", "Lampshade", "b", "My lamp", "a", "x-lamp-3"]);
  });

  it("leaves out other workspaces and deleted codes", async () => {
    const own = await filled();
    const other = await service.workspace();
    await other.createQr({ name: "Lamp of others", tags: ["lamp"], ...url("https://lamp.example/") });
    const { items } = await page(own, { q: "lamp" });
    for (const { id } of items) await own.send("DELETE", `/qr/${id}`);
    expect((await page(own, { q: "lamp" })).items).toEqual([]);
  });
});

describe("accents", () => {
  it.each([
    ["jalapeno", "Jalapeño"],
    ["JALAPEÑO", "Jalapeno"],
    ["lodz", "Piotrkowska, Łódź"],
    ["nguoi", "Người bán"],
    ["creme brulee", "Brûlée, crème"],
    ["ελλαδα", "Για την Ελλάδα"],
    ["еще", "Ещё"],
    ["strasse", "Lange Straße"],
    ["internationalizacao", "Internationalização"],
  ])("q=%s finds %s in a name and in a tag", async (q, text) => {
    const own = await service.workspace();
    const named = await own.createQr({ name: text });
    const tagged = await own.createQr({ tags: [text] });
    await own.createQr({ name: "Jalousie, Lädchen, Ngu, Crêpe, Ελ, Ещ, Stra, Intern" });
    const { items } = await page(own, { q });
    const expected = q === "strasse" ? [named.id] : [named.id, tagged.id];
    expect(items.map(({ id }) => id).sort()).toEqual(expected.sort());
  });

  it("with accents in the text, finds names that have them first", async () => {
    const own = await service.workspace();
    await own.createQr({ name: "Hot jalapeño" });
    await own.createQr({ name: "A jalapeno" });
    expect(namesOf([await page(own, { q: "jalapeño" })])).toEqual(["Hot jalapeño", "A jalapeno"]);
    expect(namesOf([await page(own, { q: "jalapeno" })])).toEqual(["A jalapeno", "Hot jalapeño"]);
  });

  it("aren't taken for other letters", async () => {
    const own = await service.workspace();
    await own.createQr({ name: "Börse" });
    expect(namesOf([await page(own, { q: "bar" })])).toEqual([]);
    expect(namesOf([await page(own, { q: "bor" })])).toEqual(["Börse"]);
  });
});

describe("a search for any text", () => {
  it.each([
    ["%", "100 %", "none"],
    ["_", "a_b", "none"],
    ["*", "a*b", "none"],
    ["[", "a[b", "none"],
    ["'", "a'b", "none"],
    ["🍕", "Pizza 🍕", "none"],
    ["שלום", "שלום עולם", "none"],
    ["2024", "Menu 2024", "none"],
    ["long".repeat(50), "long".repeat(50), "long".repeat(49)],
    ["é".repeat(200), "é".repeat(200), "ä".repeat(200)],
  ])("%s finds only texts with it", async (q, name, other) => {
    const own = await service.workspace();
    await own.createQr({ name });
    await own.createQr({ name: other });
    expect(namesOf([await page(own, { q })])).toEqual([name]);
  });

  it.each(["\0", "a\0b", " ", "\u200b", "a e i o u n s t r d", "ä ö ü é è ê à â", "%".repeat(200)])(
    "answers %j",
    async (q) => {
      const own = await filled();
      narrow();
      expect((await pagesOf(own, { q, limit: "100" })).length).toBeGreaterThan(0);
    },
  );

  it("doesn't find the names of fields, nor what is around them", async () => {
    const own = await service.workspace();
    await own.createQr({ name: "Link" });
    await own.createQr({ name: "Text", qrType: "sms", data: { type: "sms", phone: "+4915112345678" } });
    for (const q of ["url", "phone", "type", "sms", "[", '"'])
      expect([q, namesOf([await page(own, { q })])]).toEqual([q, []]);
    expect(namesOf([await page(own, { q: "15112345" })])).toEqual(["Text"]);
  });

  it("finds words that are in different texts of a code", async () => {
    const own = await service.workspace();
    await own.createQr({ name: "Menu", tags: ["winter"], ...url("https://cafe.example/") });
    for (const q of ["winter menu", "menu cafe.example", "example winter"])
      expect([q, namesOf([await page(own, { q })])]).toEqual([q, ["Menu"]]);
    expect(namesOf([await page(own, { q: "menu summer" })])).toEqual([]);
  });
});

describe("cursors", () => {
  it("belong to the text and filters of their search", async () => {
    const own = await filled();
    const { nextCursor } = await page(own, { q: "lamp", limit: "1" });
    const cursor = nextCursor ?? "";
    for (const query of [{ q: "lamps" }, {}, { q: "lamp", tag: "x" }, { q: "lamp", status: "active" }])
      await expectError(
        await own.send("GET", `/qr?${new URLSearchParams({ ...query, cursor } as Query)}`),
        ...([400, "invalid_input"] as const),
      );
  });
});

it("a cursor that somebody made up is answered", async () => {
  const own = await filled();
  const { nextCursor } = await page(own, { q: "lamp", limit: "1" });
  const [, fingerprint] = JSON.parse(atob((nextCursor ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as [
    string,
    number,
  ];
  const searched = { names: 0, destinations: 0, codes: 0 };
  for (const position of [
    ...[0, 1, 2, 3, 4, 5, 6, 7, 99].map((pass) => ({ pass, after: ["x", "y"], searched })),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 99].map((pass) => ({ pass, after: ["x"], searched })),
    ...[{ exact: "x" }, { pass: 1, after: [], searched }],
  ]) {
    const cursor = btoa(JSON.stringify([JSON.stringify(position), fingerprint]));
    await page(own, {
      q: "lamp",
      limit: "100",
      cursor: cursor.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    });
  }
  for (const position of ["x", "null", "{}", '{"pass":-1,"after":null}', '{"pass":0,"after":[1]}']) {
    const cursor = btoa(JSON.stringify([position, fingerprint])).replaceAll("=", "");
    await expectError(
      await own.send("GET", `/qr?${new URLSearchParams({ q: "lamp", cursor })}`),
      ...([400, "invalid_input"] as const),
    );
  }
});

it("a filter without an index goes on likewise", async () => {
  const own = await service.workspace();
  const { id } = await own.createQr({ status: "paused" });
  for (let i = 0; i < 5; i += 1) await own.createQr();
  expect((await page(own, { status: "paused" })).items.map((qr) => qr.id)).toEqual([id]);
  narrow();
  Object.assign(bounds, { searchedCodes: 2 });
  const pages = await pagesOf(own, { status: "paused" });
  Object.assign(bounds, { searchedCodes: 5000 });
  expect(pages.map(({ items, searched }) => [items.length, searched?.codes, searched?.of])).toEqual([
    [0, 2, 6],
    [0, 4, 6],
    [1, undefined, undefined],
  ]);
});

it("a code that the catalogue stored without triggers' counts is still found", async () => {
  const own = await service.workspace();
  await own.createQr({ name: "Counted" });
  await env.DB.prepare("UPDATE workspaces SET live_codes = 0 WHERE id = ?").bind(own.workspaceId).run();
  expect(namesOf([await page(own, { q: "ounted" })])).toEqual(["Counted"]);
});
