import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import { packed, scanRecord } from "../support/scans.ts";
import { Service } from "../support/service.ts";

const scan = (workspaceId: string, qrId: string) =>
  packed(scanRecord({ workspaceId, qrId, country: null, city: null }));

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
  const mixed = { batches: [...scan(up, qr), ...scan(down, qr)] };
  const messages = [
    message("good", { batches: scan(up, qr) }),
    message("mixed", mixed),
    message("poison", { batches: [{ workspaceId: up, scans: [7] }] }),
    message("dangling", { batches: scan(up, qr).map((batch) => ({ ...batch, codes: [] })) }),
    message("nonsense", "?"),
  ];
  const deliver = (list: typeof messages) => edge.consume("scans", list);

  const first = await deliver(messages);
  expect([...first.explicitAcks].sort()).toEqual(["dangling", "good", "nonsense", "poison"]);
  expect(first.retryMessages.map((retry) => retry.msgId)).toEqual(["mixed"]);

  broken = false;
  expect((await deliver([message("mixed", mixed)])).explicitAcks).toEqual(["mixed"]);
  expect([await total(up, qr), await total(down, qr)]).toEqual([2, 1]);
});
