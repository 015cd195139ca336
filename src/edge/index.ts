import { createEdge, type EdgeEnv } from "./worker.ts";

let built: ReturnType<typeof createEdge> | undefined;

export default {
  fetch(request, env, ctx) {
    built ??= createEdge(env);
    return built(request, ctx);
  },
} satisfies ExportedHandler<EdgeEnv>;
