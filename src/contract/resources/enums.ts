import * as z from "zod";

export const QrType = z.enum([
  "url",
  "applink",
  "vcard",
  "sms",
  "whatsapp",
  "email",
  "location",
  "telegram",
  "servicepage",
]);
export type QrType = z.output<typeof QrType>;

/** The names of the types as people see them: on their own, and before "codes" within a sentence. */
export const qrTypeNames: Readonly<Record<QrType, { readonly name: string; readonly inText: string }>> = {
  url: { name: "Link", inText: "link" },
  applink: { name: "App", inText: "app" },
  vcard: { name: "Contact", inText: "contact" },
  sms: { name: "Text message", inText: "text message" },
  whatsapp: { name: "WhatsApp", inText: "WhatsApp" },
  email: { name: "Email", inText: "email" },
  location: { name: "Place", inText: "place" },
  telegram: { name: "Telegram", inText: "Telegram" },
  servicepage: { name: "Hosted page", inText: "hosted page" },
};

/** Whether the query of a scan is passed on to the destination. */
export const ScanQuery = z.enum(["off", "merge", "raw"]);
export type ScanQuery = z.output<typeof ScanQuery>;

export const QrStatus = z.enum(["active", "paused"]);
export type QrStatus = z.output<typeof QrStatus>;

/** Why a scan gets no target. A code keeps `deleted` once it is erased. */
export const ClosedReason = z.enum(["paused", "not_started", "expired", "suspended", "deleted"]);
export type ClosedReason = z.output<typeof ClosedReason>;

/** The sorts of a list of codes: fields of a code, the name of its folder, where it leads, and its scans. */
export const QrSort = z.enum([
  "createdAt",
  "updatedAt",
  "name",
  "folder",
  "status",
  "qrType",
  "externalId",
  "domain",
  "destination",
  "hash",
  "scans",
  "lastScan",
]);
export type QrSort = z.output<typeof QrSort>;

/** The same in the dashboard and for saved lists, which can also begin with the codes that were scanned most lately. */
export const ListSort = z.enum([...QrSort.options, "scans30d"]);
export type ListSort = z.output<typeof ListSort>;

/** The columns of the dashboard's list, besides names. */
export const ListColumn = z.enum([
  "destination",
  "scanUrl",
  "qrType",
  "folder",
  "tags",
  "status",
  "scans30d",
  "scans",
  "lastScan",
  "createdAt",
  "updatedAt",
  "externalId",
  "domain",
]);
export type ListColumn = z.output<typeof ListColumn>;

export const SortOrder = z.enum(["asc", "desc"]);
export type SortOrder = z.output<typeof SortOrder>;

export const Shape = z.enum(["square", "circle"]);
export type Shape = z.output<typeof Shape>;

/** How a hosted page is laid out. */
export const PageLook = z.enum(["plain", "card", "bold"]);
export type PageLook = z.output<typeof PageLook>;

/** Whether a hosted page is light or dark, or follows the reader's device. */
export const PageScheme = z.enum(["auto", "light", "dark"]);
export type PageScheme = z.output<typeof PageScheme>;

export const BulkJobStatus = z.enum(["queued", "processing", "completed", "failed"]);
export type BulkJobStatus = z.output<typeof BulkJobStatus>;

export const BulkJobKind = z.enum(["create", "update"]);
export type BulkJobKind = z.output<typeof BulkJobKind>;

export const PrintJobKind = z.enum(["images", "labels"]);
export type PrintJobKind = z.output<typeof PrintJobKind>;

export const PrintJobStatus = z.enum([...BulkJobStatus.options, "cancelled"]);
export type PrintJobStatus = z.output<typeof PrintJobStatus>;

export const BulkItemStatus = z.enum(["pending", "succeeded", "failed"]);
export type BulkItemStatus = z.output<typeof BulkItemStatus>;

/** Which items a bulk job's response contains. */
export const BulkItemSelection = z.enum(["all", "failed", "none"]);
export type BulkItemSelection = z.output<typeof BulkItemSelection>;

export const ExportFormat = z.enum(["csv", "ndjson"]);
export type ExportFormat = z.output<typeof ExportFormat>;

/** The media type of each format. */
export const exportTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const satisfies Record<
  ExportFormat,
  string
>;

/** Writing implies reading. */
export const Scope = z.enum([
  ...(["qr:read", "qr:write", "scans:read"] as const),
  ...(["webhooks:read", "webhooks:write", "templates:read", "templates:write"] as const),
  ...(["pages:read", "pages:write", "submissions:read", "history:read", "workspace:read"] as const),
]);
export type Scope = z.output<typeof Scope>;

/** The scopes of a key created without any. */
export const defaultScopes = ["qr:read", "qr:write", "scans:read"] as const satisfies readonly Scope[];

export const EventKind = z.enum([
  "qr.created",
  "qr.updated",
  "qr.deleted",
  "qr.scanned",
  "bulk.completed",
  "subscription.updated",
  "page.submitted",
]);
export type EventKind = z.output<typeof EventKind>;

export const DeliveryMode = z.enum(["realtime", "batched_5m"]);
export type DeliveryMode = z.output<typeof DeliveryMode>;

export const WebhookStatus = z.enum(["active", "paused"]);
export type WebhookStatus = z.output<typeof WebhookStatus>;

export const DeliveryStatus = z.enum(["pending", "succeeded", "failed", "skipped"]);
export type DeliveryStatus = z.output<typeof DeliveryStatus>;

export const KeyType = z.enum(["secret", "publishable"]);
export type KeyType = z.output<typeof KeyType>;

/** The formats in which images are rendered. */
export const ImageFormat = z.enum(["svg", "png"]);
export type ImageFormat = z.output<typeof ImageFormat>;

/** The media type of each format. */
export const imageTypes = { svg: "image/svg+xml", png: "image/png" } as const satisfies Record<
  ImageFormat,
  string
>;

/** The media types of the images that are stored for pages. */
export const PageImageType = z.enum(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
export type PageImageType = z.output<typeof PageImageType>;

/** The media types allowed for a template's logo. */
export const LogoType = z.enum(imageTypes);
export type LogoType = z.output<typeof LogoType>;
