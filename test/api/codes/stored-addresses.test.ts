import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { BulkPreview } from "../../../src/contract/resources/codes/bulk-update.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Domain, OperatorDomain } from "../../../src/contract/resources/domains.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { Service, type SessionClient } from "../../support/service.ts";

/** Addresses that earlier rules let through stay valid where nobody changes them. */

const service = new Service();
const old = [
  "https://12.50",
  "https://a_.-b",
  "https://example.com)",
  "https://old.example./d",
  "https://a..b/c",
];
let owner: SessionClient;

beforeEach(async () => {
  owner = await service.session();
});

const store = (
  table: "qr_codes" | "pages" | "domains",
  column: string,
  path: string,
  id: string,
  url: string,
) =>
  env.DB.prepare(
    `UPDATE ${table} SET ${column} = ${path === "" ? "?2" : `json_set(${column}, '${path}', ?2)`} WHERE id = ?1`,
  )
    .bind(id, url)
    .run();

/** Undoes the newest change of an object. */
async function undo(id: string): Promise<number> {
  const { items } = await owner.expect(200, HistoryList, "GET", `/developer/history?object=${id}&limit=1`);
  return (await owner.send("POST", `/developer/history/${items[0]?.id}/revert`)).status;
}

it.each(old)("a code keeps %s", async (url) => {
  const client = await service.client(owner.workspaceId);
  const fresh = "https://example.com/new";
  const { id } = await client.createQr({ fallbackUrl: "https://example.com/closed" });
  await store("qr_codes", "data", "$.url", id, url);
  await store("qr_codes", "fallback_url", "", id, url);
  const patch = async (body: object) => (await client.send("PATCH", `/qr/${id}`, body)).status;
  const data = { type: "url", url };
  expect(await patch({ name: "Renamed" })).toBe(200);
  expect(await patch({ data, fallbackUrl: url })).toBe(200);
  const csv = await (await client.send("GET", "/qr/export")).text();
  const returned = await client.send("POST", "/qr/bulk-update/csv?dryRun=true", csv, {
    "content-type": "text/csv",
  });
  expect(BulkPreview.parse(await returned.json()).rows).toMatchObject({
    changed: 0,
    unchanged: 1,
    failed: 0,
  });
  expect(await patch({ data: { type: "url", url: fresh }, fallbackUrl: fresh })).toBe(200);
  // As a new address it is refused, and undoing brings it back.
  if (url !== "https://old.example./d") expect(await patch({ data })).toBe(400);
  expect(await undo(id)).toBe(200);
  expect(await client.expect(200, Qr, "GET", `/qr/${id}`)).toMatchObject({ data: { url }, fallbackUrl: url });
  await client.send("DELETE", `/qr/${id}`);
  expect((await client.expect(200, Qr, "POST", `/qr/${id}/restore`)).data).toMatchObject({ url });
});

it("a page keeps them in its links and its header", async () => {
  const blocks = old.map((_, i) => ({ type: "link", label: `L${i}`, url: "https://example.com/" }));
  const page = await owner.expect(201, Page, "POST", "/developer/pages", { title: "Fair", blocks });
  for (const [i, url] of old.entries()) await store("pages", "content", `$.blocks[${i}].url`, page.id, url);
  const path = `/developer/pages/${page.id}`;
  const { blocks: stored } = await owner.expect(200, Page, "GET", path);
  const urls = ({ blocks: all }: Page) => all.flatMap((block) => ("url" in block ? [block.url] : []));
  expect(urls(await owner.expect(200, Page, "PATCH", path, { title: "Summer fair" }))).toEqual(old);
  expect(urls(await owner.expect(200, Page, "PATCH", path, { blocks: stored.toReversed() }))).toEqual(
    old.toReversed(),
  );
  await owner.expect(200, Page, "PATCH", path, { blocks: [] });
  expect(await undo(page.id)).toBe(200);
  expect(urls(await owner.expect(200, Page, "GET", path))).toEqual(old.toReversed());
  const added = { type: "link", label: "New", url: "https://b..c" };
  expect((await owner.send("PATCH", path, { blocks: [...stored, added] })).status).toBe(400);
});

it("a domain keeps them for its root and unknown paths", async () => {
  const [rootUrl = "", unknownUrl = ""] = old;
  await service.operator.expect(200, OperatorDomain, "PUT", "/operator/domains/kept.example", {
    workspaceId: owner.workspaceId,
  });
  const listed = await owner.expect(200, z.object({ domains: z.array(Domain) }), "GET", "/developer/domains");
  const { id = "" } = listed.domains[0] ?? {};
  await store("domains", "root_url", "", id, rootUrl);
  await store("domains", "unknown_url", "", id, unknownUrl);
  const path = `/developer/domains/${id}`;
  expect(await owner.expect(200, Domain, "PATCH", path, { name: "Acme", rootUrl })).toMatchObject({
    rootUrl,
    unknownUrl,
  });
  await owner.expect(200, Domain, "PATCH", path, { rootUrl: null });
  expect((await owner.send("PATCH", path, { rootUrl })).status).toBe(400);
  expect(await undo(id)).toBe(200);
  expect(await owner.expect(200, Domain, "GET", path)).toMatchObject({ rootUrl, unknownUrl });
});
