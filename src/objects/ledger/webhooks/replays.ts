import { limits } from "../../../contract/limits.ts";
import type { Replay, ReplayPreview, ReplayStatus } from "../../../contract/resources/webhooks/replays.ts";
import { idAt, newId } from "../../../lib/text/ids.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { ReplaySelection } from "../../../protocol/replays.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import { LedgerPart } from "../part.ts";
import { earliest, isoTime, isoTimeOrNull } from "../times.ts";
import type { LedgerDeliveries } from "./deliveries.ts";
import type { WebhookRow } from "./webhooks.ts";

const { maxInFlight, stopReplayAfter } = webhookRules;

type ReplayRow = {
  ref: number;
  id: string;
  webhook: number;
  since: number;
  include_skipped: number;
  after: string;
  before: string;
  is_drained: number;
  deliveries: number;
  replayed: number;
  succeeded: number;
  failed: number;
  failures: number;
  status: ReplayStatus;
  stopped_reason: string | null;
  created_at: number;
  completed_at: number | null;
};

/** A running replay, with the facts that decide when it continues. */
type RunningReplay = ReplayRow & {
  failed_attempts: number;
  backoff_until: number;
  /** How many of its deliveries are pending. */
  pending: number;
  /** Whether any delivery of the webhook is waiting for its first attempt. */
  is_first_due: number;
};

const runningSql = `SELECT r.*, failed_attempts, backoff_until,
    (SELECT count(*) FROM deliveries d WHERE d.replay = r.ref AND d.status = 'pending') AS pending,
    EXISTS (SELECT 1 FROM deliveries d
      WHERE d.webhook = r.webhook AND d.next_attempt_at <= ? AND d.first_attempt_at IS NULL) AS is_first_due
  FROM replays r JOIN webhooks w ON w.ref = r.webhook WHERE r.status = 'running'`;

/** A replay's candidates: deliveries with ids after one and before another. */
interface Candidates {
  readonly webhook: number;
  readonly includeSkipped: boolean;
  readonly after: string;
  readonly before: string;
}

/** A delivery can be replayed if it has something to send and is not a test. A batch's events are in `batch_events`. */
const replayable = `(erased = 0 OR body <> '') AND (event_id IS NOT NULL
  OR EXISTS (SELECT 1 FROM batch_events b WHERE b.delivery = deliveries.id))`;

const candidatesSql = `SELECT id FROM deliveries
  WHERE webhook = ? AND status = ? AND id > ? AND id < ? AND ${replayable} ORDER BY id LIMIT ?`;

/**
 * Replays all failed deliveries of a webhook, one replay per webhook at a time. Deliveries are made due in chunks no
 * larger than the number that may be in flight. The next chunk follows once half of the last has been sent and no other
 * delivery of the webhook is waiting for its first attempt. Times are epoch milliseconds.
 */
