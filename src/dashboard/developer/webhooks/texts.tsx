import type { DeliveryMode, EventKind } from "../../../contract/resources/enums.ts";
import type { Webhook } from "../../../contract/resources/webhooks.ts";
import { Badge } from "../../components/values/cells.tsx";

/** When each event is sent, and what it says. */
export const eventTexts: Readonly<Record<EventKind, string>> = {
  "qr.created": "A code was created. Has the code",
  "qr.updated": "A code changed, or was restored. Has the code and the names of the fields that changed",
  "qr.deleted": "A code was deleted. Has the code",
  "qr.scanned": "A person scanned a code. Has the time, country, city, device and system",
  "bulk.completed": "A bulk job has ended. Has the job with its counts",
  "subscription.updated": "The plan changed. Has the plan before and after",
  "page.submitted": "A form on a hosted page was submitted. Has what was entered",
};

export const modeTexts: Readonly<Record<DeliveryMode, { readonly text: string; readonly about: string }>> = {
  realtime: { text: "One by one", about: "Each event at once, in a request of its own" },
  batched_5m: { text: "In batches", about: "Events of up to five minutes in one request, at most 500" },
};

export const webhookPath = (id: string): string => `/dashboard/developer/webhooks/${id}`;

/** The name of a webhook: its receiver's host. */
export const webhookTitle = ({ url }: Pick<Webhook, "url">): string => `Webhook to ${new URL(url).host}`;

/** The status of a webhook in a word. */
export function WebhookStatusBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.status === "paused") return <Badge kind="bad">Paused</Badge>;
  if (webhook.backlogFull) return <Badge kind="bad">Too many events wait</Badge>;
  if (webhook.consecutiveFailures > 0) return <Badge kind="warn">Failing</Badge>;
  return <Badge kind="good">Active</Badge>;
}
