import type { Replay, ReplayPreview } from "../contract/resources/replays.ts";

/** The ended deliveries to replay: those that failed and, if asked for, those that were skipped. */
export interface ReplaySelection {
  /** When the oldest one was created, epoch milliseconds. */
  readonly since: number;
  readonly includeSkipped: boolean;
}

/** The methods of a WorkspaceLedger object that replay what failed. `now` is the caller's clock, epoch milliseconds. */
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