export class LedgerReplays extends LedgerPart<{
  sql: SqlStorage;
  deliveries: LedgerDeliveries;
}> {
  /** Counts the deliveries that a replay would include. */
  count({ ref }: WebhookRow, { since, includeSkipped }: ReplaySelection, now: number): ReplayPreview {
    const found = this.#find(
      { webhook: ref, includeSkipped, after: idAt(since), before: idAt(now + 1) },
      limits.replayDeliveries + 1,
    );
    return {
      deliveries: Math.min(found.length, limits.replayDeliveries),
      hasMore: found.length > limits.replayDeliveries,
    };
  }

  /** Starts a replay. Beyond the limit, the oldest replays are removed. */
  start(webhook: WebhookRow, selection: ReplaySelection, now: number): Replay | "running" {
    if (this.#running(now).some((replay) => replay.webhook === webhook.ref)) return "running";
    const id = newId(now);
    this.parts.sql.exec(
      `INSERT INTO replays (id, webhook, since, include_skipped, after, before, deliveries, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      webhook.ref,
      selection.since,
      selection.includeSkipped ? 1 : 0,
      idAt(selection.since),
      idAt(now + 1),
      this.count(webhook, selection, now).deliveries,
      now,
    );
    this.parts.sql.exec(
      `DELETE FROM replays WHERE webhook = ?1 AND ref NOT IN
         (SELECT ref FROM replays WHERE webhook = ?1 ORDER BY ref DESC LIMIT ?2)`,
      webhook.ref,
      bounds.replays,
    );
    this.run(now);
    return presentReplay(this.parts.sql.exec<ReplayRow>("SELECT * FROM replays WHERE id = ?", id).one());
  }

  /** A webhook's replays, newest first. */
  list({ ref }: WebhookRow): Replay[] {
    return this.parts.sql
      .exec<ReplayRow>("SELECT * FROM replays WHERE webhook = ? ORDER BY ref DESC", ref)
      .toArray()
      .map(presentReplay);
  }

  /** Stops a running replay at the owner's request. @returns the replay */
  stopOne(webhook: WebhookRow, id: string, now: number): Replay | undefined {
    const find = () => this.list(webhook).find((replay) => replay.id === id);
    if (find()?.status === "running") this.stop(webhook, "Stopped manually", now);
    return find();
  }

  /** Ends the webhook's running replay, if any. Deliveries that it has already made due are still sent. */
  stop({ ref }: WebhookRow, reason: string, now: number): void {
    this.#end(ref, "stopped", reason, now);
  }

  /** Records the outcome of a delivery that a replay made due. */
  settled(replay: number, succeeded: boolean): void {
    this.parts.sql.exec(
      `UPDATE replays SET succeeded = succeeded + ?1, failed = failed + 1 - ?1, failures = iif(?1, 0, failures + 1)
       WHERE ref = ?2`,
      succeeded ? 1 : 0,
      replay,
    );
  }

  /** When a replay can continue; 0 for now, null if all are waiting for attempts or there are none. */
  nextAt(now: number): number | null {
    return earliest(this.#running(now).map((replay) => resumesAt(replay, now)));
  }

  /**
   * Makes the next chunks of replays due, or ends replays that are finished. @returns webhooks with deliveries that
   * became due
   */
  run(now: number): number[] {
    return this.#running(now)
      .filter((replay) => (resumesAt(replay, now) ?? now + 1) <= now && this.#advance(replay, now))
      .map(({ webhook }) => webhook);
  }

  /** @returns whether deliveries became due */
  #advance(replay: RunningReplay, now: number): boolean {
    if (replay.failures >= stopReplayAfter) {
      this.#end(replay.webhook, "stopped", `${stopReplayAfter} consecutive deliveries failed again`, now);
    } else if (replay.is_drained === 1) {
      this.#end(replay.webhook, "completed", null, now);
    } else {
      return this.#release(replay, chunkSize(replay), now);
    }
    return false;
  }

  #release(replay: ReplayRow, size: number, now: number): boolean {
    const remaining = Math.min(size, limits.replayDeliveries - replay.replayed);
    const candidates = { ...replay, includeSkipped: replay.include_skipped === 1 };
    const ids = this.#find(candidates, remaining);
    this.parts.deliveries.replay(ids, now, replay.ref);
    this.parts.sql.exec(
      "UPDATE replays SET replayed = replayed + ?, after = ?, is_drained = ? WHERE ref = ?",
      ids.length,
      ids.at(-1) ?? replay.after,
      ids.length < size ? 1 : 0,
      replay.ref,
    );
    if (ids.length === 0 && replay.replayed === 0) this.#end(replay.webhook, "completed", null, now);
    return ids.length > 0;
  }

  /** Returns the ids of deliveries to replay, oldest first. */
  #find({ webhook, includeSkipped, after, before }: Candidates, limit: number): string[] {
    const statuses = includeSkipped ? ["failed", "skipped"] : ["failed"];
    return statuses
      .flatMap((status) =>
        this.parts.sql.exec<{ id: string }>(candidatesSql, webhook, status, after, before, limit).toArray(),
      )
      .map(({ id }) => id)
      .sort()
      .slice(0, limit);
  }

  #running(now: number): RunningReplay[] {
    return this.parts.sql.exec<RunningReplay>(runningSql, now).toArray();
  }

  #end(webhook: number, status: ReplayStatus, reason: string | null, now: number): void {
    this.parts.sql.exec(
      `UPDATE replays SET status = ?, stopped_reason = ?, completed_at = ?
       WHERE webhook = ? AND status = 'running'`,
      status,
      reason,
      now,
      webhook,
    );
  }
}

/** When a replay can continue; 0 for now, null while it waits for attempts. */
function resumesAt(replay: RunningReplay, now: number): number | null {
  if (replay.failures >= stopReplayAfter) return 0;
  if (replay.is_drained === 1) return replay.pending === 0 ? 0 : null;
  if (replay.pending > chunkSize(replay) / 2) return null;
  if (replay.backoff_until > now) return replay.backoff_until;
  return replay.is_first_due === 1 ? null : 0;
}

/**
 * How many deliveries a replay makes due at a time: as many as may be in flight, but only a few until one has succeeded
 * and after the last one failed.
 */
const chunkSize = ({ failed_attempts, failures, succeeded }: RunningReplay): number =>
  failed_attempts === 0 && failures === 0 && succeeded > 0 ? maxInFlight.healthy : maxInFlight.suspect;

const presentReplay = (row: ReplayRow): Replay => ({
  id: row.id,
  status: row.status,
  stoppedReason: row.stopped_reason,
  since: isoTime(row.since),
  includeSkipped: row.include_skipped === 1,
  deliveries: row.deliveries,
  replayed: row.replayed,
  succeeded: row.succeeded,
  failed: row.failed,
  createdAt: isoTime(row.created_at),
  completedAt: isoTimeOrNull(row.completed_at),
});
