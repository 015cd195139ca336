import { createWorker } from "../../../src/worker.ts";
import { durableQueue } from "./durable-queue.ts";
import { faultyQueue } from "./faulty-queue.ts";

export { KeyMeter } from "../../../src/objects/key-meter.ts";
export { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";
export { RouteFeed } from "../../../src/objects/route-feed.ts";

// The deployed Worker, whose scan queue a variable may replace: one build serves all tests.
export default createWorker((env: Env & { readonly SCAN_QUEUE?: string }) => {
  if (env.SCAN_QUEUE === "faulty") return { scanQueue: faultyQueue(env.SCANS) };
  if (env.SCAN_QUEUE === "durable") return { scanQueue: durableQueue(env) };
  return {};
});
