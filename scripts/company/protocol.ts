import type { DueDeliveries, ScanBatch } from "../../src/protocol/messages.ts";

/** The header with the time of a request, epoch milliseconds. */
export const clockHeader = "x-now";

/** The path that records a batch of scans. */
export const scansPath = "/staged-scans";

/** The path that makes a webhook's due delivery attempts. */
export const deliveriesPath = "/staged-deliveries";

/** The path that creates folders, which answers their ids. */
export const foldersPath = "/staged-folders";

export interface StagedFolders {
  readonly workspaceId: string;
  readonly names: readonly string[];
}

export type StagedScans = ScanBatch;

export interface StagedDeliveries extends DueDeliveries {
  /** The HTTP status with which the receiver answers. */
  readonly status: number;
}
