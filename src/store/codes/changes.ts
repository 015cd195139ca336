import { getTableColumns } from "drizzle-orm";
import type { QrEvent } from "../../protocol/events.ts";
import type { NewEntry } from "../../protocol/history.ts";
import { eventColumns } from "../events.ts";
import { changeFits, fittedEntry } from "../history.ts";
import { sameJson } from "../../lib/text/json.ts";
import { folderExists, folderIsDeleted, listedColumns, pageExists, type QrRow, qrRows } from "./columns.ts";
import { type CodeCaps, isWithinCaps } from "./codes.ts";
import { qrCodes } from "../schema/workspaces.ts";

/** A code's current row, deleted or not. */
export interface CurrentCode {
  readonly row: QrRow;
  /** Whether a change of its route may still be unpublished. */
  readonly isPublicationPending: boolean;
}

/** Returns the workspace's code with this id. */
export async function findCurrentCode(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<CurrentCode | undefined> {
  const result = await db
    .prepare(
      `SELECT ${qrRows.columns("c")},
         EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = c.hash) AS is_pending
       FROM qr_codes c WHERE c.id = ? AND c.workspace_id = ?`,
    )
    .bind(id, workspaceId)
    .first();
  return result === null
    ? undefined
    : { row: qrRows.read(result), isPublicationPending: result.is_pending === 1 };
}

/** Returns the columns in which two rows of a code differ. */
export const differingColumns = (before: QrRow, after: QrRow) =>
  listedColumns.filter(({ key }) => !sameJson(before[key], after[key]));

/** The columns that every new version sets. */
export const versionColumns = listedColumns.filter(({ key }) => key === "version" || key === "updatedAt");

/** A new version of a code, with the event that reports it and its entry in the history. */
export interface CodeStep {
  readonly before: QrRow;
  readonly after: QrRow;
  /** The columns that it changes. */
  readonly columns: typeof listedColumns;
  readonly event: QrEvent;
  readonly history: NewEntry;
  /** The caps that apply when a code is restored. */
  readonly caps?: CodeCaps | undefined;
}

/**
 * Stores new versions of a code, each with its event and history, in one transaction. A version is stored only if the code has not
 * changed since it was computed, and if the folder or page it is given exists. Deleted codes get no events.
 * @returns how many versions were stored
 */
export async function storeSteps(db: D1Database, steps: readonly CodeStep[]): Promise<number> {
  const results = await db.batch(steps.flatMap((step) => statementsOf(db, step)));
  return steps.filter((_, i) => results[2 * i + 1]?.results.length === 1).length;
}

/** The event comes before the update, so that both see the old row. */
function statementsOf(
  db: D1Database,
  { before, after, columns, event, history, caps }: CodeStep,
): D1PreparedStatement[] {
  const isNew = (key: keyof QrRow) => columns.some((column) => column.key === key);
  const { id, workspaceId, folderId, deletedFolderId, data } = after;
  const conditions: [sql: string, ...values: unknown[]][] = [
    ["c.id = ? AND c.workspace_id = ? AND c.version = ?", id, workspaceId, before.version],
  ];
  const isRestored = isNew("deletedAt") && after.deletedAt === null;
  if (isRestored && caps !== undefined) {
    const { liveCodes, creationsPerDay } = caps;
    const withinCaps = isWithinCaps({
      liveCodes: `${liveCodes}`,
      creationsPerDay: `${creationsPerDay}`,
      at: `${event.at}`,
    });
    const isAllowed = `w.suspended IS NULL AND ${withinCaps}`;
    conditions.push([`EXISTS (SELECT 1 FROM workspaces w WHERE w.id = c.workspace_id AND ${isAllowed})`]);
  }
  if ((isNew("folderId") || isRestored) && folderId !== null) {
    conditions.push([folderExists("c.workspace_id", "?"), folderId]);
  }
  if (isNew("deletedFolderId") && deletedFolderId !== null) {
    conditions.push([folderIsDeleted("c.workspace_id", "?"), deletedFolderId]);
  }
  if (isNew("data") && data.type === "servicepage") {
    conditions.push([pageExists("c.workspace_id", "?"), data.pageId]);
  }
  const isHidden = before.deletedAt !== null && after.deletedAt !== null;
  const condition = conditions.map(([sql]) => sql).join(" AND ");
  const tested = conditions.flatMap(([, ...values]) => values);
  return [
    db
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
         SELECT ?, w.id, ${isHidden ? "'', '{}'" : eventColumns("?", "?")}, ${fittedEntry("new.entry")}, ?
         FROM (SELECT ? AS entry) new CROSS JOIN qr_codes c CROSS JOIN workspaces w ON w.id = c.workspace_id
         WHERE ${changeFits} AND ${condition}`,
      )
      .bind(
        ...[event.id, ...(isHidden ? [] : [event.kind, JSON.stringify(event.data)])],
        ...[event.at, JSON.stringify(history), ...tested],
      ),
    db
      .prepare(
        `UPDATE qr_codes AS c SET ${columns.map(({ name }) => `${name} = ?`).join(", ")}
         WHERE ${condition} RETURNING id`,
      )
      .bind(...columns.map(({ key }) => toColumn(key, after[key])), ...tested),
  ];
}

/** Converts a value to the form in which the database stores it. */
export const toColumn = (key: keyof QrRow, value: unknown): unknown =>
  value === null ? null : getTableColumns(qrCodes)[key].mapToDriverValue(value);
