import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Deps } from "../../src/domain/deps.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { endingWith } from "../support/runner/timers.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import { Service } from "../support/service.ts";

const scan = (workspaceId: string, qrId: string) =>
  packed(scanRecord({ workspaceId, qrId, country: null, city: null }));

const message = (id: string, body: unknown) => ({ id, body });
const total = async (workspaceId: string, qrId: string) =>
  (await env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)).listScans(qrId, 1)).stats.total;

/** An isolate in which the ledgers of `broken` workspaces fail, with a queue that keeps what it is sent. */
function isolate(broken: Map<string, () => Promise<never>>, overrides: Partial<Deps> = {}) {
  const sent: { body: ScansMessage; delay: number | undefined }[] = [];
  const calls: string[] = [];
  const queue = {
    refuses: false,
    sendBatch: async (
      messages: Iterable<MessageSendRequest<ScansMessage>>,
      options?: QueueSendBatchOptions,
    ) => {
      if (queue.refuses) throw new Error("queue is unavailable");
      for (const { body } of messages) sent.push({ body, delay: options?.delaySeconds });
    },
  };
  const service = new Service({
    scanQueue: queue as unknown as Queue<ScansMessage>,
    ledger: (workspaceId) => {
      calls.push(workspaceId);
      const fail = broken.get(workspaceId);
      return fail === undefined
        ? env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId))
        : ({ recordScans: fail } as unknown as ReturnType<Deps["ledger"]>);
    },
    ...overrides,
  });
  return { service, queue, sent, calls };
}

const unavailable = () => Promise.reject(new Error("ledger is unavailable"));
const newWorkspaces = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());

describe("a batch of scans", () => {
  it("is recorded from a queue with an installation's prefix, and retried from one that isn't known", async () => {
    const [workspace = "", qr = ""] = newWorkspaces(2);
    const { service } = isolate(new Map());
    const messages = [message("good", { batches: scan(workspace, qr) })];
    expect((await service.consume("shop-scans", messages)).explicitAcks).toEqual(["good"]);
    expect(await total(workspace, qr)).toBe(1);
    for (const queue of ["shopscans", "shop-scans-old"]) {
      expect((await service.consume(queue, messages)).retryBatch.retry).toBe(true);
    }
    expect(await total(workspace, qr)).toBe(1);
  });

  it("has its recorded and unreadable messages acknowledged, and one whose ledger failed retried", async () => {
    const [up = "", down = "", qr = ""] = newWorkspaces(3);
    const { service, sent } = isolate(new Map([[down, unavailable]]));
    const result = await service.consume("scans", [
      message("good", { batches: scan(up, qr) }),
      message("failed", { batches: [...scan(down, qr), ...scan(down, qr)] }),
      message("poison", { batches: [{ workspaceId: up, scans: [7] }] }),
      message("dangling", { batches: scan(up, qr).map((batch) => ({ ...batch, codes: [] })) }),
      message("nonsense", "?"),
    ]);
    expect([...result.explicitAcks].sort()).toEqual(["dangling", "good", "nonsense", "poison"]);
    expect(result.retryMessages.map((retry) => retry.msgId)).toEqual(["failed"]);
    expect(sent).toEqual([]);
    expect(await total(up, qr)).toBe(1);
  });
});

it("more scans of a workspace than one call of its ledger carries are recorded by several", async () => {
  const [workspaceId = "", qrId = ""] = newWorkspaces(2);
  const { service, calls } = isolate(new Map());
  const full = Array.from({ length: 21 }, (_, m) => {
    const scans = Array.from({ length: 500 }, () => scanRecord({ workspaceId, qrId }));
    return message(`${m}`, { batches: packed(...scans) });
  });
  const { explicitAcks } = await service.consume("scans", full);
  expect(explicitAcks).toHaveLength(21);
  expect(calls).toEqual([workspaceId, workspaceId]);
  expect(await total(workspaceId, qrId)).toBe(10_500);
});

