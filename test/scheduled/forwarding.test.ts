import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();

beforeEach(async () => {
  await env.DB.batch([env.DB.prepare("DELETE FROM outbox"), env.DB.prepare("DELETE FROM forwarding_leases")]);
});

/** Adds a change to the outbox of each workspace. */
async function change(workspaceIds: readonly string[]): Promise<void> {
  const rows = workspaceIds.map((workspaceId) => ({ id: newId(clock.now()), workspaceId }));
  await env.DB.prepare(
    `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
     SELECT value->>'id', value->>'workspaceId', 'qr.created', '{}', ?1 FROM json_each(?2)`,
  )
    .bind(clock.now(), JSON.stringify(rows))
    .run();
}

const oldestWaits = async () =>
  clock.now() -
  ((await env.DB.prepare("SELECT min(created_at) AS at FROM outbox").first<number>("at")) ?? clock.now());

/** 120 workspaces, how often each was served, and a service whose ledgers take 400 ms for that. */
function manyWorkspaces() {
  const workspaceIds = Array.from({ length: 120 }, () => newId(clock.now()));
  const served = new Map(workspaceIds.map((id) => [id, 0]));
  const service = new Service({
    now: clock.now,
    // The ledgers of other tests store what they receive. Here only their pace matters.
    ledger: (workspaceId) => {
      const receive = async () => {
        clock.advance(400);
        served.set(workspaceId, (served.get(workspaceId) ?? 0) + 1);
        return [];
      };
      return { receive } as unknown as ReturnType<Deps["ledger"]>;
    },
  });
  return { workspaceIds, served, service };
}

it("the sweep starves no workspace, whatever the order of ids: 120 change something every 20 s, and 50 fit a sweep", async () => {
  const { workspaceIds, served, service } = manyWorkspaces();
  const waits: number[] = [];
  for (let minutes = 0; minutes < 6; minutes += 1) {
    for (let changes = 0; changes < 3; changes += 1) {
      clock.advance(20_000);
      await change(workspaceIds);
    }
    await service.worker.scheduled(undefined, env);
    waits.push(await oldestWaits());
  }
  expect([...served.values()].filter((times) => times === 0)).toEqual([]);
  expect(Math.min(...served.values())).toBeGreaterThanOrEqual(3);
  // Each has its turn every three sweeps, so nothing waits longer than that.
  expect(Math.max(...waits)).toBeLessThan(5 * 60_000);
});

it("where much waits, a sweep forwards a page of it, and the next after the others' turns, while there is time", async () => {
  const { workspaceIds, served, service } = manyWorkspaces();
  const [busy = ""] = workspaceIds;
  await change(Array.from({ length: 1200 }, () => busy));
  clock.advance(1000);
  await change(workspaceIds);
  clock.advance(60_000);
  await service.worker.scheduled(undefined, env);
  expect(served.get(busy)).toBe(1);
  const turns = [...served.values()].filter((times) => times === 1).length;
  expect(turns).toBeGreaterThanOrEqual(50);
  // Those begun within 20 s, of which 40 may be under way.
  expect(turns).toBeLessThan(90);
});
