import { and, eq } from "drizzle-orm";
import { catalogue } from "./catalogue.ts";
import { idempotencyRecords } from "./schema/workspaces.ts";

/** The response to the first request with an Idempotency-Key. */
export interface IdempotencyRecord {
  readonly fingerprint: string;
  readonly response: unknown;
}

/** Returns the record of an API key's Idempotency-Key, unless it is older than `since` (epoch milliseconds). */
export async function findRecord(
  db: D1Database,
  workspaceId: string,
  { keyId, key }: { keyId: string; key: string },
  since: number,
): Promise<IdempotencyRecord | undefined> {
  const [row] = await catalogue(db)
    .select({
      fingerprint: idempotencyRecords.fingerprint,
      response: idempotencyRecords.response,
      createdAt: idempotencyRecords.createdAt,
    })
    .from(idempotencyRecords)
    .where(
      and(
        eq(idempotencyRecords.workspaceId, workspaceId),
        eq(idempotencyRecords.keyId, keyId),
        eq(idempotencyRecords.key, key),
      ),
    );
  return row !== undefined && row.createdAt >= since ? row : undefined;
}

/** A record to store. Times are epoch milliseconds; an existing record older than `since` is replaced. */
export interface NewRecord {
  readonly keyId: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly response: unknown;
  readonly at: number;
  readonly since: number;
  /** Store the record only if this code was created. */
  readonly qrId?: string;
  /** Store the record only if this bulk job was staged. */
  readonly jobId?: string;
  /** Store the record only if this hosted page was created. */
  readonly pageId?: string;
  /** Store the record only if this print job was staged. */
  readonly printJobId?: string;
}

/**
 * Returns statements that store a record, for the batch of the creation it belongs to. If another request with this
 * Idempotency-Key came first, the batch fails by the unique constraint of `idempotency_records.key`.
 */
export function insertRecord(
  db: D1Database,
  workspaceId: string,
  { keyId, key, fingerprint, response, at, since, qrId, jobId, pageId, printJobId }: NewRecord,
): D1PreparedStatement[] {
  return [
    db
      .prepare(
        "DELETE FROM idempotency_records WHERE workspace_id = ? AND key_id = ? AND key = ? AND created_at < ?",
      )
      .bind(workspaceId, keyId, key, since),
    db
      .prepare(
        `INSERT INTO idempotency_records (workspace_id, key_id, key, fingerprint, response, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (?7 IS NULL OR EXISTS (SELECT 1 FROM qr_codes WHERE id = ?7))
           AND (?8 IS NULL OR EXISTS (SELECT 1 FROM bulk_jobs WHERE id = ?8 AND staged_at IS NOT NULL))
           AND (?9 IS NULL OR EXISTS (SELECT 1 FROM pages WHERE id = ?9))
           AND (?10 IS NULL OR EXISTS (SELECT 1 FROM print_jobs WHERE id = ?10 AND staged_at IS NOT NULL))`,
      )
      .bind(
        ...[workspaceId, keyId, key, fingerprint, JSON.stringify(response), at],
        ...[qrId, jobId, pageId, printJobId].map((id) => id ?? null),
      ),
  ];
}

/**
 * Stores a record that belongs to no row of the catalogue. @param most records of its `keyId`
 * @returns false if there are so many @throws by the unique constraint of `idempotency_records.key`
 */
export async function storeRecord(
  db: D1Database,
  workspaceId: string,
  record: NewRecord,
  most: number,
): Promise<boolean> {
  const count = await db
    .prepare("SELECT count(*) AS n FROM idempotency_records WHERE workspace_id = ? AND key_id = ?")
    .bind(workspaceId, record.keyId)
    .first<number>("n");
  if (count === null || count >= most) return false;
  await db.batch(insertRecord(db, workspaceId, record));
  return true;
}
