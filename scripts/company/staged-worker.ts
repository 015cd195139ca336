// The service with a clock set by requests, and ways to record scans and make deliveries at any time. Nothing in the
// service itself can do that.
import { buildDeps } from "../../src/composition.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { uncounted } from "../../src/domain/counter.ts";
import { tryForwardEvents } from "../../src/domain/events/forwarding.ts";
import { createFolder } from "../../src/domain/folders/folders.ts";
import { deliverDue } from "../../src/domain/webhooks/attempts.ts";
import { chunksBySize } from "../../src/lib/chunks.ts";
import { createWorker } from "../../src/worker.ts";
import {
  clockHeader,
  deliveriesPath,
  foldersPath,
  type StagedDeliveries,
  type StagedFolders,
  type StagedScans,
  scansPath,
} from "./protocol.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

let now = 0;
// Counts for the operator would wait for more of them, and requests here wait for all that they set off.
const clock = { now: () => now, counter: uncounted };
const service = createWorker(() => clock);
/**
 * Creates the codes: measuring their designs, which are known to be readable, would take most of the time. Changes are
 * made by the service itself, whose memory of routes knows them at once.
 */
const unmeasuring = createWorker(() => ({ ...clock, images: undefined }));

/** Deliveries are only made when they are asked for. */
const deliveriesQueue = "deliveries";

const codesPath = "/api/v1/qr";

export default {
  ...service,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    now = Number(request.headers.get(clockHeader));
    const { pathname } = new URL(request.url);
    if (pathname === scansPath) {
      const batch = (await request.json()) as StagedScans;
      await env.LEDGERS.get(env.LEDGERS.idFromName(batch.workspaceId)).recordScans([batch], now);
      return new Response();
    }
    if (pathname === foldersPath) {
      const { workspaceId, names } = (await request.json()) as StagedFolders;
      const context = serviceContext(workspaceId, "business");
      const deps = buildDeps(env, clock);
      const create = (name: string) => createFolder(deps, context, { name });
      const folders = [];
      for (const some of chunksBySize(names, 20, () => 1)) {
        folders.push(...(await Promise.all(some.map(create))));
      }
      await tryForwardEvents(deps, workspaceId);
      return Response.json(folders.map(({ id }) => id));
    }
    if (pathname === deliveriesPath) {
      const { status, ...due } = (await request.json()) as StagedDeliveries;
      const receiver = async () => new Response(status === 204 ? null : "Down for maintenance", { status });
      await deliverDue(buildDeps(env, { ...clock, fetch: receiver }), due);
      return new Response();
    }
    if (request.method === "GET") return service.fetch(request as never, env, ctx);
    // The work that follows a change is done before the clock moves on.
    const pending: Promise<unknown>[] = [];
    const waitUntil = (work: Promise<unknown>) => void pending.push(work);
    const context = { waitUntil, passThroughOnException: () => {}, props: {} } as ExecutionContext;
    const creates = request.method === "POST" && pathname === codesPath;
    const worker = creates ? unmeasuring : service;
    const response = await worker.fetch(request as never, env, context);
    for (let work = pending.pop(); work !== undefined; work = pending.pop()) await work;
    return response;
  },
  async queue(batch: MessageBatch<unknown>, env: Env, ctx: ExecutionContext): Promise<void> {
    if (batch.messages.some(({ body }) => (body as { task?: string }).task === "fill")) return;
    if (batch.queue !== deliveriesQueue) await service.queue(batch as never, env, ctx);
  },
};
