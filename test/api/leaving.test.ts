import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Deleted, type Qr } from "../../src/contract/resources/codes/qr.ts";
import { ApiKeyList } from "../../src/contract/resources/identity/keys.ts";
import { DeletionStatus } from "../../src/contract/resources/identity/leaving.ts";
import { OperatorWorkspaceList } from "../../src/contract/resources/operations/operations.ts";
import { Page, PageImage } from "../../src/contract/resources/pages.ts";
import { WebhookList } from "../../src/contract/resources/webhooks/webhooks.ts";
import { repairRoutes, repairStalePublications } from "../../src/domain/routing/repair.ts";
import { workspaceErasure } from "../../src/domain/workspaces/erasure.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { validBody } from "../support/endpoints.ts";
import { sendForm } from "../support/hosted-pages.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
let clock: FakeClock;
let service: Service;
let owner: SessionClient;
let client: Client;
let code: Qr;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  service = new Service({ now: clock.now });
  client = await service.workspace();
  owner = await service.sessionIn(client.workspaceId);
  code = await client.createQr({ name: "Menu" });
  // The isolate remembers the key.
  await client.send("GET", "/folders");
});

const path = "/developer/workspace/deletion";
const remove = (codes: string, name = "Test") => owner.send("POST", path, { name, codes });
const scan = async (hash = code.hash) => (await service.scan(hash)).status;
const restart = () => new Service({ now: clock.now });

/** Sessions end after twelve hours. */
async function signInAgain(): Promise<void> {
  const { userId } = owner;
  owner = await service.sessionIn(client.workspaceId);
  await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(userId).run();
}

const status = async () => (await owner.expect(200, DeletionStatus, "GET", path)).deletion;

async function sweepUntilErased(): Promise<number> {
  for (let runs = 1; runs < 20; runs += 1) {
    await sweep(service.deps);
    const due = await env.DB.prepare("SELECT deletion_due_at FROM workspaces WHERE id = ?")
      .bind(client.workspaceId)
      .first("deletion_due_at");
    if (due === null) return runs;
    clock.advance(minute);
  }
  throw new Error("the workspace is not erased");
}

