import type { DeliveryMode, EventKind } from "../../../contract/resources/enums.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { Status } from "../../../ui/values/status.tsx";

/** When each event is sent, and what it contains. */
export const eventTexts: Readonly<Record<EventKind, string>> = {
  "qr.created": "A code was created. Contains the code",
  "qr.updated": "A code was changed or restored. Contains the code and the names of the changed fields",
  "qr.deleted": "A code was deleted. Contains the code",
  "qr.scanned": "A person scanned a code. Contains the time, country, city, device and system",
  "bulk.completed": "A bulk job ended. Contains the job with its counts",
  "subscription.updated": "The plan changed. Contains the old and the new plan",
  "page.submitted": "Someone submitted the form of a hosted page. Contains the answers",
};

export const modeTexts: Readonly<Record<DeliveryMode, { readonly text: string; readonly about: string }>> = {
  realtime: { text: "One by one", about: "Each event at once, in its own request" },
  batched_5m: { text: "In batches", about: "Up to five minutes of events in one request, at most 500" },
};

export const webhookPath = (id: string): string => `/dashboard/developer/webhooks/${id}`;

/** Returns a webhook's title: its receiver's host. */
export const webhookTitle = ({ url }: Pick<Webhook, "url">): string => `Webhook to ${new URL(url).host}`;

/** A webhook's status, as a word. */
export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  if (webhook.status === "paused") return <Status kind="paused">Paused</Status>;
  if (webhook.backlogFull) return <Status kind="bad">Backlog full</Status>;
  if (webhook.consecutiveFailures > 0) return <Status kind="bad">Failing</Status>;
  return <Status kind="active">Active</Status>;
}