describe("a message with scans of several workspaces", () => {
  it("leaves behind only those whose ledger failed, each workspace's in a message of its own", async () => {
    const [up = "", down = "", gone = "", qr = ""] = newWorkspaces(4);
    const broken = new Map([
      [down, unavailable],
      [gone, unavailable],
    ]);
    const { service, sent, calls } = isolate(broken);
    const [ups, downs, gones] = [scan(up, qr), [...scan(down, qr), ...scan(down, qr)], scan(gone, qr)];
    const result = await service.consume("scans", [
      message("mixed", { batches: [...downs, ...ups, ...gones] }),
    ]);
    expect(result.explicitAcks).toEqual(["mixed"]);
    expect(sent).toEqual([
      { body: { batches: downs }, delay: 5 },
      { body: { batches: gones }, delay: 5 },
    ]);

    broken.clear();
    calls.length = 0;
    const again = await service.consume("scans", sent);
    expect(again.explicitAcks).toHaveLength(2);
    expect(calls.sort()).toEqual([down, gone].sort());
    const totals = [await total(up, qr), await total(down, qr), await total(gone, qr)];
    expect(totals).toEqual([1, 2, 1]);
  });

  it("leaves behind more workspaces than a queue takes messages at once", async () => {
    const [up = "", qr = "", ...down] = newWorkspaces(2 + 120);
    const { service, sent } = isolate(new Map(down.map((id) => [id, unavailable])));
    const batches = [up, ...down].flatMap((id) => scan(id, qr));
    const { explicitAcks } = await service.consume("scans", [message("mixed", { batches })]);
    expect(explicitAcks).toEqual(["mixed"]);
    expect(sent.flatMap(({ body }) => body.batches.map(({ workspaceId }) => workspaceId))).toEqual(down);
  });

  it("is retried as a whole while the queue refuses, or all ledgers fail, and counts once", async () => {
    const [up = "", down = "", qr = ""] = newWorkspaces(3);
    const broken = new Map([[down, unavailable]]);
    const { service, sent, queue } = isolate(broken);
    const mixed = message("mixed", { batches: [...scan(up, qr), ...scan(down, qr)] });
    queue.refuses = true;
    const refused = await service.consume("scans", [mixed]);
    expect(refused.retryMessages.map(({ msgId }) => msgId)).toEqual(["mixed"]);
    queue.refuses = false;
    broken.set(up, unavailable);
    const failed = await service.consume("scans", [mixed]);
    expect(failed.retryMessages.map(({ msgId }) => msgId)).toEqual(["mixed"]);
    expect(sent).toEqual([]);
    broken.clear();
    expect((await service.consume("scans", [mixed])).explicitAcks).toEqual(["mixed"]);
    expect([await total(up, qr), await total(down, qr)]).toEqual([1, 1]);
  });

  it("does not wait for a ledger that hangs: the others' scans are recorded, its own are retried after a time", async () => {
    const [up = "", hanging = "", qr = ""] = newWorkspaces(3);
    const timeout = new AbortController();
    const hangs = () =>
      new Promise<never>((_, reject) => timeout.signal.addEventListener("abort", () => reject(new Error())));
    const { service, sent } = isolate(new Map([[hanging, hangs]]), {
      startTimer: endingWith(timeout.signal),
    });
    const consumed = service.consume("scans", [
      message("alone", { batches: scan(up, qr) }),
      message("mixed", { batches: [...scan(up, qr), ...scan(hanging, qr)] }),
      message("hung", { batches: scan(hanging, qr) }),
    ]);
    await expect.poll(() => total(up, qr)).toBe(2);
    timeout.abort(new Error("timed out"));
    const { explicitAcks, retryMessages } = await consumed;
    expect([...explicitAcks].sort()).toEqual(["alone", "mixed"]);
    expect(retryMessages.map(({ msgId }) => msgId)).toEqual(["hung"]);
    expect(sent.map(({ body }) => body.batches.map(({ workspaceId }) => workspaceId))).toEqual([[hanging]]);
  });
});
