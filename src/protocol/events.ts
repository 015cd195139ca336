import type { EventKind } from "../contract/resources/enums.ts";
import type { Answers } from "../contract/resources/pages.ts";
import type { Plan } from "../contract/plans.ts";
import type { Qr } from "../contract/resources/qr.ts";

/** Events of a change of one code, with the `data` a webhook carries. */
export type QrEvent =
  | { readonly kind: "qr.created"; readonly data: Qr }
  | { readonly kind: "qr.updated"; readonly data: Qr & { readonly changed: readonly string[] } }
  | { readonly kind: "qr.deleted"; readonly data: Qr };

/** The `data` of subscription.updated. */
export interface SubscriptionData {
  readonly workspaceId: string;
  readonly previousPlan: Plan;
  readonly plan: Plan;
}

/** The `data` of qr.scanned (spec section 6). */
export interface ScannedData {
  readonly qrId: string;
  readonly hash: string;
  readonly scannedAt: string;
  readonly country: string | null;
  readonly city: string | null;
  readonly device: string | null;
  readonly os: string | null;
}

/** The `data` of page.submitted. */
export interface SubmittedData {
  readonly pageId: string;
  readonly submissionId: string;
  readonly submittedAt: string;
  readonly fields: Answers;
}

/** An event on its way to webhooks. Its id is minted where it happens, so it can be told twice and count once. */
export interface ServiceEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: object;
}
