/** The records of backups and restorations are rows of `last_runs`, whose names begin with these. */
const begun = "backup ";
// After all other names, so that the sweep finds them with one look.
const restoring = "to compare ";
const restored = "to finish ";
const finished = "finished ";
const moving = "moving";
const ended = "ended backup";

/** How many begun backups are remembered. */
const remembered = 100;

/** The backups that an installation knows of. Times are epoch milliseconds. */
export interface BackupRecords {
  /** When the last backups began, newest first. */
  readonly begun: readonly number[];
  /** When the last complete one ended; null if there is none. */
  readonly endedAt: number | null;
}

/** Records that a backup began. */
export async function noteBackupBegun(db: D1Database, id: string, now: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        "INSERT INTO last_runs (name, at) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
      )
      .bind(begun + id, now),
    db
      .prepare(
        `DELETE FROM last_runs WHERE name IN
           (SELECT name FROM last_runs WHERE name GLOB '${begun}*' ORDER BY at DESC LIMIT -1 OFFSET ?)`,
      )
      .bind(remembered),
  ]);
}

/** Records that a backup is complete. */
export async function noteBackupEnded(db: D1Database, now: number): Promise<void> {
  await db
    .prepare(
      "INSERT INTO last_runs (name, at) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
    )
    .bind(ended, now)
    .run();
}

/** Reads the records. */
export async function readBackupRecords(db: D1Database): Promise<BackupRecords> {
  const { results } = await db
    .prepare(`SELECT name, at FROM last_runs WHERE name GLOB '${begun}*' OR name = ?1 ORDER BY at DESC`)
    .bind(ended)
    .all<{ name: string; at: number }>();
  return {
    begun: results.flatMap(({ name, at }) => (name === ended ? [] : [at])),
    endedAt: results.find(({ name }) => name === ended)?.at ?? null,
  };
}

/** The backup that is in an installation, or is being stored there. */
export interface RestoredBackup {
  readonly id: string;
  readonly isComplete: boolean;
}

/** Returns which backup was restored, or is being restored; null if none. */
export async function findRestored(db: D1Database): Promise<RestoredBackup | null> {
  const row = await db
    .prepare(`SELECT name FROM last_runs WHERE name > 'to ' OR name GLOB '${finished}*' LIMIT 1`)
    .first<{ name: string }>();
  const [, kind, id] = /^(.+ )(\S+)$/.exec(row?.name ?? "") ?? [];
  return id === undefined ? null : { id, isComplete: kind !== restoring };
}

/** Records which backup is being restored. */
export async function noteRestoring(db: D1Database, id: string, now: number): Promise<void> {
  await db
    .prepare("INSERT INTO last_runs (name, at) VALUES (?1, ?2)")
    .bind(restoring + id, now)
    .run();
}

/** Records that all of a backup is restored. */
export async function noteRestored(db: D1Database, id: string, now: number): Promise<void> {
  await db
    .prepare("UPDATE last_runs SET name = ?1, at = ?3 WHERE name = ?2")
    .bind(restored + id, restoring + id, now)
    .run();
}

/** Records that the installation is in use, and the one that was copied no longer. */
export async function noteFinished(db: D1Database, id: string): Promise<void> {
  await db
    .prepare("UPDATE last_runs SET name = ?1 WHERE name = ?2")
    .bind(finished + id, restored + id)
    .run();
}

/** Records whether the installation is being moved to another. */
export async function noteMoving(db: D1Database, isMoving: boolean, now: number): Promise<void> {
  const statement = isMoving
    ? db
        .prepare("INSERT INTO last_runs (name, at) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING")
        .bind(moving, now)
    : db.prepare("DELETE FROM last_runs WHERE name = ?").bind(moving);
  await statement.run();
}

/** Returns whether the installation is being moved, or has been filled by a move that isn't finished. */
export async function isMoving(db: D1Database): Promise<boolean> {
  const row = await db
    .prepare(`SELECT 1 FROM last_runs WHERE name = '${moving}' OR name > 'to ' LIMIT 1`)
    .first();
  return row !== null;
}

/** Counts the bulk jobs that aren't done. */
export async function countUnfinishedJobs(db: D1Database): Promise<number> {
  const row = await db
    .prepare("SELECT count(*) AS n FROM bulk_jobs WHERE resume_at IS NOT NULL")
    .first<{ n: number }>();
  return row?.n ?? 0;
}
