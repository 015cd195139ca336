import { isNull } from "drizzle-orm";
import { foldCase } from "../../lib/text/fold-case.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import type { QrEvent } from "../../protocol/events.ts";
import type { NewEntry } from "../../protocol/history.ts";
import { isChangedBy } from "../catalogue.ts";
import { insertEvent } from "../events.ts";
import { insertRecord, type NewRecord } from "../idempotency.ts";
import { filterOwnedIds } from "../owned-ids.ts";
import { qrCodes } from "../schema/workspaces.ts";
import { insertNewCodes, type QrRow, qrRows, referencesExist } from "./columns.ts";

/** The codes that a workspace's plan allows. */
export interface CodeCaps {
  /** Null for no cap. */
  readonly liveCodes: number | null;
  readonly creationsPerDay: number;
}

/**
 * Creates a code with its event and its entry in the history, in one transaction.
 * @param record of the response, if the request has an Idempotency-Key
 * @returns whether the code was stored. It is not at a cap, in a suspended workspace, in one without space, or if its
 * folder or page is gone.
 * @throws if the hash or the Idempotency-Key already exists (see isUniqueViolation)
 */
export async function insertQr(
  db: D1Database,
  caps: CodeCaps,
  row: QrRow,
  created: { readonly event: QrEvent; readonly history: NewEntry },
  record?: NewRecord,
): Promise<boolean> {
  return isChangedBy(
    db,
    db.prepare(insertQrSql).bind(JSON.stringify(row), row.workspaceId, caps.liveCodes, caps.creationsPerDay),
    insertEvent(db, row.workspaceId, created.event, created.history),
    ...(record === undefined ? [] : insertRecord(db, row.workspaceId, record)),
  );
}

/** SQL for a plan's caps, and for the time of creation, epoch milliseconds. */
type CapSql = Readonly<Record<keyof CodeCaps | "at", string>>;

/** Returns SQL for how many more codes the workspace `w` may create today; negative after a downgrade. */
export const remainingCodes = ({ liveCodes, creationsPerDay, at }: CapSql): string =>
  `min(coalesce(${liveCodes} - w.live_codes, ${creationsPerDay}),
     ${creationsPerDay} - iif(w.creations_day < CAST(${at} AS INTEGER) / ${dayLength}, 0, w.creations))`;

/** Returns the condition that the workspace `w` may create another code. */
export const isWithinCaps = (caps: CapSql): string => `${remainingCodes(caps)} >= 1`;

const { folderId, pageId } = referencesExist("w.id", "new.code");

const insertQrSql = `
  ${insertNewCodes("new.code", "new.code->>'createdAt'")}
  FROM workspaces w, (SELECT ?1 AS code) new
  WHERE w.id = ?2 AND w.suspended IS NULL AND ${folderId} AND ${pageId}
    AND ${isWithinCaps({ liveCodes: "?3", creationsPerDay: "?4", at: "new.code->>'createdAt'" })} RETURNING id`;

/** Returns a code of the workspace; a deleted one only with `deleted: "shown"`. */
export async function findQr(
  db: D1Database,
  workspaceId: string,
  id: string,
  { deleted }: { deleted: "hidden" | "shown" },
): Promise<QrRow | undefined> {
  const result = await db
    .prepare(findSql)
    .bind(id, workspaceId, deleted === "shown" ? 1 : 0)
    .first();
  return result === null ? undefined : qrRows.read(result);
}

/** Returns the folded hashes that a code of any workspace has, deleted or not: hashes are never reused. */
export async function listTakenHashes(
  db: D1Database,
  folded: readonly string[],
): Promise<ReadonlySet<string>> {
  const { results } = await db.prepare(takenSql).bind(JSON.stringify(folded)).all<{ folded: string }>();
  return new Set(results.map((row) => row.folded));
}

/** Exported so that tests can check its query plan. */
const takenSql =
  "SELECT c.hash_folded AS folded FROM qr_codes c WHERE c.hash_folded IN (SELECT value FROM json_each(?))";

const findSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.id = ?1 AND c.workspace_id = ?2 AND (?3 OR c.deleted_at IS NULL)`;

/** Returns the value of `name_folded` for a name: null for an ASCII name, which SQL can fold. */
export const foldedName = (name: string | null): string | null =>
  name === null || !/\P{ASCII}/u.test(name) ? null : foldCase(name);

/** Returns the ids of live codes of the workspace. */
export const filterLiveIds = (
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> => filterOwnedIds(db, qrCodes, workspaceId, ids, isNull(qrCodes.deletedAt));

/** Returns the workspace's codes by id, including deleted ones. */
export async function findQrs(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, QrRow>> {
  const { results } = await db.prepare(findManySql).bind(JSON.stringify(ids), workspaceId).all();
  return new Map(results.map(qrRows.read).map((row) => [row.id, row]));
}

const findManySql = `
  SELECT ${qrRows.columns("c")} FROM json_each(?1) i CROSS JOIN qr_codes c ON c.id = i.value
  WHERE c.workspace_id = ?2`;

/** Returns names and hashes of the workspace's codes by id, including deleted ones. */
export async function findCodeLabels(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<QrRow, "name" | "hash">>> {
  const { results } = await db
    .prepare(
      `SELECT c.id, c.name, c.hash FROM json_each(?1) i CROSS JOIN qr_codes c ON c.id = i.value
       WHERE c.workspace_id = ?2`,
    )
    .bind(JSON.stringify(ids), workspaceId)
    .all<Pick<QrRow, "id" | "name" | "hash">>();
  return new Map(results.map(({ id, name, hash }) => [id, { name, hash }]));
}
