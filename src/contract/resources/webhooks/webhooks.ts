import * as z from "zod";
import { limits } from "../../limits.ts";
import { wellFormed } from "../../text.ts";
import { DeliveryMode, DeliveryStatus, EventKind, WebhookStatus } from "../enums.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { describedMoment, rangeEnd, rangeStart } from "../scans/scan-filters.ts";

const events = z
  .array(EventKind)
  .min(1, "must name at least one event")
  .transform((list) => [...new Set(list)])
  .meta({ example: ["qr.scanned"] });
/** The address of a receiver, which the service checks further. */
export const receiverUrl = z
  .string()
  .refine(...wellFormed)
  .meta({
    description: "The URL to send events to: https, a public host name, port 443 or 8443",
    example: "https://example.com/hooks/qr",
  });

const scope = z.string().nullable();

const { webhookHeaders } = limits;

/** The name of a header: a token (RFC 9110), in lower case. */
const headerName = new RegExp(`^[!#$%&'*+.^_\`|~0-9a-z-]{1,${webhookHeaders.name}}$`);

/** ASCII without control characters, since nothing else can be sent. */
const headerValue = new RegExp(`^[ -~]{1,${webhookHeaders.value}}$`);

/** Headers that the service or the connection sets, and those that proxies set. */
const reservedHeaders: ReadonlySet<string> = new Set([
  ...["content-type", "content-length", "content-encoding", "user-agent", "host", "expect", "date"],
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"],
  ...["trailer", "transfer-encoding", "upgrade", "via", "forwarded", "x-real-ip", "accept-encoding"],
]);
const reservedPrefix = /^(?:x-service-|x-forwarded-|cf-(?!access-client-(?:id|secret)$))/;

interface SentHeader {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Returns what is wrong with headers, in words; undefined for nothing. */
function headersProblem(list: readonly SentHeader[]): string | undefined {
  if (list.length > webhookHeaders.count) return `can have at most ${webhookHeaders.count} entries`;
  const names = new Set<string>();
  for (const { name, value } of list) {
    const shown = JSON.stringify(name.slice(0, 40));
    if (!headerName.test(name)) return `can't be named ${shown}. Use a name such as x-tenant`;
    if (reservedHeaders.has(name) || reservedPrefix.test(name)) return `can't set ${name}`;
    if (names.has(name)) return `can have ${name} only once`;
    if (value !== undefined && !headerValue.test(value)) {
      return `must have 1 to ${webhookHeaders.value} characters of ASCII in the value of ${name}`;
    }
    names.add(name);
  }
  return undefined;
}

const sentHeaders = z
  .array(
    z.object({
      name: z.string().meta({ description: "Such as `authorization`. Case doesn't count" }),
      value: z.string().optional().meta({
        description: "Stored encrypted, and never returned. Without one, the header keeps its value",
      }),
    }),
  )
  .overwrite((list) =>
    list.map(({ name, value }) => ({
      name: name.trim().toLowerCase(),
      ...(value !== undefined && { value: value.trim() }),
    })),
  )
  .superRefine((list, issues) => {
    const message = headersProblem(list);
    if (message !== undefined) issues.addIssue({ code: "custom", message });
  })
  .meta({
    description: `Headers of your own, sent with each delivery: at most ${webhookHeaders.count}, none that the service or the connection sets. An object such as \`{"x-tenant": "harbour"}\` is accepted as well`,
    maxItems: webhookHeaders.count,
    example: [{ name: "x-tenant", value: "harbour" }],
  });

/** Also takes an object of names and values, as many programs write headers. */
const headers = z.preprocess((given, issues) => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const entries: [string, unknown][] = Object.entries(given);
  const [unsuitable] = entries.find(([, value]) => typeof value !== "string") ?? [];
  if (unsuitable === undefined) return entries.map(([name, value]) => ({ name, value }));
  const message = `must have a text as the value of ${JSON.stringify(unsuitable.slice(0, 40))}`;
  issues.addIssue({ code: "custom", message });
  return z.NEVER;
}, sentHeaders);

export const WebhookInput = z
  .object({
    url: receiverUrl,
    events,
    scopeQrId: scope.optional().meta({ description: "Only events of this QR code" }),
    scopePageId: scope.optional().meta({ description: "Only events of this hosted page" }),
    mode: DeliveryMode.default("realtime"),
    headers: headers.optional(),
  })
  .meta({ id: "WebhookInput" });
