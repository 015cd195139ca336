/** The records of backups and restorations are rows of `last_runs`, whose names begin with these. */
const begun = "backup ";
const restoring = "restoring ";
const restored = "restored ";
const ended = "ended backup";

/** How many begun backups are remembered. */
const remembered = 100;

/** What an installation knows of backups. Times are epoch milliseconds. */
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
    .prepare(`SELECT name FROM last_runs WHERE name GLOB '${restoring}*' OR name GLOB '${restored}*' LIMIT 1`)
    .first<{ name: string }>();
  const [kind, id] = row?.name.split(" ") ?? [];
  return id === undefined ? null : { id, isComplete: `${kind} ` === restored };
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
