import { createWorker } from "../../src/worker.ts";
import { wrapDatabase } from "../../test/support/world/wrapped-database.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

/** Milliseconds by which each call of the catalogue is delayed. */
const distance = 30;

/** The service with a distant catalogue. */
export default createWorker((env) => ({
  db: wrapDatabase(env.DB, async (work) => {
    await scheduler.wait(distance);
    return work();
  }),
}));
