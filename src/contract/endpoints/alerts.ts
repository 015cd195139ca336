import { Deleted } from "../resources/codes/qr.ts";
import { AlertAddress, AlertAddressInput, NewAlertAddress } from "../resources/webhooks/alerts.ts";
import { Delivery, WebhookSecret } from "../resources/webhooks/webhooks.ts";
import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";

const caller = { tag: "Webhooks", auth: "session", permission: "webhooks" } as const;
const changed = { ...caller, scope: "webhooks:write" } as const;

/** The address for alerts of a workspace. */
export const alertEndpoints = {
  getAlerts: {
    method: "get",
    path: "/developer/alerts",
    summary: "Retrieve the address for alerts, with its last deliveries",
    ...caller,
    scope: "webhooks:read",
    status: 200,
    response: AlertAddress,
    errors: [404],
  },
  setAlerts: {
    method: "put",
    path: "/developer/alerts",
    summary: "Set the address for alerts; the response to the first one contains its signing secret",
    ...changed,
    body: AlertAddressInput,
    status: 200,
    response: NewAlertAddress,
    errors: bodyErrors,
  },
  deleteAlerts: {
    method: "delete",
    path: "/developer/alerts",
    summary: "Remove the address for alerts, with its deliveries",
    ...changed,
    status: 200,
    response: Deleted,
    errors: [404],
  },
  rotateAlertSecret: {
    method: "post",
    path: "/developer/alerts/rotate",
    summary: "Replace the signing secret of alerts; for 24 hours, the previous one signs as well",
    ...changed,
    status: 200,
    response: WebhookSecret,
    errors: [404],
  },
  testAlerts: {
    method: "post",
    path: "/developer/alerts/test",
    summary: "Send a test alert",
    ...changed,
    status: 202,
    response: Delivery,
    errors: [404],
  },
} as const satisfies Record<string, SessionEndpoint>;
