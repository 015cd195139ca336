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
  /** Requests left in this minute: to the key or person, or to the workspace if that is less. */
  readonly remaining: number;
  /** Seconds until the next minute begins, 1 to 60. */
  readonly resetSeconds: number;
  /** The allowance the request was counted under. */
  readonly allowance: Allowance;
}

/** How many meters of a workspace can use up their caps before the workspace is at its own limit. */
export const capsPerWorkspace = 4;

/** The name of the meter that counts the API requests of all keys and people of a workspace. */
export const workspaceMeterName = (workspaceId: string): string => `workspace:${workspaceId}`;

/** Asks a workspace's meter to admit requests of a key or person. */
export interface ShareRequest {
  /** The id of the asking object. */
  readonly meter: string;
  /** Minutes since the epoch, of the window in which the requests count. */
  readonly minute: number;
  readonly count: number;
  /** Requests that it has admitted in this minute without asking. */
  readonly unasked: number;
  readonly requestsPerMinute: number;
}

/**
 * The answer: either a slot, with which the meter admits requests up to its own cap until the slot is taken back, or
 * how many of the requests are granted, and how many the workspace has left.
 */
export type Share =
  | { readonly slot: number }
  | { readonly slot?: undefined; readonly granted: number; readonly left: number };

/** The requests that a meter admitted without asking, reported when its slot is taken back. */
export interface Unasked {
  readonly minute: number;
  readonly count: number;
}

/**
 * The methods of a KeyMeter object. Times are the caller's clock, epoch milliseconds. The last three are newer than 1.0.0:
 * they fail on an object that still runs that.
 */
export interface KeyMeterMethods {
  hit(now: number, known: Allowance, least?: number, workspaceId?: string): Promise<MeterReading>;
  used(now: number): number;
  takeCreation(now: number, cap: number): number | null;
  returnCreation(now: number): void;
  creations(now: number): number;
  adopt(allowance: Allowance): void;
  revoke(): void;
  share(request: ShareRequest): Promise<Share>;
  takeBackSlot(slot: number): Unasked;
  takeWork(now: number, units: number, most: number): number;
}
