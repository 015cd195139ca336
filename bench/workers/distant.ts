import { createWorker } from "../../src/worker.ts";
import { wrapDatabase } from "../../test/support/world/wrapped-database.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

/** Milliseconds that each call of the catalogue takes on its way. */
const distance = 30;

/** The service with a catalogue that is far away. */
export default createWorker((env) => ({
  db: wrapDatabase(env.DB, async (work) => {
    await scheduler.wait(distance);
    return work();
  }),
}));
