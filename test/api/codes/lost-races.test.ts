import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { expectError } from "../../support/endpoints.ts";
import { makePage, type PageMaker, pageMaker } from "../../support/hosted-pages.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

/** A workspace of an isolate in which `meanwhile` happens before each transaction, and a code of it. */
async function racing(meanwhile: (id: string) => Promise<unknown>): Promise<{ client: Client; qr: Qr }> {
  const raced: string[] = [];
  const db = wrapDatabase(env.DB, async (work, sql) => {
    const [id] = raced;
    if (id !== undefined && sql === undefined) await meanwhile(id);
    return work();
  });
  const client = await new Service({ db, pause: () => Promise.resolve() }).workspace();
  const qr = await client.createQr({ name: "Old", colorConfig: { dotsColor: "#000000" } });
  raced.push(qr.id);
  return { client, qr };
}

const run = (sql: string, ...values: string[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const changesOf = (id: string) =>
  emittedEvents().filter(({ kind, data }) => data.id === id && kind !== "qr.created");

it("a change that another isolate overtakes is made again of what that one has left", async () => {
  let races = 3;
  const { client, qr } = await racing(async (id) => {
    if (races === 0) return;
    races -= 1;
    const color = `json_set(color_config, '$.cornerColor', '#00000${races}')`;
    await run(`UPDATE qr_codes SET version = version + 1, color_config = ${color} WHERE id = ?`, id);
  });
  const changed = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
    colorConfig: { dotsColor: "#111111" },
  });
  expect(changed.colorConfig).toEqual({ dotsColor: "#111111", cornerColor: "#000000" });
  expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(changed);
  expect(changesOf(qr.id).map(({ data }) => data)).toEqual([{ ...changed, changed: ["colorConfig"] }]);
});

it.each(["PATCH", "DELETE"] as const)(
  "a %s that is overtaken eight times is 503 with retry-after, and stores nothing",
  async (method) => {
    let races = 0;
    const { client, qr } = await racing((id) => {
      races += 1;
      return run("UPDATE qr_codes SET version = version + 1 WHERE id = ?", id);
    });
    const body = method === "PATCH" ? { name: "New" } : undefined;
    const refused = await client.send(method, `/qr/${qr.id}`, body);
    await expectError(refused, 503, "internal");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(races).toBeGreaterThanOrEqual(8);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    expect(changesOf(qr.id)).toEqual([]);
  },
);

it("a folder that is deleted meanwhile is refused, and the code stays as it is", async () => {
  const folders: string[] = [];
  const { client, qr } = await racing(() => run("DELETE FROM folders WHERE id = ?", folders[0] ?? ""));
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
  folders.push(folder.id);
  const refused = await client.send("PATCH", `/qr/${qr.id}`, { name: "New", folderId: folder.id });
  expect(await expectError(refused, 400, "invalid_input")).toContain("folderId");
  expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
  expect(changesOf(qr.id)).toEqual([]);
});

/** A resource that a code refers to by a field, and how it is made and deleted. */
const referred = [
  {
    field: "folderId",
    table: "folders",
    make: async ({ client }: PageMaker) =>
      (await client.expect(201, Folder, "POST", "/folders", { name: "F" })).id,
    remove: "DELETE FROM folders WHERE id = ?",
    body: (folderId: string) => ({
      qrType: "url" as const,
      data: { type: "url" as const, url: "https://example.com" },
      folderId,
    }),
  },
  {
    field: "data.pageId",
    table: "pages",
    make: async (maker: PageMaker) => (await makePage(maker)).id,
    remove: "UPDATE pages SET deleted_at = 1 WHERE id = ?",
    body: (pageId: string) => ({
      qrType: "servicepage" as const,
      data: { type: "servicepage" as const, pageId },
    }),
  },
];

it.each(referred)(
  "a $field that is gone as soon as it was found is refused, and nothing is stored",
  async (tested) => {
    const vanishing: string[] = [];
    const isLookedUp = new RegExp(`(from|join) "?${tested.table}`, "i");
    const db = wrapDatabase(env.DB, async (work, sql = "") => {
      const result = await work();
      if (isLookedUp.test(sql)) for (const id of vanishing.splice(0)) await run(tested.remove, id);
      return result;
    });
    const maker = await pageMaker(new Service({ db, pause: () => Promise.resolve() }));
    const { client } = maker;
    const qr = await client.createQr(tested.body(await tested.make(maker)));
    const vanish = async () => {
      const id = await tested.make(maker);
      vanishing.push(id);
      return tested.body(id);
    };
    for (const refused of [
      await client.send("POST", "/qr", await vanish(), { "idempotency-key": "a-new-code" }),
      await client.send("PATCH", `/qr/${qr.id}`, await vanish()),
    ]) {
      expect(vanishing).toEqual([]);
      expect(await expectError(refused, 400, "invalid_input")).toMatch(tested.field);
    }
    expect((await client.expect(200, QrList, "GET", "/qr")).items).toEqual([qr]);
    const events = emittedEvents().filter(({ workspaceId }) => workspaceId === client.workspaceId);
    expect(events.map(({ kind }) => kind)).toEqual(["qr.created"]);
  },
);

it("deleting a folder raises the versions of its codes", async () => {
  const client = await new Service().workspace();
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
  const qr = await client.createQr({ folderId: folder.id });
  await client.send("DELETE", `/folders/${folder.id}`);
  const version = env.DB.prepare("SELECT version FROM qr_codes WHERE id = ?").bind(qr.id);
  expect(await version.first("version")).toBe(2);
});
