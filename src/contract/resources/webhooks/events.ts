import * as z from "zod";
import { Plan } from "../../plans.ts";
import { BulkJob } from "../codes/bulk.ts";
import { Qr } from "../codes/qr.ts";
import { EventKind } from "../enums.ts";
import { Answers } from "../pages.ts";

/** The events that webhooks send. */

const ScannedData = z
  .object({
    id: z.uuid().meta({ description: "The scan's, as in exports and lists of scans" }),
    qrId: z.uuid(),
    hash: z.string(),
    scannedAt: z.iso.datetime(),
    country: z.string().nullable(),
    city: z.string().nullable(),
    device: z.string().nullable(),
    os: z.string().nullable(),
  })
  .meta({ id: "ScannedData" });

const UpdatedQr = Qr.extend({
  changed: z.array(z.string()).meta({
    description: "The names of the fields that changed; `deleted` for a restored code",
  }),
}).meta({ id: "UpdatedQr" });

const SubscriptionData = z
  .object({ workspaceId: z.uuid(), previousPlan: Plan, plan: Plan })
  .meta({ id: "SubscriptionData" });

const SubmittedData = z
  .object({ pageId: z.uuid(), submissionId: z.uuid(), submittedAt: z.iso.datetime(), fields: Answers })
  .meta({ id: "SubmittedData" });

/** The `data` of each kind of event. */
export const eventData = {
  "qr.created": Qr,
  "qr.updated": UpdatedQr,
  "qr.deleted": Qr,
  "qr.scanned": ScannedData,
  "bulk.completed": BulkJob,
  "subscription.updated": SubscriptionData,
  "page.submitted": SubmittedData,
} as const satisfies Record<EventKind, z.ZodType>;
export type EventData = { readonly [Kind in EventKind]: z.output<(typeof eventData)[Kind]> };

const createdAt = z.iso.datetime().meta({ description: "When it happened" });
const deliveryId = z
  .uuid()
  .meta({ description: "The same for every attempt, so that you can ignore repeats" });

const eventPayload = (kind: EventKind) =>
  z.object({ event: z.literal(kind), deliveryId, createdAt, data: eventData[kind] });

const BatchPayload = z.object({
  deliveryId,
  createdAt: z.iso.datetime(),
  events: z.array(
    z.object({
      id: z.uuid().meta({ description: "The event's id; for a scan, the scan's id" }),
      event: EventKind,
      createdAt,
      data: z.looseObject({}).meta({ description: "As in an event that is sent on its own" }),
    }),
  ),
});

/** Returns a schema's name: `QrScannedEvent` for `qr.scanned`. */
const schemaNameOf = (kind: string): string =>
  `${kind.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The bodies of deliveries, by kind of event; `batch` for the mode `batched_5m`. */
export const deliveryPayloads: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
  [...EventKind.options, "batch" as const].map((kind) => {
    const payload = kind === "batch" ? BatchPayload : eventPayload(kind);
    return [kind, payload.meta({ id: schemaNameOf(kind) })];
  }),
);
