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
  readonly destination: string;
}

/** A page of a feed: hashes with the versions they have reached. */
export interface FeedPage {
  /** Where to go on from. */
  readonly seq: number;
  readonly changes: readonly (readonly [hash: string, version: number])[];
  readonly more: boolean;
}
