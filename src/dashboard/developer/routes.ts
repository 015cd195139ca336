import { form, type Route } from "../frame/request.ts";
import {
  alertSettings,
  confirmAlertRemoval,
  confirmAlertRotation,
  removeAlerts,
  rotateAlerts,
  saveAlertSettings,
  sendTestAlert,
} from "./alerts.tsx";
import { deliveryList } from "./deliveries/list.tsx";
import { beginReplay, endReplay, replayForm, replayProgress } from "./deliveries/replay.tsx";
import { deliveryPart, replayDelivery, showDelivery } from "./deliveries/show.tsx";
import { confirmKeyDomains, saveKeyDomains } from "./keys/domains.tsx";
import { keyList } from "./keys/list.tsx";
import { newKey, saveKey } from "./keys/new.tsx";
import { confirmRevocation, revokeKey } from "./keys/revoke.tsx";
import { confirmKeyRotation, saveKeyRotation } from "./keys/rotate.tsx";
import { developerOverview } from "./overview.tsx";
import {
  confirmRotation,
  confirmWebhookDeletion,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotate,
  sendTest,
} from "./webhooks/changes.tsx";
import { editWebhook, saveWebhook } from "./webhooks/edit.tsx";
import { webhookList } from "./webhooks/list.tsx";
import { newWebhook, saveNewWebhook } from "./webhooks/new.tsx";
import { showWebhook } from "./webhooks/show.tsx";

/** The pages and forms of keys, webhooks and deliveries. */
export const developerRoutes: readonly Route[] = [
  ["GET", "/developer", "keys", developerOverview],
  ["GET", "/developer/keys", "keys", keyList],
  ...form("/developer/keys/new", "keys", newKey, saveKey),
  ...form("/developer/keys/:id/rotate", "keys", confirmKeyRotation, saveKeyRotation),
  ...form("/developer/keys/:id/domains", "keys", confirmKeyDomains, saveKeyDomains),
  ...form("/developer/keys/:id/revoke", "keys", confirmRevocation, revokeKey),
  ...form("/developer/alerts", "webhooks", alertSettings, saveAlertSettings),
  ["POST", "/developer/alerts/test", "webhooks", sendTestAlert],
  ...form("/developer/alerts/rotate", "webhooks", confirmAlertRotation, rotateAlerts),
  ...form("/developer/alerts/remove", "webhooks", confirmAlertRemoval, removeAlerts),
  ["GET", "/developer/webhooks", "webhooks", webhookList],
  ...form("/developer/webhooks/new", "webhooks", newWebhook, saveNewWebhook),
  ["GET", "/developer/webhooks/:id", "webhooks", showWebhook],
  ...form("/developer/webhooks/:id/edit", "webhooks", editWebhook, saveWebhook),
  ["POST", "/developer/webhooks/:id/pause", "webhooks", pauseWebhook],
  ["POST", "/developer/webhooks/:id/resume", "webhooks", resumeWebhook],
  ["POST", "/developer/webhooks/:id/test", "webhooks", sendTest],
  ...form("/developer/webhooks/:id/rotate", "webhooks", confirmRotation, rotate),
  ...form("/developer/webhooks/:id/delete", "webhooks", confirmWebhookDeletion, deleteWebhook),
  ["GET", "/developer/webhooks/:id/deliveries", "webhooks", deliveryList],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery", "webhooks", showDelivery],
  ["GET", "/developer/webhooks/:id/deliveries/:delivery/part", "webhooks", deliveryPart, { counted: false }],
  ["POST", "/developer/webhooks/:id/deliveries/:delivery/replay", "webhooks", replayDelivery],
  ...form("/developer/webhooks/:id/replay", "webhooks", replayForm, beginReplay),
  ["GET", "/developer/webhooks/:id/replay/progress", "webhooks", replayProgress, { counted: false }],
  ["POST", "/developer/webhooks/:id/replay/stop", "webhooks", endReplay],
];
