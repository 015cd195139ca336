import type { Allowance } from "../contract/plans.ts";

/** What a meter answers to one request. */
export interface MeterReading {
  readonly outcome: "allowed" | "over" | "revoked";
  /** Requests left in this minute. */
  readonly remaining: number;
  /** Seconds until the next minute begins, 1 to 60. */
  readonly resetSeconds: number;
  /** The allowance the request was counted under. */
  readonly allowance: Allowance;
}

/** What a KeyMeter object does for its callers. Times are the caller's clock, epoch milliseconds. */
export interface KeyMeterMethods {
  hit(now: number, known: Allowance): MeterReading;
  used(now: number): number;
  adopt(allowance: Allowance): void;
  revoke(): void;
}
