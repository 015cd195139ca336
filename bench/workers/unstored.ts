import { createWorker } from "../../src/worker.ts";

export { KeyMeter } from "../../src/objects/key-meter.ts";
export { WorkspaceLedger } from "../../src/objects/ledger/workspace-ledger.ts";
export { RouteFeed } from "../../src/objects/route-feed.ts";

// The service without its ledger: the consumer takes scans from the queue, and drops them.
export default createWorker(({ LEDGERS }) => ({
  ledger: (workspaceId) => {
    const ledger = LEDGERS.get(LEDGERS.idFromName(workspaceId));
    return new Proxy(ledger, {
      get: (target, name) => (name === "record" ? async () => [] : Reflect.get(target, name)),
    });
  },
}));
