import { Deleted } from "../resources/codes/qr.ts";
import { AlertAddress, AlertAddressInput, NewAlertAddress } from "../resources/webhooks/alerts.ts";
import { Delivery, WebhookSecret } from "../resources/webhooks/webhooks.ts";
import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";

/** The address for alerts of a workspace. */
export const alertEndpoints = {
  getAlerts: {
    method: "get",
    path: "/developer/alerts",
    tag: "Webhooks",
    summary: "Retrieve the address for alerts, with its last deliveries",
    auth: "session",
    permission: "webhooks",
    scope: "webhooks:read",
    status: 200,
    response: AlertAddress,
    errors: [404],
  },
  setAlerts: {
    method: "put",
    path: "/developer/alerts",
    tag: "Webhooks",
    summary: "Set the address for alerts; the response to the first one contains its signing secret",
    auth: "session",
    permission: "webhooks",
    scope: "webhooks:write",
    body: AlertAddressInput,
    status: 200,
    response: NewAlertAddress,
    errors: bodyErrors,
  },
  deleteAlerts: {
    method: "delete",
    path: "/developer/alerts",
    tag: "Webhooks",
    summary: "Remove the address for alerts, with its deliveries",
    auth: "session",
    permission: "webhooks",
    scope: "webhooks:write",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  rotateAlertSecret: {
    method: "post",
    path: "/developer/alerts/rotate",
    tag: "Webhooks",
    summary: "Replace the signing secret of alerts; for 24 hours, the previous one signs as well",
    auth: "session",
    permission: "webhooks",
    scope: "webhooks:write",
    status: 200,
    response: WebhookSecret,
    errors: [404],
  },
  testAlerts: {
    method: "post",
    path: "/developer/alerts/test",
    tag: "Webhooks",
    summary: "Send a test alert",
    auth: "session",
    permission: "webhooks",
    scope: "webhooks:write",
    status: 202,
    response: Delivery,
    errors: [404],
  },
} as const satisfies Record<string, SessionEndpoint>;
