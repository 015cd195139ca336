import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Domain } from "../../../src/contract/resources/domains.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { type Client, Service } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

/** Changes of codes ask the catalogue, besides the code itself, only for what their fields need, in one batch. */

/** The tables that each batch of questions reads. */
const asked: string[][] = [];
const db = wrapDatabase(env.DB, (work, sql, statement) => {
  if (sql !== undefined && statement === undefined) {
    asked.push(sql.split(";").map((each) => /(?:JOIN|UPDATE|FROM) (?!json_each)(\w+)/.exec(each)?.[1] ?? ""));
  }
  return work();
});
const service = new Service({ db });
let client: Client;
const made = { host: "", folderId: "", pageId: "" };

beforeAll(async () => {
  const owner = await service.session();
  client = await service.client(owner.workspaceId);
  const domain = await owner.expect(201, Domain, "POST", "/developer/domains", { host: "asked.localhost" });
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
  const page = await makePage({ client, session: owner });
  Object.assign(made, { host: domain.host, folderId: folder.id, pageId: page.id });
});

beforeEach(() => {
  asked.length = 0;
});

const url = (path: string) => ({ type: "url" as const, url: `https://example.com/${path}` });

it.each<[string, () => object, string[]]>([
  ["name", () => ({ name: "New" }), []],
  ["tags", () => ({ tags: ["new"] }), []],
  ["status", () => ({ status: "paused" }), []],
  ["startsAt", () => ({ startsAt: "2030-01-01T00:00:00.000Z" }), []],
  ["expiresAt", () => ({ expiresAt: "2031-01-01T00:00:00.000Z" }), []],
  ["utm", () => ({ utm: { source: "poster" } }), []],
  ["query", () => ({ query: "merge" }), []],
  ["colorConfig", () => ({ colorConfig: { dotsColor: "#000080" } }), []],
  ["shape", () => ({ shape: "circle" }), []],
  ["data", () => ({ data: url("new") }), ["domains"]],
  ["fallbackUrl", () => ({ fallbackUrl: "https://example.com/fallback" }), ["domains"]],
  ["folderId", () => ({ folderId: made.folderId }), ["folders"]],
  ["externalId", () => ({ externalId: "SKU-1" }), ["qr_codes"]],
  ["domain", () => ({ domain: made.host }), ["domains"]],
  ["aliases", () => ({ aliases: [`${made.host}/new`] }), ["domains", "aliases"]],
  ["templateId", () => ({ templateId: null }), []],
])(
  "a change of %s asks for what the field needs, and nothing once it is equal",
  async (_, change, tables) => {
    const qr = await client.createQr();
    asked.length = 0;
    const changed = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, change());
    expect(changed).toMatchObject(change());
    expect(asked).toEqual(tables.length === 0 ? [] : [tables]);
    asked.length = 0;
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, change());
    // Whether codes answer at a domain is read whenever it is sent.
    expect(asked).toEqual("domain" in change() ? [["domains"]] : []);
  },
);

it("a new code asks for everything in one batch", async () => {
  const aliases = [`${made.host}/whole`];
  await client.createQr({ folderId: made.folderId, externalId: "SKU-2", aliases, hash: "asked-once" });
  expect(asked).toEqual([["folders", "qr_codes", "domains", "aliases", "qr_codes", "aliases"]]);
  asked.length = 0;
  await client.expect(201, Qr, "POST", "/qr", {
    qrType: "servicepage",
    data: { type: "servicepage", pageId: made.pageId },
  });
  expect(asked).toEqual([["pages", "domains"]]);
});
