import { createWorker } from "../../src/worker.ts";

export { KeyMeter } from "../../src/objects/key-meter.ts";
export { WorkspaceLedger } from "../../src/objects/ledger/workspace-ledger.ts";
export { RouteFeed } from "../../src/objects/route-feed.ts";

// The service without its queue of scans: they are read, buffered and encoded, and then dropped.
export default createWorker(({ SCANS }) => ({
  scanQueue: {
    send: async () => ({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }),
    sendBatch: (messages, options) => SCANS.sendBatch(messages, options),
    metrics: () => SCANS.metrics(),
  },
}));
