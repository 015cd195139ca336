import { type App, createApp } from "./app.ts";
import { buildDeps, type DepsOverrides } from "./composition.ts";
import type { Deps } from "./domain/deps.ts";

/**
 * The Worker's handlers over dependencies that are built once an isolate.
 * @param override what to put in place of dependencies, from the bindings; called once an isolate
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
