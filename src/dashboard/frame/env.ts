import type { Deps } from "../../domain/deps.ts";

/** Passed to the dashboard's handlers by Hono, since its routes are built once for all dependencies. */
export interface DashboardEnv {
  Bindings: { deps: Deps };
}
