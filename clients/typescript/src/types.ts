import type { components, operations, routes, webhooks } from "./generated/openapi.ts";

/* Everything here follows from the service's OpenAPI document. */

/** An operation that a key can call. */
export type OperationId = keyof routes;

/** A schema of the OpenAPI document. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

/** The method and path of each operation, as in `GET /qr/{id}`. */
export type Routes = { readonly [Id in OperationId]: routes[Id] };

type NamesIn<Headers> = [NonNullable<Headers>] extends [never] ? never : keyof NonNullable<Headers>;

/** The operations that take an `Idempotency-Key`. */
export type IdempotentId = {
  [Id in OperationId]: "Idempotency-Key" extends NamesIn<operations[Id]["parameters"]["header"]> ? Id : never;
}[OperationId];

/** The query parameters of an operation. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]["parameters"]["query"]>;

type Content<Holder> = Holder extends { content: infer Types } ? Types[keyof Types] : never;
type Responses<Id extends OperationId> = operations[Id]["responses"];

/** The JSON that an operation answers with one of these statuses. */
export type Answer<Id extends OperationId, Status = 200 | 201 | 202> = Content<
  Responses<Id>[Extract<keyof Responses<Id>, Status>]
>;

/** A table as text, or as a file in UTF-8, UTF-16 with a byte order mark, or another encoding. */
export type Csv = string | Blob | Uint8Array;

type CsvBody<Holder> = Holder extends { content: { "text/csv": unknown } } ? Csv : Content<Holder>;

type Part<Name extends string, Type> = [Type] extends [never]
  ? unknown
  : undefined extends Type
    ? { readonly [Key in Name]?: Exclude<Type, undefined> }
    : { readonly [Key in Name]: Type };

type Given<Type> = [Exclude<Type, undefined>] extends [never] ? never : Type;

/** The parts of a request: exactly those that the operation has. */
export type Parts<Id extends OperationId> = Part<"path", Given<operations[Id]["parameters"]["path"]>> &
  Part<"query", Given<operations[Id]["parameters"]["query"]>> &
  Part<"body", CsvBody<Given<operations[Id]["requestBody"]>>>;

type EventBody<Kind extends keyof webhooks> = Content<webhooks[Kind]["post"]["requestBody"]>;

/** The kinds of events that a webhook can get. */
export type EventKind = Exclude<keyof webhooks, "batch">;

/** An event that is sent on its own. `event` says which it is, and so what its `data` has. */
export type WebhookEvent = { [Kind in EventKind]: EventBody<Kind> }[EventKind];

/** An event in a batch. Its `id` is the same in the batches of all webhooks. */
export type BatchedEvent = {
  [Kind in EventKind]: Omit<EventBody<Kind>, "deliveryId"> & { id: string };
}[EventKind];

/** The events of up to five minutes, of a webhook with the mode `batched_5m`. */
export type WebhookBatch = Omit<EventBody<"batch">, "events"> & { event: "batch"; events: BatchedEvent[] };

/** The body of a delivery: an event, or a batch of them. */
export type WebhookDelivery = WebhookEvent | WebhookBatch;

/** The options of every request. */
export interface RequestOptions {
  /** Ends the request, its retries and the reading of its answer. */
  signal?: AbortSignal | undefined;
  /** How long an attempt may take, or a stream may pause, in milliseconds. 30,000 if you say nothing. */
  timeout?: number | undefined;
  /** How often a request is repeated where that is safe. 3 if you say nothing. */
  retries?: number | undefined;
}

/** For requests that change something with a version. */
export interface ChangeOptions extends RequestOptions {
  /** Changes no other version than this: the `etag` that `responseOf` has of what you read. */
  ifMatch?: string | undefined;
}

/** For requests that create something. */
export interface CreateOptions extends RequestOptions {
  /** Repeated with the same key within 24 hours, the request does nothing twice. Random if you say nothing. */
  idempotencyKey?: string | undefined;
}

/** For requests that create a thing, or change the one that is there. */
export interface UpsertOptions extends ChangeOptions {
  /** `*` only creates: if there is one, a `VersionError` has it. */
  ifNoneMatch?: "*" | undefined;
}

export type Qr = Schema<"Qr">;
export type ListedQr = Schema<"ListedQr">;
export type QrInput = Schema<"QrCreateInput">;
export type QrUpdate = Schema<"QrUpdateInput">;
export type QrUpsert = Schema<"QrPutInput">;
export type BulkJob = Schema<"BulkJob">;
export type BulkJobWithItems = Schema<"BulkJobWithItems">;
export type BulkUpdate = Omit<Schema<"BulkUpdateInput">, "dryRun">;
export type BulkPreview = Schema<"BulkPreview">;
export type BulkCreationPreview = Schema<"BulkCreationPreview">;
export type PrintJob = Schema<"PrintJob">;
export type LabelsInput = Schema<"PrintInput">;
export type ImagesInput = Schema<"ImageArchiveInput">;
export type LabelsJobInput = Schema<"LabelJobInput">;
export type ImagesJobInput = Schema<"ImageJobInput">;
export type Scannability = Schema<"Scannability">;
export type ScannabilityInput = Schema<"ScannabilityInput">;
export type Scan = Schema<"ScanEvent">;
export type Report = Schema<"Analytics">;
export type Folder = Schema<"Folder">;
export type FolderInput = Schema<"FolderInput">;
export type Domain = Schema<"Domain">;
export type SavedList = Schema<"SavedList">;
export type SavedListInput = Schema<"SavedListInput">;
export type SavedListUpdate = Schema<"SavedListUpdate">;
export type Template = Schema<"Template">;
export type TemplateInput = Schema<"TemplateInput">;
export type TemplateUpdate = Schema<"TemplateUpdate">;
export type Brand = Schema<"Brand">;
export type BrandUpdate = Schema<"BrandUpdate">;
export type BrandLogo = Schema<"BrandLogo">;
export type BrandLogoInput = Schema<"BrandLogoInput">;
export type BrandLogoUpdate = Schema<"BrandLogoUpdate">;
export type Page = Schema<"Page">;
export type PageImage = Schema<"PageImage">;
export type PageImageInput = Schema<"PageImageInput">;
export type PageInput = Schema<"PageInput">;
export type PageUpdate = Schema<"PageUpdate">;
export type Submission = Schema<"Submission">;
export type Webhook = Schema<"Webhook">;
export type CreatedWebhook = Schema<"CreatedWebhook">;
export type AlertAddress = Schema<"AlertAddress">;
export type NewAlertAddress = Schema<"NewAlertAddress">;
export type WebhookInput = Schema<"WebhookInput">;
export type WebhookUpdate = Schema<"WebhookUpdate">;
export type WebhookSecret = Schema<"WebhookSecret">;
export type Delivery = Schema<"Delivery">;
export type DeliveryWithAttempts = Schema<"DeliveryWithAttempts">;
export type HistoryEntry = Schema<"HistoryEntry">;
export type Reverted = Schema<"Reverted">;
export type Deleted = Schema<"Deleted">;
export type Me = Schema<"Me">;
/** A code that leads nowhere and is still scanned. */
export type ClosedCode = Schema<"ClosedCodeList">["items"][number];
export type WaitingList = Schema<"WaitingList">;
export type Workspace = Schema<"Workspace">;
