import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createKey, listKeys, rotateKey, updateKey } from "../../domain/identity/keys.ts";
import { revokeKey } from "../../domain/identity/revocation.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function keyRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createKey, ({ deps, caller, body }) => createKey(deps, caller, body));
  bind(app, endpoints.listKeys, ({ deps, caller }) => listKeys(deps, caller));
  bind(app, endpoints.updateKey, ({ deps, caller, params, body }) =>
    updateKey(deps, caller, params.id, body),
  );
  bind(app, endpoints.rotateKey, ({ deps, caller, params, body }) =>
    rotateKey(deps, caller, params.id, body),
  );
  bind(app, endpoints.revokeKey, ({ deps, caller, params, query }) =>
    revokeKey(deps, caller, params.id, query.pauseWebhooks),
  );
}
