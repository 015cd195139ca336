export { type BulkProgress, BulkRun, type BulkRunOptions, type RowResult } from "./bulk-run.ts";
export { type ClientOptions, QrCodes } from "./client.ts";
export { Download } from "./download.ts";
export {
  ApiError,
  ConnectionError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PlanLimitError,
  QrCodesError,
  RateLimitError,
  ServiceError,
  SignatureError,
  TimeoutError,
  UnauthorizedError,
  VersionError,
} from "./errors.ts";
export { List } from "./list.ts";
export type { LiveEvent } from "./live.ts";
export type { BulkCreateOptions, BulkUpdateOptions } from "./resources/bulk.ts";
export { type Fetch, type ResponseDetails, responseOf } from "./transport.ts";
export type * from "./types.ts";
export {
  eventsOf,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookRequest,
} from "./webhook-signature.ts";
