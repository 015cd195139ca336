import type { DepsOverrides } from "../../src/composition.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { createWorker } from "../../src/worker.ts";

export { KeyMeter } from "../../src/objects/key-meter.ts";
export { WorkspaceLedger } from "../../src/objects/ledger/workspace-ledger.ts";
export { RouteFeed } from "../../src/objects/route-feed.ts";

/** The service without one of the last steps of recording a scan, named by OMITTED_STEP: queue or ledger. */
export default createWorker(
  (env: Env & { OMITTED_STEP?: string }): DepsOverrides =>
    env.OMITTED_STEP === "queue"
      ? { scanQueue: droppingQueue(env.SCANS) }
      : { ledger: (id) => nonRecordingLedger(env, id) },
);

/** A queue that accepts scans and drops them. */
const droppingQueue = (queue: Deps["scanQueue"]): Deps["scanQueue"] => ({
  send: async () => ({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }),
  sendBatch: (messages, options) => queue.sendBatch(messages, options),
  metrics: () => queue.metrics(),
});

/** A ledger whose `recordScans` does nothing, without calling the object. */
function nonRecordingLedger({ LEDGERS }: Env, workspaceId: string): ReturnType<Deps["ledger"]> {
  const ledger = LEDGERS.get(LEDGERS.idFromName(workspaceId));
  return new Proxy(ledger, {
    get: (target, name) => (name === "recordScans" ? async () => [] : Reflect.get(target, name)),
  });
}
