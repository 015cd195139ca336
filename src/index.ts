import { createWorker } from "./worker.ts";

export { KeyMeter } from "./objects/key-meter.ts";
export { WorkspaceLedger } from "./objects/ledger/workspace-ledger.ts";
export { RouteFeed } from "./objects/route-feed.ts";

export default createWorker();
