import { createWorker } from "./worker.ts";

export { KeyMeter } from "./objects/key-meter.ts";
export { RouteFeed } from "./objects/route-feed.ts";
export { WorkspaceLedger } from "./objects/workspace-ledger.ts";

export default createWorker();
