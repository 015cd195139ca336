import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { Deleted } from "../../src/contract/resources/codes/qr.ts";
import { ApiKeyList, NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { revocationsPerSweep } from "../../src/domain/identity/revocation.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { endingWith } from "../support/runner/timers.ts";
import { FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
/** Keys whose meters fail to revoke them. Their requests are counted all the same. */
const failing = new Set<string>();
/** Keys that were never used, whose meters have nothing to forget. */
const unused = new Set<string>();
/** Promises that a meter waits for before it revokes a key, by the key. */
const held = new Map<string, Promise<void>>();
/** Keys whose meters were asked to revoke them, in order. */
let asked: string[] = [];
const { meter } = buildDeps(env);
const faultyMeter: typeof meter = (name) => {
  const stub = meter(name);
  const revoke = async () => {
    asked.push(name);
    await held.get(name);
    if (failing.has(name)) throw new Error("the meter can't be reached");
    if (!unused.has(name)) await stub.revoke();
  };
  return new Proxy(stub, {
    get: (target, property) => (property === "revoke" ? revoke : Reflect.get(target, property, target)),
  });
};
const isolates = [0, 1].map(() => new Service({ now: clock.now, meter: faultyMeter }));
const [service] = isolates as [Service];

let session: SessionClient;

beforeEach(async () => {
  session = await service.session();
  failing.clear();
  held.clear();
  asked = [];
});

/** A key that both isolates remember. */
async function rememberedKey() {
  const created = await session.expect(201, NewApiKey, "POST", "/developer/keys", {
    name: "Leaked",
    type: "secret",
  });
  expect(await statuses(created.key)).toEqual([200, 200]);
  return created;
}

/** The isolates' answers to a request with the key. */
const statuses = (key: string) =>
  Promise.all(
    isolates.map(
      async (isolate) =>
        (await isolate.fetch("/api/v1/folders", { headers: { authorization: `Bearer ${key}` } })).status,
    ),
  );

/** Revokes a key whose meter can't be reached. @returns the error's text */
async function revokeInVain(id: string, by = session) {
  const response = await by.send("DELETE", `/developer/keys/${id}`);
  const body = (await response.json()) as { error: string; code: string };
  expect({ status: response.status, code: body.code }).toEqual({ status: 500, code: "internal" });
  return body.error;
}

describe("a revocation that does not reach the key's meter", () => {
  it("is stored but not answered as a success; the sweep completes it for every isolate", async () => {
    const { id, key } = await rememberedKey();
    failing.add(id);
    expect(await revokeInVain(id)).toContain("is revoked");
    expect(await session.expect(200, ApiKeyList, "GET", "/developer/keys")).toEqual({ keys: [] });
    // Isolates still accept the keys that they remember.
    expect(await statuses(key)).toEqual([200, 200]);

    await sweep(service.deps);
    expect(await statuses(key)).toEqual([200, 200]);
    failing.clear();
    await sweep(service.deps);
    expect(await statuses(key)).toEqual([401, 401]);

    asked = [];
    await sweep(service.deps);
    expect(asked).not.toContain(id);
    expect((await session.send("DELETE", `/developer/keys/${id}`)).status).toBe(404);
  });

  it("is completed by repeating it", async () => {
    const { id, key } = await rememberedKey();
    failing.add(id);
    await revokeInVain(id);
    await revokeInVain(id);
    expect(await statuses(key)).toEqual([200, 200]);
    failing.clear();
    await session.expect(200, Deleted, "DELETE", `/developer/keys/${id}`);
    expect(await statuses(key)).toEqual([401, 401]);
    expect((await session.send("DELETE", `/developer/keys/${id}`)).status).toBe(404);
  });

  it("can't be repeated by another workspace", async () => {
    const { id } = await rememberedKey();
    failing.add(id);
    await revokeInVain(id);
    asked = [];
    const stranger = await service.session();
    expect((await stranger.send("DELETE", `/developer/keys/${id}`)).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("ends within ten seconds even if the meter is never reached", async () => {
    const { id, key } = await rememberedKey();
    failing.add(id);
    await revokeInVain(id);
    clock.advance(10_000);
    expect(await statuses(key)).toEqual([401, 401]);
  });

  it("is answered like one that failed when the meter does not answer", async () => {
    const { id, key } = await rememberedKey();
    held.set(id, new Promise(() => {}));
    const impatient = new Service({ ...service.deps, startTimer: endingWith(AbortSignal.abort()) });
    await revokeInVain(id, await impatient.sessionIn(session.workspaceId));
    held.clear();
    await sweep(service.deps);
    expect(await statuses(key)).toEqual([401, 401]);
  });

  it("is marked before the meter is asked, so that the sweep completes it after a crash in between", async () => {
    const { id, key } = await rememberedKey();
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(id, promise);
    const response = session.send("DELETE", `/developer/keys/${id}`);
    await expect.poll(() => asked).toEqual([id]);
    held.clear();
    await sweep(service.deps);
    expect(await statuses(key)).toEqual([401, 401]);
    resolve();
    expect((await response).status).toBe(200);
  });

  it("does not hold up others in the sweep, which completes a bounded number a run", async () => {
    const statement = env.DB.prepare(
      `INSERT INTO api_keys (id, workspace_id, name, type, scopes, origins, digest, prefix, last_four, created_at,
         revoked_at, revocation_pending_at)
       SELECT value, ?1, 'Old', 'secret', '[]', '[]', value, 'sk_live_', '0000', 0, 0, key FROM json_each(?2)`,
    );
    const ids = Array.from({ length: revocationsPerSweep + 10 }, () => crypto.randomUUID());
    await statement.bind(session.workspaceId, JSON.stringify(ids)).run();
    for (const id of ids) unused.add(id);
    const oldest = ids.slice(0, revocationsPerSweep);
    for (const id of oldest.slice(1)) failing.add(id);

    await sweep(service.deps);
    expect(asked.toSorted()).toEqual(oldest.toSorted());
    asked = [];
    await sweep(service.deps);
    // The newest come first, now that the failing ones have been tried more recently.
    expect(asked).toHaveLength(revocationsPerSweep);
    expect(asked).toEqual(expect.arrayContaining(ids.slice(revocationsPerSweep)));
    failing.clear();
    await sweep(service.deps);
    await sweep(service.deps);
    const { results } = await env.DB.prepare(
      "SELECT id FROM api_keys WHERE revocation_pending_at IS NOT NULL",
    ).all();
    expect(results).toEqual([]);
  });
});
