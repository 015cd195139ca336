import * as z from "zod";
import { WebhookStatus } from "../enums.ts";
import { WaitingKind } from "../waiting.ts";
import { Delivery, receiverUrl, Webhook, WebhookSecret } from "./webhooks.ts";

/** The address to which a workspace's alerts are sent. */

export const AlertAddressInput = z.object({ url: receiverUrl }).meta({ id: "AlertAddressInput" });
export type AlertAddressInput = z.output<typeof AlertAddressInput>;

export const AlertAddress = z
  .object({
    url: z.string(),
    status: WebhookStatus,
    pausedReason: z
      .string()
      .nullable()
      .meta({ description: "Why the service paused it. Setting it resumes it" }),
    keyId: Webhook.shape.keyId.meta({ description: "The API key that set it; null if a person did" }),
    createdAt: z.iso.datetime(),
    deliveries: z.array(Delivery).meta({ description: "The last ones, newest first" }),
  })
  .meta({ id: "AlertAddress" });
export type AlertAddress = z.output<typeof AlertAddress>;

export const NewAlertAddress = AlertAddress.extend({
  secret: WebhookSecret.shape.secret.nullable().meta({
    description:
      "The secret to verify signatures with, if there was no address before. It can't be retrieved again",
  }),
}).meta({ id: "NewAlertAddress" });
export type NewAlertAddress = z.output<typeof NewAlertAddress>;

/** The `data` of an alert. */
export const AlertData = z
  .object({
    kind: z.union([WaitingKind, z.literal("test")]),
    text: z.string(),
    link: z.url().meta({ description: "The page of the dashboard where a person acts on it" }),
  })
  .meta({ id: "AlertData" });
export type AlertData = z.output<typeof AlertData>;
