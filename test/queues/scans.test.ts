import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { scanRecord } from "../support/scans.ts";
import { Service } from "../support/service.ts";

const scan = (workspaceId: string, qrId: string) =>
  scanRecord({ workspaceId, qrId, country: null, city: null });

const message = (id: string, body: unknown) => ({ id, body });
const total = async (workspaceId: string, qrId: string) =>
  (await env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)).listScans(qrId, 1)).stats.total;

it("acknowledges recorded and unreadable messages, and retries one whose ledger failed", async () => {
  const service = new Service();
  const [up, down, qr] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  let broken = true;
  const edge = new Service({
    ledger: (workspaceId) =>
      workspaceId === down && broken
        ? ({
            recordScans: () => Promise.reject(new Error("ledger is unavailable")),
          } as unknown as ReturnType<Deps["ledger"]>)
        : service.deps.ledger(workspaceId),
  });
  const mixed = { scans: [scan(up, qr), scan(down, qr)] };
  const messages = [
    message("good", { scans: [scan(up, qr)] }),
    message("mixed", mixed),
    message("poison", { scans: [{ id: 7 }] }),
    message("nonsense", "?"),
  ];
  const deliver = (list: typeof messages) => edge.consume("scans", list);

  const first = await deliver(messages);
  expect([...first.explicitAcks].sort()).toEqual(["good", "nonsense", "poison"]);
  expect(first.retryMessages.map((retry) => retry.msgId)).toEqual(["mixed"]);

  broken = false;
  expect((await deliver([message("mixed", mixed)])).explicitAcks).toEqual(["mixed"]);
  expect([await total(up, qr), await total(down, qr)]).toEqual([2, 1]);
});

it("stores a message that failed every retry, once", async () => {
  const service = new Service();
  for (let i = 0; i < 2; i += 1) {
    await service.consume("scans-dead", [message("dead", { scans: [] })]);
  }
  const { results } = await env.DB.prepare("SELECT id, queue, body FROM dead_letters").all();
  expect(results).toEqual([{ id: "dead", queue: "scans-dead", body: '{"scans":[]}' }]);
});
