import { type App, createApp } from "./app.ts";
import { buildDeps, type DepsOverrides } from "./composition.ts";
import type { Deps } from "./domain/deps.ts";

/**
 * Creates the Worker's handlers. Their dependencies are built once per isolate.
 * @param override returns dependencies to replace, given the bindings; called once per isolate
 */
export function createWorker(override: (env: Env) => DepsOverrides = () => ({})) {
  let built: { deps: Deps; app: App } | undefined;
  const prepare = (env: Env) => {
    if (built === undefined) {
      const deps = buildDeps(env, override(env));
      built = { deps, app: createApp(deps) };
    }
    return built;
  };

  return {
    fetch: (request, env, ctx) => prepare(env).app.fetch(request, env, ctx),
    async queue(batch, env, ctx) {
      const { consume } = await import("./queues/consume.ts");
      await consume(batch, prepare(env).deps, ctx);
    },
    async scheduled(_controller: ScheduledController | undefined, env: Env) {
      const { sweep } = await import("./scheduled/sweep.ts");
      await sweep(prepare(env).deps);
    },
  } satisfies ExportedHandler<Env>;
}
