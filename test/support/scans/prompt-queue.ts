import type { ScansMessage } from "../../../src/protocol/messages.ts";
import { Service } from "../service.ts";

/**
 * A scan queue whose consumer gets each message at once, so that a scan is recorded when its request has ended. The
 * platform's waits a second for other messages.
 */
export const promptQueue = {
  send: async (body: ScansMessage) => {
    await new Service().consume("scans", [{ body: structuredClone(body) }]);
  },
} as unknown as Queue<ScansMessage>;
