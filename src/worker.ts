import { createApp } from "./app.ts";
import { buildDeps, type DepsOverrides } from "./composition.ts";
import type { Deps } from "./domain/deps.ts";
import type { Answer } from "./edge/redirect/domains.ts";

/**
 * Creates the Worker's handlers. Their dependencies are built once per isolate.
 * @param override returns dependencies to replace, given the bindings; called once per isolate
 */
export function createWorker(override: (env: Env) => DepsOverrides = () => ({})) {
  let built: { deps: Deps; answer: Answer } | undefined;
  const prepare = (env: Env) => {
    if (built === undefined) {
      const deps = buildDeps(env, override(env));
      built = { deps, answer: createApp(deps) };
    }
    return built;
  };

  return {
    fetch: (request, env, ctx) => prepare(env).answer(request, ctx),
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
