import type { QrStatus, QrType } from "./enums.ts";

/**
 * Where a hash leads: the value in the route cache, and what the redirect answers from.
 * A deleted code keeps a record, so that its hash never reads as unknown.
 */
export interface Route {
  readonly version: number;
  readonly qrId: string;
  readonly workspaceId: string;
  readonly type: QrType;
  readonly status: QrStatus | "deleted";
  /** The address that is redirected to, or that a page opens; empty where a scan gets something else. */
  readonly destination: string;
  /** How a scan is answered where it is not by a plain redirect. */
  readonly answer?: Answer;
}

export type Answer =
  /** A redirect to the address of the scanner's platform, the destination where none is given for it. */
  | { readonly as: "choice"; readonly ios?: string; readonly android?: string }
  /** A page that opens the destination in its app. */
  | { readonly as: "opener" }
  /** A contact to save. */
  | { readonly as: "vcard"; readonly text: string }
  /** A hosted page. */
  | { readonly as: "page"; readonly pageId: string };

/** A page of a feed: hashes with the versions they have reached. */
export interface FeedPage {
  /** Where to go on from. */
  readonly seq: number;
  readonly changes: readonly (readonly [hash: string, version: number])[];
  readonly more: boolean;
}
