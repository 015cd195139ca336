import type { Plan } from "../contract/plans.ts";

/** A workspace's plan and rate limit. The allowance with the highest version is current. */
export interface Allowance {
  readonly plan: Plan;
  readonly requestsPerMinute: number;
  readonly version: number;
  /** Set if the workspace is being deleted: every request is refused. */
  readonly closed?: true;
}

/** A meter's answer to one request. */
export interface MeterReading {
  readonly outcome: "allowed" | "over" | "revoked";
  /** Requests left in this minute. */
  readonly remaining: number;
  /** Seconds until the next minute begins, 1 to 60. */
  readonly resetSeconds: number;
  /** The allowance the request was counted under. */
  readonly allowance: Allowance;
}

/** The methods of a KeyMeter object. Times are the caller's clock, epoch milliseconds. */
export interface KeyMeterMethods {
  hit(now: number, known: Allowance, least?: number): MeterReading;
  used(now: number): number;
  takeCreation(now: number, cap: number): number | null;
  returnCreation(now: number): void;
  creations(now: number): number;
  adopt(allowance: Allowance): void;
  revoke(): void;
}
