import { limits } from "./limits.ts";

/** The cost of heavy work, in units of about 10 ms of CPU time, as measured. */
export const workUnits = {
  measurement: (addresses: number): number => 20 * addresses,
  /** The disturbed pictures of a proof, in three colours. */
  proofPictures: 26,
  /** @param size pixels per side */
  png: (size: number): number => Math.ceil(20 * (size / limits.drawnPng) ** 2),
  pdf: (codes: number): number => 4 * codes,
  /** The check of rows that would create codes. */
  check: (rows: number): number => Math.floor(rows / 100),
  /** The dry run of a change, or of rows that may change codes. */
  dryRun: (codes: number): number => Math.floor(codes / 50),
  /** A bulk job that changes codes, with the request that begins it. At most half of a minute's, so that any can be undone at once. */
  change: (codes: number): number => Math.min(Math.floor(codes / 20), limits.heavyWork / 2),
};
