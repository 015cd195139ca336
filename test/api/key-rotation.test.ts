import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { ApiKeyList, NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
let clock: FakeClock;
let isolates: readonly Service[];
let session: SessionClient;

beforeEach(async () => {
  clock = new FakeClock();
  isolates = [0, 1].map(() => new Service({ now: clock.now }));
  const [service] = isolates;
  if (service !== undefined) session = await service.session();
});

const at = (time: number) => new Date(time).toISOString();

const create = (input: object = {}) =>
  session.expect(201, NewApiKey, "POST", "/developer/keys", { name: "Import", type: "secret", ...input });

const rotate = (id: string, body: object = {}) => session.send("POST", `/developer/keys/${id}/rotate`, body);

const rotated = (id: string, body: object = {}) =>
  session.expect(201, NewApiKey, "POST", `/developer/keys/${id}/rotate`, body);

const list = async () => (await session.expect(200, ApiKeyList, "GET", "/developer/keys")).keys;

/** The isolates' answers to a request with the key. */
const statuses = (key: string) =>
  Promise.all(
    isolates.map(
      async (isolate) =>
        (await isolate.fetch("/api/v1/folders", { headers: { authorization: `Bearer ${key}` } })).status,
    ),
  );

describe("a key's creator", () => {
  it("is shown by name; the key keeps working when they leave, and is listed as theirs", async () => {
    await env.DB.prepare("UPDATE users SET name = 'Ada' WHERE id = ?").bind(session.userId).run();
    const created = await create();
    const ada = { id: session.userId, name: "Ada", member: true };
    expect(created.createdBy).toEqual(ada);
    expect((await list())[0]?.createdBy).toEqual(ada);

    const [service] = isolates;
    const other = await service?.sessionIn(session.workspaceId);
    await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(session.userId).run();
    if (other !== undefined) session = other;
    expect((await list())[0]?.createdBy).toEqual({ ...ada, member: false });
    expect(await statuses(created.key)).toEqual([200, 200]);
  });

  it("is unknown for keys of version 1.0", async () => {
    const { id } = await create();
    await env.DB.prepare("UPDATE api_keys SET created_by = NULL WHERE id = ?").bind(id).run();
    expect((await list())[0]?.createdBy).toBeNull();
  });
});

describe("a key that expires", () => {
  it("is refused from its time on, also where it was just used", async () => {
    const created = await create({ expiresAt: at(clock.now() + hour) });
    expect(created.expiresAt).toBe(at(clock.now() + hour));
    clock.advance(hour - 1);
    expect(await statuses(created.key)).toEqual([200, 200]);
    clock.advance(1);
    expect(await statuses(created.key)).toEqual([401, 401]);
    const [service] = isolates;
    const answer = await service?.fetch("/api/v1/qr", {
      headers: { authorization: `Bearer ${created.key}` },
    });
    expect(await answer?.json()).toMatchObject({ error: expect.stringContaining("expired") });
  });

  it("is listed for 30 days, and then deleted", async () => {
    const created = await create({ expiresAt: at(clock.now() + hour) });
    clock.advance(1);
    const other = await create();
    clock.advance(hour - 1 + limits.expiredKeyDays * day);
    const [service] = isolates;
    if (service !== undefined) await sweep(service.deps);
    session = (await service?.sessionIn(session.workspaceId)) ?? session;
    expect((await list()).map(({ id }) => id)).toEqual([created.id, other.id]);
    clock.advance(1);
    if (service !== undefined) await sweep(service.deps);
    expect((await list()).map(({ id }) => id)).toEqual([other.id]);
    expect(await statuses(created.key)).toEqual([401, 401]);
  });

  it.each([
    ["must be in the future", () => at(clock.now())],
    ["must be a date and time", () => "tomorrow"],
    ["must be between", () => "0001-01-01T00:00:00Z"],
  ])("%s", async (problem, time) => {
    const answer = await session.send("POST", "/developer/keys", {
      ...{ name: "Import", type: "secret", expiresAt: time() },
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(new RegExp(`^expiresAt ${problem}`)) }),
    ]);
    expect(await list()).toEqual([]);
  });
});

describe("rotating a key", () => {
  it("creates one with the same rights; both work until the overlap ends", async () => {
    const old = await create({ scopes: ["scans:read", "qr:read"], expiresAt: at(clock.now() + 90 * day) });
    expect(await statuses(old.key)).toEqual([200, 200]);
    const replacement = await rotated(old.id, { overlapHours: 2 });
    const { name, type, scopes, origins } = old;
    expect(replacement).toMatchObject({ name, type, scopes, origins, expiresAt: null, replacedBy: null });
    expect(await list()).toMatchObject([
      { id: old.id, expiresAt: at(clock.now() + 2 * hour), replacedBy: replacement.id },
      { id: replacement.id },
    ]);
    clock.advance(2 * hour - 1);
    expect(await statuses(old.key)).toEqual([200, 200]);
    clock.advance(1);
    expect(await statuses(old.key)).toEqual([401, 401]);
    expect(await statuses(replacement.key)).toEqual([200, 200]);
  });

  it("doesn't prolong a key that expires earlier, and overlaps for a day by default", async () => {
    const soon = await create({ expiresAt: at(clock.now() + hour) });
    clock.advance(1);
    await rotated(soon.id);
    clock.advance(1);
    const lasting = await create();
    clock.advance(1);
    await rotated(lasting.id, { expiresAt: at(clock.now() + day) });
    expect((await list()).map(({ expiresAt }) => expiresAt)).toEqual([
      soon.expiresAt,
      null,
      at(clock.now() + day),
      at(clock.now() + day),
    ]);
  });

  it("without an overlap revokes the old key at once, where it was just used too", async () => {
    const old = await create();
    expect(await statuses(old.key)).toEqual([200, 200]);
    const replacement = await rotated(old.id, { overlapHours: 0 });
    expect(await statuses(old.key)).toEqual([401, 401]);
    expect(await statuses(replacement.key)).toEqual([200, 200]);
    expect((await list()).map(({ id }) => id)).toEqual([replacement.id]);
    expect((await rotate(old.id)).status).toBe(404);
  });

  it("replaces a key once, also when asked twice at the same time", async () => {
    const old = await create();
    const answers = await Promise.all([rotate(old.id), rotate(old.id), rotate(old.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await list()).toHaveLength(2);
    const again = await rotate(old.id);
    expect(await again.json()).toMatchObject({ error: expect.stringContaining("being replaced") });
  });

  it("needs room for the new key", async () => {
    const old = await create();
    await env.DB.prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at)
       SELECT n.value, workspace_id, name, api_keys.type, scopes, origins, n.value, prefix, last_four, created_at
       FROM api_keys, json_each(?2) AS n WHERE api_keys.id = ?1`,
    )
      .bind(old.id, JSON.stringify(Array.from({ length: limits.keys - 1 }, () => crypto.randomUUID())))
      .run();
    const answer = await rotate(old.id);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining("at most 100 keys") }),
    ]);
    expect((await list()).filter(({ replacedBy }) => replacedBy !== null)).toEqual([]);
  });

  it.each([-1, 1.5, 169, "24"])("refuses an overlap of %j hours", async (overlapHours) => {
    const { id } = await create();
    const answer = await rotate(id, { overlapHours });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringMatching(/^overlapHours must be/) }),
    ]);
    expect(await list()).toHaveLength(1);
  });
});
