import type { Lease } from "../../store/bulk/lease.ts";
import type { Slice } from "../../store/bulk/progress.ts";

/** How the slices of a job are processed. */
export interface SliceWork {
  /** Slices of one invocation at most. */
  readonly maxSlices: number;
  /** @returns the lease, renewed; undefined if another worker has the job */
  runSlice(slice: Slice, lease: Lease): Promise<Lease | undefined>;
}
