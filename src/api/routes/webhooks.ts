import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { getDelivery, listDeliveries, replayDelivery } from "../../domain/webhooks/deliveries.ts";
import { getReplay, previewReplay, startReplay, stopReplay } from "../../domain/webhooks/replays.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  testWebhook,
  updateWebhook,
} from "../../domain/webhooks/webhooks.ts";
import {
  deleteAlertAddress,
  getAlertAddress,
  rotateAlertSecret,
  setAlertAddress,
  testAlerts,
} from "../../domain/workspaces/alerts.ts";
import { bind, bindPreviewed } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function webhookRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createWebhook, ({ deps, caller, body }) => createWebhook(deps, caller, body));
  bind(app, endpoints.listWebhooks, ({ deps, caller }) => listWebhooks(deps, caller));
  bind(app, endpoints.getWebhook, ({ deps, caller, params }) => getWebhook(deps, caller, params.id));
  bind(app, endpoints.updateWebhook, ({ deps, caller, params, body }) =>
    updateWebhook(deps, caller, params.id, body),
  );
  bind(app, endpoints.deleteWebhook, ({ deps, caller, params }) => deleteWebhook(deps, caller, params.id));
  bind(app, endpoints.rotateSecret, ({ deps, caller, params }) => rotateSecret(deps, caller, params.id));
  bind(app, endpoints.testWebhook, ({ deps, caller, params }) => testWebhook(deps, caller, params.id));
  bind(app, endpoints.listDeliveries, ({ deps, caller, params, query }) =>
    listDeliveries(deps, caller, params.id, query),
  );
  bind(app, endpoints.getDelivery, ({ deps, caller, params }) =>
    getDelivery(deps, caller, params.id, params.deliveryId),
  );
  bind(app, endpoints.replayDelivery, ({ deps, caller, params }) =>
    replayDelivery(deps, caller, params.id, params.deliveryId),
  );
  bind(app, endpoints.getAlerts, ({ deps, caller }) => getAlertAddress(deps, caller));
  bind(app, endpoints.setAlerts, ({ deps, caller, body }) => setAlertAddress(deps, caller, body));
  bind(app, endpoints.deleteAlerts, ({ deps, caller }) => deleteAlertAddress(deps, caller));
  bind(app, endpoints.rotateAlertSecret, ({ deps, caller }) => rotateAlertSecret(deps, caller));
  bind(app, endpoints.testAlerts, ({ deps, caller }) => testAlerts(deps, caller));
  bindPreviewed(app, endpoints.createReplay, async ({ deps, caller, params, body }) =>
    body.dryRun === true
      ? { preview: await previewReplay(deps, caller, params.id, body) }
      : { result: await startReplay(deps, caller, params.id, body) },
  );
  bind(app, endpoints.getReplay, ({ deps, caller, params }) =>
    getReplay(deps, caller, params.id, params.replayId),
  );
  bind(app, endpoints.stopReplay, ({ deps, caller, params }) =>
    stopReplay(deps, caller, params.id, params.replayId),
  );
}
