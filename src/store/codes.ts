import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Route } from "../protocol/routes.ts";
import type { Qr, QrListQuery } from "../contract/resources/qr.ts";
import { catalogue } from "./catalogue.ts";
import { type OutboxEvent, writeEvent } from "./events.ts";
import { keepAnswer, type NewAnswer } from "./idempotency.ts";
import { leadsTo } from "../domain/routing/route-target.ts";
import { qrCodes, qrTags } from "./schema.ts";

export type QrRow = typeof qrCodes.$inferSelect;

/** What a change may set. */
export type QrChanges = Partial<
  Pick<
    QrRow,
    "name" | "data" | "folderId" | "tags" | "status" | "colorConfig" | "shape" | "templateId" | "logoId"
  >
>;

/** The code as clients see it. */
export function presentQr(row: QrRow, scanOrigin: string): Qr {
  return {
    id: row.id,
    hash: row.hash,
    qrType: row.qrType,
    name: row.name,
    folderId: row.folderId,
    tags: row.tags,
    status: row.status,
    scanUrl: `${scanOrigin}/${row.hash}`,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** Where the code's hash leads, as the route cache keeps it. */
export function routeOf(row: QrRow): Route {
  return {
    version: row.version,
    qrId: row.id,
    workspaceId: row.workspaceId,
    type: row.qrType,
    status: row.deletedAt === null ? row.status : "deleted",
    ...leadsTo(row.data),
  };
}

/**
 * Creates a code with its event, in one transaction.
 * @param cap live codes the plan allows, null for no cap
 * @param answer kept under an Idempotency-Key, if the request brought one
 * @returns whether there was room under the cap
 * @throws when the hash or the Idempotency-Key is taken (see isTaken)
 */
export async function insertQr(
  d1: D1Database,
  cap: number | null,
  row: QrRow,
  event: OutboxEvent,
  answer?: NewAnswer,
): Promise<boolean> {
  const db = catalogue(d1);
  const { workspaceId } = row;
  const insertion = db
    .insert(qrCodes)
    .select(sql`
      SELECT ${sql.raw(newCodeColumns("new.code", "new.code->>'createdAt'"))}
      FROM workspaces w, (SELECT ${JSON.stringify(row)} AS code) new
      WHERE w.id = ${workspaceId} AND (${cap} IS NULL OR w.live_codes < ${cap})`)
    .returning({ id: qrCodes.id });
  const [inserted] = await db.batch([
    insertion,
    writeEvent(db, workspaceId, 1, event),
    ...(answer === undefined ? [] : keepAnswer(db, workspaceId, answer)),
  ]);
  return inserted.length === 1;
}

/**
 * The values of a new code's columns, in the table's order, for a SELECT that also has its workspace as `w`. A
 * folder that was deleted meanwhile leaves the code unfiled.
 * @param code SQL for the code as JSON
 * @param at SQL for its time of creation, epoch milliseconds
 */
export const newCodeColumns = (code: string, at: string): string => `
  ${code}->>'id', w.id, ${code}->>'hash', 1, ${code}->>'qrType', ${code}->>'name', ${code}->'data',
  (SELECT f.id FROM folders f WHERE f.id = ${code}->>'folderId' AND f.workspace_id = w.id),
  ${code}->'tags', 'active', nullif(${code}->'colorConfig', 'null'), ${code}->>'shape', ${code}->>'templateId',
  nullif(${code}->'advanced', 'null'), ${at}, ${at}, NULL, ${code}->>'logoId'`;

/** One code of the workspace, deleted ones only on request. */
export async function findQr(
  db: D1Database,
  workspaceId: string,
  id: string,
  { deleted }: { deleted: "hidden" | "shown" },
): Promise<QrRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(qrCodes)
    .where(
      and(
        eq(qrCodes.id, id),
        eq(qrCodes.workspaceId, workspaceId),
        deleted === "hidden" ? isNull(qrCodes.deletedAt) : undefined,
      ),
    );
  return row;
}

/** The query behind the list, newest first, for its plan to be looked at too. */
export function listQuery(
  db: D1Database,
  workspaceId: string,
  query: Omit<QrListQuery, "cursor">,
  after: string | null,
) {
  const where: (SQL | undefined)[] = [
    eq(qrCodes.workspaceId, workspaceId),
    isNull(qrCodes.deletedAt),
    query.folderId === undefined ? undefined : eq(qrCodes.folderId, query.folderId),
    query.qrType === undefined ? undefined : eq(qrCodes.qrType, query.qrType),
    // Not LIKE: D1 takes patterns of at most 50 bytes.
    query.q === undefined ? undefined : sql`instr(lower(${qrCodes.name}), lower(${query.q})) > 0`,
  ];
  if (query.tag === undefined) {
    return catalogue(db)
      .select({ code: qrCodes })
      .from(qrCodes)
      .where(and(...where, after === null ? undefined : lt(qrCodes.id, after)))
      .orderBy(desc(qrCodes.id))
      .limit(query.limit);
  }
  return catalogue(db)
    .select({ code: qrCodes })
    .from(qrTags)
    .crossJoin(qrCodes)
    .where(
      and(
        eq(qrTags.workspaceId, workspaceId),
        eq(qrTags.tag, query.tag),
        eq(qrCodes.id, qrTags.qrId),
        ...where,
        after === null ? undefined : lt(qrTags.qrId, after),
      ),
    )
    .orderBy(desc(qrTags.qrId))
    .limit(query.limit);
}

/** Codes of the workspace, newest first, after the id `after`. */
export async function listQrs(
  db: D1Database,
  workspaceId: string,
  query: Omit<QrListQuery, "cursor">,
  after: string | null,
): Promise<QrRow[]> {
  const rows = await listQuery(db, workspaceId, query, after);
  return rows.map((row) => row.code);
}

/**
 * Changes a code that is still as `before` says, with its event, in one transaction.
 * @returns the row as it is now, or undefined when someone else changed or deleted it first
 */
export async function updateQr(
  d1: D1Database,
  before: QrRow,
  changes: QrChanges & { updatedAt: number; deletedAt?: number },
  event: OutboxEvent,
): Promise<QrRow | undefined> {
  const db = catalogue(d1);
  const { folderId, ...rest } = changes;
  const set = {
    ...rest,
    version: before.version + 1,
    ...(folderId === undefined ? {} : { folderId: ownFolder(before.workspaceId, folderId) }),
  };
  // The event goes first: both statements then test the version the change started from.
  const [, updated] = await db.batch([
    writeEvent(db, before.workspaceId, before.version, event),
    db
      .update(qrCodes)
      .set(set)
      .where(
        and(
          eq(qrCodes.id, before.id),
          eq(qrCodes.workspaceId, before.workspaceId),
          eq(qrCodes.version, before.version),
          isNull(qrCodes.deletedAt),
        ),
      )
      .returning(),
  ]);
  return updated[0];
}

/** The folder's id if it is still there, else null: a folder deleted meanwhile must not leave a dangling id. */
function ownFolder(workspaceId: string, folderId: string | null): SQL {
  return sql`(SELECT id FROM folders WHERE id = ${folderId} AND workspace_id = ${workspaceId})`;
}
