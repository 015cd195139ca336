// The service with a clock that requests set, and a way to record scans of any time, for pictures that stay the same.
import { clockHeader, scansPath } from "./protocol.ts";
import type { ScanBatch } from "../../src/protocol/messages.ts";
import { createWorker } from "../../src/worker.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

let now = 0;
const service = createWorker(() => ({ now: () => now }));

export default {
  ...service,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    now = Number(request.headers.get(clockHeader));
    if (new URL(request.url).pathname !== scansPath) return service.fetch(request as never, env, ctx);
    const batch = (await request.json()) as ScanBatch;
    await env.LEDGERS.get(env.LEDGERS.idFromName(batch.workspaceId)).recordScans([batch], now);
    return new Response();
  },
};
