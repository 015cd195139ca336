import type { BulkJob } from "../contract/resources/bulk.ts";
import type { EventKind } from "../contract/resources/enums.ts";
import type { Answers } from "../contract/resources/pages.ts";
import type { Plan } from "../contract/plans.ts";
import type { Qr } from "../contract/resources/qr.ts";

/** The `data` of qr.scanned (spec section 6). */
export interface ScannedData {
  /** The scan's, as in exports and lists of scans. */
  readonly id: string;
  readonly qrId: string;
  readonly hash: string;
  readonly scannedAt: string;
  readonly country: string | null;
  readonly city: string | null;
  readonly device: string | null;
  readonly os: string | null;
}

/** The `data` of subscription.updated. */
export interface SubscriptionData {
  readonly workspaceId: string;
  readonly previousPlan: Plan;
  readonly plan: Plan;
}

/** The `data` of page.submitted. */
export interface SubmittedData {
  readonly pageId: string;
  readonly submissionId: string;
  readonly submittedAt: string;
  readonly fields: Answers;
}

/** The `data` of each kind of event. */
export interface EventData {
  readonly "qr.created": Qr;
  /** `changed` names the fields that changed. */
  readonly "qr.updated": Qr & { readonly changed: readonly string[] };
  readonly "qr.deleted": Qr;
  readonly "qr.scanned": ScannedData;
  readonly "bulk.completed": BulkJob;
  readonly "subscription.updated": SubscriptionData;
  readonly "page.submitted": SubmittedData;
}

/** An event of one of these kinds. Its producer mints the id, so that an event emitted twice counts once. */
export type EventOf<Kind extends EventKind> = {
  [K in Kind]: {
    readonly id: string;
    readonly kind: K;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly data: EventData[K];
  };
}[Kind];

/** An event of any kind. */
export type ServiceEvent = EventOf<EventKind>;

/** An event about a change of one code. */
export type QrEvent = EventOf<"qr.created" | "qr.updated" | "qr.deleted">;