describe("deleting a workspace", () => {
  it("needs its name, and an owner", async () => {
    for (const body of [
      { name: "test", codes: "stop" },
      { name: "", codes: "stop" },
    ]) {
      const answer = await owner.send("POST", path, body);
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: "name must be the workspace's name, Test." }),
      ]);
    }
    expect((await remove("burn")).status).toBe(400);
    await env.DB.prepare("UPDATE members SET role = 'admin' WHERE user_id = ?").bind(owner.userId).run();
    expect((await remove("stop")).status).toBe(403);
    await env.DB.prepare("UPDATE members SET role = 'owner' WHERE user_id = ?").bind(owner.userId).run();
    expect(await status()).toBeNull();
    expect(await scan()).toBe(302);
  });

  it("ends codes, pages, keys and webhooks at once, where they were just used too", async () => {
    const page = await owner.expect(201, Page, "POST", "/developer/pages", { title: "Opening hours" });
    await owner.send("POST", "/developer/webhooks", validBody.createWebhook);
    const pagePath = `/pages/${page.id}`;
    expect([await scan(), (await service.fetch(pagePath)).status]).toEqual([302, 200]);
    const answer = await remove("stop");
    expect([answer.status, await answer.json()]).toEqual([
      202,
      {
        deletion: {
          codes: "stop",
          requestedAt: new Date(clock.now()).toISOString(),
          requestedBy: "Someone",
          eraseAt: new Date(clock.now() + 7 * day).toISOString(),
          erasing: null,
        },
      },
    ]);
    for (const isolate of [service, restart()]) {
      expect((await isolate.scan(code.hash)).status).toBe(404);
      expect((await isolate.fetch(pagePath)).status).toBe(404);
      const headers = { authorization: `Bearer ${client.key}` };
      expect((await isolate.fetch("/api/v1/qr", { headers })).status).toBe(401);
    }
    const ledger = service.deps.ledger(client.workspaceId);
    expect(WebhookList.parse({ webhooks: await ledger.listWebhooks() }).webhooks).toMatchObject([
      { status: "paused", pausedReason: "The deletion of the workspace was requested" },
    ]);
  });

  it("leaves members nothing but to see how far it is, to cancel it and to leave", async () => {
    await remove("stop");
    for (const each of [
      "/developer/keys",
      "/developer/workspace",
      "/developer/webhooks",
      "/developer/pages",
    ]) {
      const answer = await owner.send("GET", each);
      expect([each, answer.status, await answer.json()]).toEqual([
        each,
        403,
        expect.objectContaining({ error: expect.stringContaining("being deleted") }),
      ]);
    }
    expect((await owner.send("POST", "/developer/keys", validBody.createKey)).status).toBe(403);
    expect((await owner.send("GET", "/developer/sessions")).status).toBe(200);
    expect(await status()).toMatchObject({ codes: "stop", erasing: null });
  });

  it("can let codes work for another 90 days, without forms and jobs", async () => {
    const page = await owner.expect(201, Page, "POST", "/developer/pages", {
      title: "Contact",
      form: { fields: [{ type: "text", name: "a", label: "A" }], button: "Send" },
    });
    await client.send("POST", "/qr/bulk", validBody.createBulk);
    await remove("freeze");
    const own = env.DB.prepare("SELECT status, error FROM bulk_jobs WHERE workspace_id = ?");
    const jobs = await own.bind(client.workspaceId).all();
    expect(jobs.results).toEqual([
      { status: "failed", error: "The deletion of the workspace was requested." },
    ]);
    for (const isolate of [service, restart()]) {
      expect((await isolate.scan(code.hash)).status).toBe(302);
      expect((await isolate.fetch(`/pages/${page.id}`)).status).toBe(200);
    }
    expect((await sendForm(service, page, { a: "Hello" })).status).toBe(403);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    clock.advance(90 * day - 1);
    await sweep(service.deps);
    expect([await scan(), (await restart().scan(code.hash)).status]).toEqual([302, 302]);
    clock.advance(1);
    await sweepUntilErased();
    clock.advance(1000);
    expect([await scan(), (await restart().scan(code.hash)).status]).toEqual([404, 404]);
  });

  it("repeated, keeps its first time and choice", async () => {
    await remove("stop");
    const first = await status();
    clock.advance(minute);
    expect((await remove("freeze")).status).toBe(202);
    expect(await status()).toEqual(first);
  });

  it("is completed by the sweep if a part doesn't respond", async () => {
    await env.DB.prepare(
      `UPDATE workspaces SET deletion_due_at = ?2, plan_version = plan_version + 1,
         suspension_version = suspension_version + 1, suspension_changed_at = ?2,
         deletion = json_object('codes', 'stop', 'requestedAt', ?2, 'requestedBy', 'Ada', 'eraseAt', ?2 + 1000000,
           'closed', json('false'), 'step', NULL)
       WHERE id = ?1`,
    )
      .bind(client.workspaceId, clock.now())
      .run();
    // The isolate still has the key in its memory.
    expect((await client.send("GET", "/qr")).status).toBe(200);
    await sweep(service.deps);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    expect(await scan()).toBe(404);
    expect(await status()).toMatchObject({ erasing: null });
  });
});

describe("cancelling the deletion", () => {
  it("brings codes and keys back; webhooks stay paused", async () => {
    await owner.send("POST", "/developer/webhooks", validBody.createWebhook);
    await remove("stop");
    clock.advance(11 * 60 * minute);
    const cancelled = await owner.expect(200, DeletionStatus, "DELETE", path);
    expect(cancelled.deletion).toBeNull();
    expect([await scan(), (await restart().scan(code.hash)).status]).toEqual([302, 302]);
    expect((await client.send("GET", "/qr")).status).toBe(200);
    expect((await owner.expect(200, ApiKeyList, "GET", "/developer/keys")).keys).toHaveLength(1);
    const { webhooks } = await owner.expect(200, WebhookList, "GET", "/developer/webhooks");
    expect(webhooks.map((webhook) => webhook.status)).toEqual(["paused"]);
    clock.advance(8 * day);
    await sweep(service.deps);
    expect(await scan()).toBe(302);
  });

  it("is refused once the erasure begins, and without a deletion", async () => {
    expect((await owner.send("DELETE", path)).status).toBe(400);
    await remove("stop");
    clock.advance(7 * day);
    await signInAgain();
    const answer = await owner.send("DELETE", path);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining("can't be cancelled any more") }),
    ]);
  });
});

