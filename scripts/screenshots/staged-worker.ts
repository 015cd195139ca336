// The service with a clock set by requests, and a way to record scans with any time, so that pictures are reproducible.
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
