import { limits } from "./limits.ts";

/** The cost of heavy work, in units of about 10 ms of CPU time, as measured. */
export const workUnits = {
  measurement: (addresses: number): number => 20 * addresses,
  /** The disturbed pictures of a proof, in three colours. */
  proofPictures: 26,
  /** @param size pixels per side */
  png: (size: number): number => Math.ceil(20 * (size / limits.drawnPng) ** 2),
  pdf: (codes: number): number => 4 * codes,
  /** The dry run of a change. */
  dryRun: (codes: number): number => Math.floor(codes / 100),
};
