import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { erasuresPerSweep } from "../../src/domain/operations/erasure.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { expectError } from "../support/endpoints.ts";
import { FakeClock, Service } from "../support/service.ts";
import { dropFromFeeds } from "../support/world/late-feeds.ts";

let clock: FakeClock;
let service: Service;
beforeEach(() => {
  clock = new FakeClock();
  service = new Service({ now: clock.now });
});
const days = (count: number) => count * 86_400_000;

/** A word that occurs in every value of the objects below. */
const secret = "pomegranate";

async function secretCode() {
  const client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
  const template = await session.expect(201, Template, "POST", "/developer/templates", { name: "T" });
  const qr = await client.createQr({
    name: `Ünser ${secret}`,
    qrType: "vcard",
    data: { type: "vcard", firstName: secret, note: secret },
    tags: [secret],
    folderId: folder.id,
    templateId: template.id,
    shape: "circle",
    colorConfig: { dotsColor: "navy", note: secret },
    advanced: { note: secret },
    startsAt: "2020-01-01T00:00:00Z",
    expiresAt: "2090-01-01T00:00:00Z",
    fallbackUrl: `https://${secret}.example/`,
  });
  return { client, qr };
}

async function secretPage() {
  const session = await service.session();
  const page = await session.expect(201, Page, "POST", "/developer/pages", {
    title: secret,
    intro: secret,
    blocks: [{ type: "text", text: secret }],
    form: { fields: [{ type: "text", name: secret, label: secret }] },
  });
  return { session, page };
}

const row = (table: "qr_codes" | "pages", id: string) =>
  env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(id).first();

describe("a deleted code", () => {
  it("has no destination and no content at the edges from its deletion on, and is whole in the catalogue", async () => {
    const { client, qr } = await secretCode();
    expect(await env.ROUTES.get(qr.hash)).toContain(secret);
    await client.send("DELETE", `/qr/${qr.id}`);
    expect(await env.ROUTES.get(qr.hash, "json")).toEqual({
      format: 1,
      version: 2,
      qrId: qr.id,
      workspaceId: client.workspaceId,
      type: "vcard",
      status: "deleted",
      destination: "",
    });
    await env.ROUTES.delete(qr.hash);
    // A scan fills KV once the feeds have dropped the deletion, after ten minutes.
    await dropFromFeeds();
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(404);
    expect(await env.ROUTES.get(qr.hash)).not.toContain(secret);
    expect(JSON.stringify(await row("qr_codes", qr.id))).toContain(secret);
  });

  it("is a tombstone after 30 days: ids, hash and times, and no values", async () => {
    const { client, qr } = await secretCode();
    const deletedAt = clock.now();
    await client.send("DELETE", `/qr/${qr.id}`);
    clock.advance(days(30) - 1);
    await sweep(service.deps);
    expect(JSON.stringify(await row("qr_codes", qr.id))).toContain(secret);
    clock.advance(1);
    await sweep(service.deps);
    const values = Object.entries((await row("qr_codes", qr.id)) ?? {});
    expect(Object.fromEntries(values.filter(([, value]) => value !== null))).toEqual({
      id: qr.id,
      workspace_id: client.workspaceId,
      hash: qr.hash,
      hash_folded: qr.hash,
      version: 3,
      qr_type: "vcard",
      data: "{}",
      tags: "[]",
      status: "active",
      query: "off",
      created_at: Date.parse(qr.createdAt),
      updated_at: deletedAt,
      deleted_at: deletedAt,
      erased_at: clock.now(),
      bytes: 304,
      index_bytes: 0,
      alias_bytes: 0,
    });
    await expectError(await client.send("POST", `/qr/${qr.id}/restore`), 404, "not_found");
    await expectError(await client.send("DELETE", `/qr/${qr.id}`), 404, "not_found");
    await env.ROUTES.delete(qr.hash);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(404);
    expect((await service.fetch(`/${qr.hash}.svg`)).status).toBe(404);
    expect((await client.send("GET", `/qr/${qr.id}/scans`)).status).toBe(200);
  });

  it("keeps its hash for ever", async () => {
    const { client, qr } = await secretCode();
    await client.send("DELETE", `/qr/${qr.id}`);
    clock.advance(days(31));
    await sweep(service.deps);
    const copy = env.DB.prepare(
      `INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, data, tags, status, created_at, updated_at)
       SELECT ?, workspace_id, hash, 1, 'url', '{}', '[]', 'active', 0, 0 FROM qr_codes WHERE id = ?`,
    ).bind(newId(0), qr.id);
    await expect(copy.run()).rejects.toThrow(/UNIQUE constraint failed: qr_codes.hash/);
  });

  it("is not published again by becoming a tombstone", async () => {
    const { client, qr } = await secretCode();
    await client.send("DELETE", `/qr/${qr.id}`);
    await env.DB.prepare("DELETE FROM pending_publications").run();
    clock.advance(days(31));
    await sweep(service.deps);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM pending_publications").first("n")).toBe(0);
  });

  it("stays whole when it was restored in time", async () => {
    const { client, qr } = await secretCode();
    await client.send("DELETE", `/qr/${qr.id}`);
    clock.advance(days(29));
    expect((await client.send("POST", `/qr/${qr.id}/restore`)).status).toBe(200);
    clock.advance(days(2));
    await sweep(service.deps);
    const vcard = await service.scan(qr.hash);
    expect([vcard.status, await vcard.text()]).toEqual([200, expect.stringContaining(secret)]);
  });
});

