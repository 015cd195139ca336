import { buildDeps } from "../../../src/composition.ts";
import { recordScans } from "../../../src/edge/scans/record.ts";
import type { ScansMessage } from "../../../src/protocol/messages.ts";

/**
 * A queue that has stored a message when it accepts it, as that of the platform does. The simulator's is in memory and
 * dies with the process.
 */
export function durableQueue(env: Env): Queue<ScansMessage> {
  const deps = buildDeps(env);
  return {
    async send({ batches }) {
      const [failure] = (await recordScans(deps, batches)).values();
      if (failure !== undefined) throw failure;
      return { metadata: { metrics: await env.SCANS.metrics() } };
    },
    sendBatch: (messages, options) => env.SCANS.sendBatch(messages, options),
    metrics: () => env.SCANS.metrics(),
  };
}
