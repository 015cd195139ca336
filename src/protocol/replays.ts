import type { Replay, ReplayPreview } from "../contract/resources/webhooks/replays.ts";

/** The ended deliveries to replay: failed ones and, on request, skipped ones. */
export interface ReplaySelection {
  /** Only deliveries created at this time or later, epoch milliseconds. */
  readonly since: number;
  readonly includeSkipped: boolean;
}

/** The methods of a WorkspaceLedger that replay failed deliveries. `now` is the caller's clock, epoch milliseconds. */
export interface ReplayMethods {
  countReplay(id: string, selection: ReplaySelection, now: number): ReplayPreview | undefined;
  startReplay(
    id: string,
    selection: ReplaySelection,
    now: number,
  ): Promise<Replay | "paused" | "running" | undefined>;
  listReplays(id: string): Replay[] | undefined;
  stopReplay(id: string, replayId: string, now: number): Promise<Replay | undefined>;
}