describe("a deleted page", () => {
  it("has no content at the edges from its deletion on, and is a tombstone after 30 days", async () => {
    const { session, page } = await secretPage();
    expect(await env.ROUTES.get(`page:${page.id}`)).toContain(secret);
    expect((await session.send("DELETE", `/developer/pages/${page.id}`)).status).toBe(200);
    expect(await env.ROUTES.get(`page:${page.id}`)).not.toContain(secret);
    clock.advance(days(30) - 1);
    await sweep(service.deps);
    expect(JSON.stringify(await row("pages", page.id))).toContain(secret);
    clock.advance(1);
    await sweep(service.deps);
    const tombstone = await row("pages", page.id);
    expect(JSON.stringify(tombstone)).not.toContain(secret);
    expect(tombstone).toMatchObject({ id: page.id, version: 2, erased_at: clock.now() });
    await env.ROUTES.delete(`page:${page.id}`);
    expect((await new Service({ now: clock.now }).fetch(`/pages/${page.id}`)).status).toBe(404);
    const again = await service.sessionIn(session.workspaceId);
    const path = `/developer/pages/${page.id}`;
    await expectError(await again.send("DELETE", path), 404, "not_found");
    expect((await again.send("GET", `${path}/submissions/export`)).status).toBe(200);
  });
});

it("many deleted codes become tombstones in steps, the oldest first", async () => {
  const { workspaceId } = await service.workspace();
  const count = erasuresPerSweep + 5;
  await env.DB.prepare(
    `INSERT INTO qr_codes
       (id, workspace_id, hash, version, qr_type, name, data, tags, status, created_at, updated_at, deleted_at)
     SELECT 'many' || value, ?1, 'many' || value, 2, 'url', 'x', '{}', '[]', 'active', 0, 0, value
     FROM (WITH n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2) SELECT * FROM n)`,
  )
    .bind(workspaceId, count)
    .run();
  const left = async () => {
    const { results } = await env.DB.prepare(
      "SELECT deleted_at FROM qr_codes WHERE workspace_id = ? AND erased_at IS NULL ORDER BY deleted_at",
    )
      .bind(workspaceId)
      .all<{ deleted_at: number }>();
    return results.map(({ deleted_at }) => deleted_at);
  };
  await sweep(service.deps);
  expect(await left()).toEqual([1, 2, 3, 4, 5].map((i) => erasuresPerSweep + i));
  await sweep(service.deps);
  expect(await left()).toEqual([]);
});
