// The service with a path that runs its sweep, which only a cron trigger does otherwise.
import service from "../../src/index.ts";

export { KeyMeter, RouteFeed, WorkspaceLedger } from "../../src/index.ts";

export default {
  ...service,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== "/bench/sweep") {
      return (await service.fetch?.(request as never, env, ctx)) ?? new Response(null, { status: 404 });
    }
    await service.scheduled?.(undefined, env);
    return new Response();
  },
};
