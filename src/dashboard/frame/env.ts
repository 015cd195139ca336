import type { Deps } from "../../domain/deps.ts";

/** What Hono passes to the dashboard's handlers: its routes are built once, for whatever dependencies. */
export interface DashboardEnv {
  Bindings: { deps: Deps };
}