export type WebhookInput = z.output<typeof WebhookInput>;

export const WebhookUpdate = z
  .object({
    url: receiverUrl.optional(),
    events: events.optional(),
    scopeQrId: scope.optional().meta({ description: "Can't be changed: any other value is refused" }),
    scopePageId: scope.optional().meta({ description: "Can't be changed: any other value is refused" }),
    mode: DeliveryMode.optional(),
    headers: headers.optional(),
    status: WebhookStatus.optional().meta({
      description: "Pausing skips all pending deliveries; after resuming, new events are delivered",
    }),
  })
  .meta({ id: "WebhookUpdate", description: "Fields that are omitted stay unchanged" });
export type WebhookUpdate = z.output<typeof WebhookUpdate>;

export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(EventKind),
    scopeQrId: z.uuid().nullable(),
    scopePageId: z.uuid().nullable(),
    mode: DeliveryMode,
    headers: z
      .array(z.object({ name: z.string() }))
      .meta({ description: "The names of its own headers. Their values are never returned" }),
    status: WebhookStatus,
    keyId: z.uuid().nullable().meta({
      description: "The API key that created the webhook or last changed its address; null if a person did",
    }),
    pausedReason: z.string().nullable().meta({ description: "Why the service paused the webhook" }),
    consecutiveFailures: z
      .number()
      .int()
      .meta({ description: "Consecutive deliveries that used up all attempts" }),
    pendingEvents: z.number().int().meta({ description: "Events in pending deliveries" }),
    backlogFull: z.boolean().meta({
      description: "Whether so many events are pending that deliveries of further events are skipped",
    }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

const secret = z.string().meta({
  description: "The secret to verify signatures with. It cannot be retrieved again",
  example: "whsec_…",
});

export const CreatedWebhook = Webhook.extend({ secret }).meta({ id: "CreatedWebhook" });
export type CreatedWebhook = z.output<typeof CreatedWebhook>;

export const WebhookList = z.object({ webhooks: z.array(Webhook) }).meta({ id: "WebhookList" });

export const WebhookSecret = z.object({ secret }).meta({ id: "WebhookSecret" });

export const Delivery = z
  .object({
    id: z.uuid(),
    event: z.string().meta({ description: "The type of the event, or `batch`" }),
    test: z.boolean().meta({ description: "Whether its event is a test with made-up data" }),
    status: DeliveryStatus,
    attempts: z.number().int(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable(),
    completedAt: z.iso.datetime().nullable(),
    lastStatus: z.number().int().nullable().meta({ description: "HTTP status of the last response" }),
    lastError: z.string().nullable(),
    erased: z.boolean().meta({ description: "Whether an erased submission was removed from its body" }),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.output<typeof Delivery>;

export const Attempt = z
  .object({
    at: z.iso.datetime(),
    status: z.number().int().nullable(),
    durationMs: z.number().int(),
    error: z.string().nullable(),
    responseBody: z.string().nullable().meta({ description: "The first 4 KB of the response body" }),
  })
  .meta({ id: "Attempt" });
export type Attempt = z.output<typeof Attempt>;

export const DeliveryWithAttempts = Delivery.extend({
  payload: z
    .looseObject({})
    .nullable()
    .meta({ description: "The body of the request; null if all its data was erased" }),
  attemptLog: z.array(Attempt),
}).meta({ id: "DeliveryWithAttempts" });
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttempts>;

export const DeliveryListQuery = z
  .object({
    status: DeliveryStatus.optional(),
    from: rangeStart
      .optional()
      .meta(describedMoment("Deliveries created since this day (UTC), such as 2026-01-31, or this time")),
    to: rangeEnd
      .optional()
      .meta(describedMoment("Deliveries created up to the end of this day (UTC), or up to this time")),
    cursor,
    limit: pageLimit(limits.deliveryList),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["from"],
    error: "can't be after to",
  });
export type DeliveryListQuery = z.output<typeof DeliveryListQuery>;

export const DeliveryList = listOf(Delivery, "DeliveryList");
export type DeliveryList = z.output<typeof DeliveryList>;
