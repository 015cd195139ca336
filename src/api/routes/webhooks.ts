import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { getDelivery, listDeliveries, replayDelivery } from "../../domain/webhooks/deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../domain/webhooks/webhooks.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function webhookRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createWebhook, ({ deps, caller, body }) => createWebhook(deps, caller, body));
  bind(app, endpoints.listWebhooks, ({ deps, caller }) => listWebhooks(deps, caller));
  bind(app, endpoints.getWebhook, ({ deps, caller, id }) => getWebhook(deps, caller, id));
  bind(app, endpoints.updateWebhook, ({ deps, caller, id, body }) => updateWebhook(deps, caller, id, body));
  bind(app, endpoints.deleteWebhook, ({ deps, caller, id }) => deleteWebhook(deps, caller, id));
  bind(app, endpoints.rotateSecret, ({ deps, caller, id }) => rotateSecret(deps, caller, id));
  bind(app, endpoints.testWebhook, ({ deps, caller, id }) => testWebhook(deps, caller, id));
  bind(app, endpoints.listDeliveries, ({ deps, caller, id, query }) =>
    listDeliveries(deps, caller, id, query),
  );
  bind(app, endpoints.getDelivery, ({ deps, caller, id, subId }) => getDelivery(deps, caller, id, subId));
  bind(app, endpoints.replayDelivery, ({ deps, caller, id, subId }) =>
    replayDelivery(deps, caller, id, subId),
  );
}
