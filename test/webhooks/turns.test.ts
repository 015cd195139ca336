import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { item } from "../support/bulk.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();

/** An isolate that counts its calls of ledgers, and whose pauses end when a test says so. */
async function isolate({ hasWebhooks = false } = {}) {
  const waiting: (() => void)[] = [];
  let calls = 0;
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
      const receive: typeof stub.receive = (received, now) => {
        calls += 1;
        return stub.receive(received, now);
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
  return { client, waiting, left, calls: () => calls };
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