describe("the erasure", () => {
  /** Everything of the workspace in the catalogue but tombstones of codes and pages. */
  async function remains(): Promise<Record<string, number>> {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%workspace_id%'",
    ).all<{ name: string }>();
    const counts: Record<string, number> = {};
    for (const { name: table } of results) {
      if (["qr_codes", "pages"].includes(table)) continue;
      const n = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE workspace_id = ?`)
        .bind(client.workspaceId)
        .first<number>("n");
      if (n !== 0) counts[table] = n ?? 0;
    }
    return counts;
  }

  it("leaves nothing but tombstones; other workspaces keep theirs", async () => {
    const other = await service.workspace();
    const kept = await other.createQr({ name: "Kept", tags: ["a"] });
    await client.send("POST", "/folders", { name: "Secret folder" });
    await client.send("POST", "/qr/bulk", validBody.createBulk, { "idempotency-key": "k" });
    await owner.send("POST", "/developer/templates", validBody.createTemplate);
    await owner.send("POST", "/developer/brand/logos", validBody.createBrandLogo);
    await owner.send("POST", "/developer/webhooks", validBody.createWebhook);
    const { createPageImage } = validBody;
    const image = await owner.expect(201, PageImage, "POST", "/developer/page-images", createPageImage);
    const page = await owner.expect(201, Page, "POST", "/developer/pages", { title: "Secret page" });
    const tagged = await client.createQr({ name: "Secret", tags: ["secret-tag"] });
    await client.send("DELETE", `/qr/${tagged.id}`);
    const { files } = service.deps;
    await files?.put(`archives/${client.workspaceId}/2026-01/000001.ndjson.gz`, "x");
    await files?.put(`archives/${other.workspaceId}/2026-01/000001.ndjson.gz`, "x");
    await scan();
    await remove("stop");
    clock.advance(7 * day - 1);
    await sweep(service.deps);
    expect(Object.keys(await remains())).toContain("folders");
    clock.advance(1);
    await sweepUntilErased();

    expect(await remains()).toEqual({});
    const rows = await env.DB.prepare("SELECT * FROM qr_codes WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .all();
    expect(JSON.stringify(rows.results)).not.toMatch(/Secret|Menu|secret-tag|example\.com/);
    expect(rows.results.map(({ hash }) => hash)).toEqual(expect.arrayContaining([code.hash, tagged.hash]));
    const workspace = await env.DB.prepare("SELECT name FROM workspaces WHERE id = ?")
      .bind(client.workspaceId)
      .first("name");
    expect(workspace).toBe("Deleted workspace");
    const list = (query: string) =>
      service.operator.expect(200, OperatorWorkspaceList, "GET", `/operator/workspaces?${query}`);
    expect((await list("limit=100")).items.map(({ id }) => id)).not.toContain(client.workspaceId);
    expect((await list(`id=${client.workspaceId}`)).items).toMatchObject([
      { id: client.workspaceId, deletion: { erased: true } },
    ]);
    const listed = await files?.list({ prefix: "archives/" });
    expect(listed?.objects.map(({ key }) => key)).toEqual([
      `archives/${other.workspaceId}/2026-01/000001.ndjson.gz`,
    ]);
    expect(image.bytes).toBeGreaterThan(0);
    expect((await files?.list({ prefix: `page-images/${client.workspaceId}/` }))?.objects).toEqual([]);
    const ledger = service.deps.ledger(client.workspaceId);
    expect([await ledger.countScans(), await ledger.listWebhooks()]).toEqual([0, []]);
    clock.advance(2 * minute);
    await repairStalePublications(service.deps);
    await repairRoutes(service.deps, [{ key: code.hash }]);
    expect(await env.ROUTES.get(code.hash)).not.toMatch(/example\.com/);

    expect([await scan(), await scan(kept.hash)]).toEqual([404, 302]);
    expect((await restart().fetch(`/pages/${page.id}`)).status).toBe(404);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    expect((await other.send("GET", "/qr")).status).toBe(200);
    expect((await owner.send("GET", path)).status).toBe(401);
  });

  it("continues where a sweep was interrupted, in slices, and shows how far it is", async () => {
    const before = { ...workspaceErasure };
    Object.assign(workspaceErasure, { slices: 1, codes: 2, rows: 2 });
    try {
      for (let i = 0; i < 4; i += 1) await client.createQr({ name: `Code ${i}` });
      for (let i = 0; i < 3; i += 1) await client.send("POST", "/folders", { name: `Folder ${i}` });
      await remove("stop");
      clock.advance(7 * day);
      await signInAgain();
      const live = () =>
        env.DB.prepare("SELECT live_codes FROM workspaces WHERE id = ?")
          .bind(client.workspaceId)
          .first("live_codes");
      await sweep(service.deps);
      expect([await live(), await status()]).toEqual([3, expect.objectContaining({ erasing: "codes" })]);
      clock.advance(minute);
      await sweep(service.deps);
      expect(await live()).toBe(1);
      expect(await sweepUntilErased()).toBeGreaterThan(4);
      expect(await remains()).toEqual({});
    } finally {
      Object.assign(workspaceErasure, before);
    }
  });
});

describe("deleting one's account", () => {
  const account = "/developer/account/deletion";
  const leave = (person: SessionClient, email = "ada@example.com", codes = "stop") =>
    person.send("POST", account, { email, codes });
  const named = (person: SessionClient, email = "ada@example.com") =>
    env.DB.prepare("UPDATE users SET email = ?2 WHERE id = ?1").bind(person.userId, email).run();
  const people = async (id: string) =>
    (await env.DB.prepare("SELECT id FROM users WHERE id = ?").bind(id).all()).results.length;

  it("ends their sessions, and deletes the workspaces that are theirs alone", async () => {
    await named(owner);
    expect((await leave(owner, "eve@example.com")).status).toBe(400);
    expect(await (await leave(owner, " Ada@Example.com ")).json()).toEqual({ success: true });
    expect(await people(owner.userId)).toBe(0);
    expect((await owner.send("GET", "/developer/sessions")).status).toBe(401);
    expect(await scan()).toBe(404);
    expect((await client.send("GET", "/qr")).status).toBe(401);
    clock.advance(7 * day);
    await sweepUntilErased();
    expect(await scan()).toBe(404);
  });

  it("is refused while they are the only owner of a workspace with other members", async () => {
    await named(owner);
    const member = await service.sessionIn(client.workspaceId);
    const role = (userId: string, to: string) =>
      env.DB.prepare("UPDATE members SET role = ?2 WHERE user_id = ?1").bind(userId, to).run();
    await role(member.userId, "editor");
    const answer = await leave(owner);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining("You are the only owner of Test") }),
    ]);
    expect([await people(owner.userId), await scan()]).toEqual([1, 302]);

    await role(member.userId, "owner");
    expect(Deleted.parse(await (await leave(owner)).json())).toEqual({ success: true });
    expect([await people(owner.userId), await scan()]).toEqual([0, 302]);
    expect((await client.send("GET", "/qr")).status).toBe(200);
    expect((await member.send("GET", "/developer/keys")).status).toBe(200);
  });

  it("doesn't stop a workspace's deletion", async () => {
    await named(owner);
    await service.sessionIn(client.workspaceId);
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE user_id <> ?").bind(owner.userId).run();
    await remove("freeze");
    expect((await leave(owner)).status).toBe(200);
    expect(await scan()).toBe(302);
  });
});
