import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { item } from "../support/bulk.ts";
import { Client, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();

/** An isolate that counts its calls of ledgers, and whose pauses end when a test says so. */
async function isolate({ hasWebhooks = false } = {}) {
  const waiting: (() => void)[] = [];
  let calls = 0;
  let duringReceive: (() => Promise<void>) | undefined;
  const service = new Service({
    now: clock.now,
    pause: (milliseconds) => {
      if (milliseconds === 0) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(() => {
        clock.advance(milliseconds);
        resolve();
      });
      return promise;
    },
    ledger: (workspaceId) => {
      const stub = env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
      const receive = async (...received: Parameters<typeof stub.receive>) => {
        calls += 1;
        const during = duringReceive;
        duringReceive = undefined;
        await during?.();
        return stub.receive(...received);
      };
      return new Proxy(stub, {
        get: (target, name) => (name === "receive" ? receive : Reflect.get(target, name, target)),
      });
    },
  });
  const client = await service.workspace();
  await env.DB.prepare("UPDATE workspaces SET has_webhooks = ? WHERE id = ?")
    .bind(hasWebhooks ? 1 : 0, client.workspaceId)
    .run();
  const left = async () =>
    (await env.DB.prepare("SELECT count(*) AS left FROM outbox WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .first<number>("left")) ?? 0;
  const setDuringReceive = (during: () => Promise<void>) => {
    duringReceive = during;
  };
  return { client, waiting, left, calls: () => calls, duringReceive: setDuringReceive };
}

const create = async (client: Client): Promise<string> =>
  (await client.expect(201, Qr, "POST", "/qr", item(0))).id;

it("a workspace's history is forwarded at most once a second", async () => {
  const { client, waiting, left, calls } = await isolate();
  const first = await create(client);
  expect([calls(), await left(), waiting.length]).toEqual([1, 0, 0]);
  const second = client.send("PATCH", `/qr/${first}`, { name: "a" });
  await expect.poll(() => waiting.length).toBe(1);
  for (const name of ["b", "c"])
    expect((await client.send("PATCH", `/qr/${first}`, { name })).status).toBe(200);
  expect([calls(), await left(), waiting.length]).toEqual([1, 3, 1]);
  waiting.shift()?.();
  await second;
  expect([calls(), await left()]).toEqual([2, 0]);
});

it("a request that died while it waited doesn't keep others from forwarding", async () => {
  const { client, waiting, left } = await isolate();
  const id = await create(client);
  void client.send("PATCH", `/qr/${id}`, { name: "a" });
  await expect.poll(() => waiting.length).toBe(1);
  clock.advance(2001);
  await client.send("PATCH", `/qr/${id}`, { name: "b" });
  expect(await left()).toBe(0);
});

it("events are forwarded at once", async () => {
  const { client, waiting, left, calls } = await isolate({ hasWebhooks: true });
  const id = await create(client);
  for (const name of ["a", "b"]) await client.send("PATCH", `/qr/${id}`, { name });
  expect([calls(), await left(), waiting.length]).toEqual([3, 0, 0]);
});

it("history that another isolate stores while a request forwards is left to that isolate", async () => {
  const one = await isolate();
  const other = await isolate();
  const elsewhere = new Client(
    other.client.service,
    one.client.workspaceId,
    one.client.keyId,
    one.client.key,
  );
  const id = await create(one.client);
  clock.advance(2000);
  let later: Promise<unknown> | undefined;
  one.duringReceive(async () => {
    clock.advance(1);
    later = elsewhere.send("PATCH", `/qr/${id}`, { name: "b" });
    await expect.poll(() => other.waiting.length).toBe(1);
  });
  await one.client.send("PATCH", `/qr/${id}`, { name: "a" });
  expect([one.calls(), other.calls(), await one.left()]).toEqual([2, 0, 1]);
  other.waiting.shift()?.();
  await later;
  expect([one.calls(), other.calls(), await one.left()]).toEqual([2, 1, 0]);
});
