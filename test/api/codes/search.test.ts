import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import type { Client } from "../../support/service.ts";

const harness = new BulkHarness();
const { service } = harness;

/** The ids of the codes that a search finds. */
const foundBy = async (client: Client, q: string): Promise<string[]> =>
  (await client.expect(200, QrList, "GET", `/qr?q=${encodeURIComponent(q)}`)).items.map(({ id }) => id);

it("finds a tag with spaces around it, in the filter as in the body", async () => {
  const own = await service.workspace();
  const qr = await own.createQr({ tags: [" spring\t", "spring", "\u00a0summer fair"] });
  expect(qr.tags).toEqual(["spring", "summer fair"]);
  for (const tag of ["spring", " spring", "spring\n ", " summer fair\u00a0"]) {
    const { items } = await own.expect(200, QrList, "GET", `/qr?tag=${encodeURIComponent(tag)}`);
    expect([tag, items.length]).toEqual([tag, 1]);
  }
});

it("finds a tag in any Unicode form, and one that was stored in another as it is", async () => {
  const own = await service.workspace();
  const [composed, apart] = ["Café", "Cafe\u0301"];
  const { id, tags } = await own.createQr({ tags: [apart] });
  expect(tags).toEqual([composed]);
  const found = async (tag: string) =>
    (await own.expect(200, QrList, "GET", `/qr?tag=${encodeURIComponent(tag)}`)).items.map((qr) => qr.id);
  expect([await found(apart), await found(composed)]).toEqual([[id], [id]]);
  const old = await own.createQr();
  await env.DB.prepare("UPDATE qr_codes SET tags = json_array(?) WHERE id = ?").bind(apart, old.id).run();
  expect([await found(apart), await found(composed)]).toEqual([[old.id], [id]]);
});

it.each([
  ["MENÜ", "menü"],
  ["Straße", "STRASSE"],
  ["ΟΔΟΣ", "οδος"],
  ["οδός", "ΌΣ"],
  ["МЕНЮ", "меню"],
  ["ՄԵՆՅՈՒ", "մենյու"],
  ["Caf\u00e9", "CAFE\u0301"],
  ["Ｍｅｎｕ", "ｍＥＮＵ"],
  ["𐐀𐐁", "𐐨𐐩"],
  ["Menu 🍕", "mENU 🍕"],
  ["Menu", "ENU"],
])("finds the name %s by q=%s", async (name, q) => {
  const own = await service.workspace();
  const { id } = await own.createQr({ name });
  expect(await foundBy(own, q)).toEqual([id]);
});

it("finds a name as it is now: created, changed or from a bulk job", async () => {
  const own = await service.workspace();
  const name = "ΟΔΟΣ";
  const found = () => foundBy(own, "οδος");
  const created = await own.createQr({ name });
  expect(await found()).toEqual([created.id]);
  for (const next of ["Ö", "plain"]) {
    await own.expect(200, Qr, "PATCH", `/qr/${created.id}`, { name: next });
    expect(await found()).toEqual([]);
  }
  await own.expect(200, Qr, "PATCH", `/qr/${created.id}`, { name });
  expect(await found()).toEqual([created.id]);
  await own.expect(200, Qr, "PATCH", `/qr/${created.id}`, { name: null });
  expect(await found()).toEqual([]);
  const job = await harness.run(own, await harness.json(own, [{ ...item(1), name }]));
  expect(await found()).toEqual([job.items[0]?.createdQrId]);
});

describe("what a search names exactly comes first", () => {
  it.each([
    ["short name", { hash: "menu24" }, "menu24"],
    ["own id", { externalId: "table-7" }, "table-7"],
    ["address", { data: { type: "url", url: "https://example.com/menu" } }, "example.com/menu"],
    ["name, whatever its case", { name: "Menu" }, "MENU"],
  ] as const)("by its %s", async (_, input, q) => {
    const own = await service.workspace();
    const ids = [(await own.createQr(input)).id];
    for (const name of [`${q} one`, `${q} two`]) ids.push((await own.createQr({ name })).id);
    expect(await foundBy(own, q)).toEqual(ids);
    const pages: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = new URLSearchParams({ q, limit: "2", ...(cursor === "" ? {} : { cursor }) });
      const page: QrList = await own.expect(200, QrList, "GET", `/qr?${query}`);
      pages.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(ids);
  });

  it("among the codes that the other filters leave", async () => {
    const own = await service.workspace();
    await own.createQr({ name: "Filtered", tags: ["summer"] });
    expect(await foundBy(own, "filtered")).toHaveLength(1);
    const { items } = await own.expect(200, QrList, "GET", "/qr?q=filtered&tag=winter");
    expect(items).toEqual([]);
  });
});
