import { limits } from "../contract/limits.ts";
import type { EventKind } from "../contract/resources/enums.ts";
import { assignmentsOf, changeEventSql } from "./code-events.ts";
import { foldedName, type QrChanges, type QrMerges, type QrRow, qrRows } from "./codes.ts";

/** The code to change, and the event that reports its change. */
export interface CodeChange {
  readonly id: string;
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly eventId: string;
  readonly scanOrigin: string;
}

export interface ChangedCode {
  /** The code after the change; a deleted one, if it was deleted before. */
  readonly row: QrRow;
  /** Whether anything differed, so that the change was stored. */
  readonly isChanged: boolean;
  readonly isEventStored: boolean;
  /** Whether a change of its route, by this request or an earlier one, may not have been published yet. */
  readonly isPublicationPending: boolean;
}

/** Colors of a row, by the property of `colorConfig`; null for one that it lacks. */
export type SeenColors = Readonly<Record<string, string | null>>;

/**
 * Sets the given fields and adds the event to the outbox, in one transaction. The database orders concurrent changes:
 * each is compared with the row that the one before has left, so none has to be tried again. Equal values change nothing.
 * Nor does a merge that exceeds the limit of free-form objects, or finds other colors than those it was judged with.
 * @param seenColors those with which the merged colors were judged
 * @returns undefined when the workspace has no such code
 */
export async function updateQr(
  db: D1Database,
  change: CodeChange,
  given: QrChanges & QrMerges,
  seenColors: SeenColors = {},
): Promise<ChangedCode | undefined> {
  return write(db, change, "qr.updated", given, seenColors);
}

/** Deletes a code in the same way. A code that is deleted already stays as it is. */
export async function deleteQr(db: D1Database, change: CodeChange): Promise<ChangedCode | undefined> {
  return write(db, change, "qr.deleted", { deletedAt: change.at });
}

type Values = QrChanges & QrMerges & { readonly deletedAt?: number };

async function write(
  db: D1Database,
  { id, workspaceId, at, eventId, scanOrigin }: CodeChange,
  kind: EventKind,
  given: Values,
  seenColors: SeenColors = {},
): Promise<ChangedCode | undefined> {
  const columns = (Object.keys(given) as (keyof Values)[]).map((key) => settable[key]);
  const values = JSON.stringify({ ...given, nameFolded: foldedName(given.name ?? null), seenColors });
  const run = (sql: string, ...more: string[]) => db.prepare(sql).bind(values, id, workspaceId, at, ...more);
  // The event comes before the update, so that both compare the values with the old row.
  const results = await db.batch<Record<string, unknown>>([
    run(eventSql(kind, columns), eventId, scanOrigin),
    run(updateSql(columns)),
    db.prepare(changedCodeSql).bind(id, workspaceId),
  ]);
  return readChangedCode(results);
}

/** Reads a code and whether a publication of it is pending. Its parameters are the ids of the code and the workspace. */
export const changedCodeSql = `
  SELECT ${qrRows.columns("c")}, EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = c.hash) AS is_pending
  FROM qr_codes c WHERE c.id = ?1 AND c.workspace_id = ?2`;

/** Reads the results of three statements: the event and the update, which return their ids, and `changedCodeSql`. */
export function readChangedCode(
  results: readonly D1Result<Record<string, unknown>>[],
): ChangedCode | undefined {
  const [event, update, select] = results;
  const [result] = select?.results ?? [];
  return (
    result && {
      row: qrRows.read(result),
      isChanged: update?.results.length === 1,
      isEventStored: event?.results.length === 1,
      isPublicationPending: result.is_pending === 1,
    }
  );
}

/** A column that a change can set. In its SQL, `c` is the old row, and ?1 a JSON object with the given values. */
interface Settable {
  readonly column: string;
  /** The field's name in events. */
  readonly field: string;
  readonly value: string;
  /** The condition that the value is new. */
  readonly differs: string;
  /** The condition under which the change may be made; without it, always. */
  readonly allowed?: string;
}

function scalar(key: keyof Values, column: string, options: Partial<Settable> = {}): Settable {
  const { field = key, value = `?1->>'${key}'` } = options;
  return { ...options, column, field, value, differs: `${value} IS NOT c.${column}` };
}

function json(key: keyof Values, column: string, options: Partial<Settable> = {}): Settable {
  const { field = key, value = `nullif(?1->'${key}', 'null')` } = options;
  const differs = `(${value} IS NOT c.${column} AND ${sorted(value)} <> ${sorted(`c.${column}`)})`;
  return { ...options, column, field, value, differs };
}

/** A free-form column into which properties are merged. An object without properties is stored as NULL. */
function merged(key: keyof QrMerges, column: string, field: string, condition = "true"): Settable {
  const patched = `json_patch(coalesce(c.${column}, '{}'), ?1->'${key}')`;
  const value = `nullif(nullif(${patched}, 'null'), '{}')`;
  const isSmall = `coalesce(length(CAST(${value} AS BLOB)), 0) <= ${limits.freeForm.bytes}`;
  return json(key, column, { field, value, allowed: `${isSmall} AND ${condition}` });
}

const hasSeenColors =
  "NOT EXISTS (SELECT 1 FROM json_each(?1->'seenColors') s WHERE s.atom IS NOT c.color_config->>s.key)";

/** The condition that the code starts before it expires, each as given or else as it is. */
const isOrdered = `coalesce(iif(json_type(?1, '$.startsAt') IS NULL, c.starts_at, ?1->>'startsAt')
  < iif(json_type(?1, '$.expiresAt') IS NULL, c.expires_at, ?1->>'expiresAt'), true)`;

/** SQL that is equal for equal JSON, in any order of keys. */
const sorted = (value: string) =>
  `(SELECT json_group_array(json_array(fullkey, type, atom) ORDER BY fullkey) FROM json_tree(${value}))`;

const settable: Readonly<Record<keyof Values, Settable>> = {
  name: scalar("name", "name"),
  data: json("data", "data"),
  // A code must not refer to a folder that has been deleted since.
  folderId: scalar("folderId", "folder_id", {
    value: "(SELECT f.id FROM folders f WHERE f.id = ?1->>'folderId' AND f.workspace_id = c.workspace_id)",
  }),
  tags: json("tags", "tags"),
  status: scalar("status", "status"),
  templateId: scalar("templateId", "template_id"),
  colorConfig: json("colorConfig", "color_config"),
  shape: scalar("shape", "shape"),
  logoId: scalar("logoId", "logo_id", { field: "logo" }),
  colorChanges: merged("colorChanges", "color_config", "colorConfig", hasSeenColors),
  advancedChanges: merged("advancedChanges", "advanced", "advanced"),
  startsAt: scalar("startsAt", "starts_at", { allowed: isOrdered }),
  expiresAt: scalar("expiresAt", "expires_at", { allowed: isOrdered }),
  fallbackUrl: scalar("fallbackUrl", "fallback_url"),
  utmChanges: merged("utmChanges", "utm", "utm"),
  deletedAt: scalar("deletedAt", "deleted_at"),
};

/** The new values of a changed row, by column. */
const newValues = (columns: readonly Settable[]): Record<string, string> => ({
  ...Object.fromEntries(columns.map(({ column, value }) => [column, value])),
  ...(columns.includes(settable.name) ? { name_folded: "?1->>'nameFolded'" } : {}),
  version: "c.version + 1",
  updated_at: "?4",
});

const isChangeable = (columns: readonly Settable[]) =>
  `c.id = ?2 AND c.workspace_id = ?3 AND c.deleted_at IS NULL
   AND ${columns.map(({ allowed = "true" }) => allowed).join(" AND ") || "true"}
   AND (${columns.map(({ differs }) => differs).join(" OR ") || "false"})`;

function eventSql(kind: EventKind, columns: readonly Settable[]): string {
  const changed = columns.map(({ field, differs }) => `iif(${differs}, '${field}', NULL)`).join(", ");
  return changeEventSql({
    kind,
    values: newValues(columns),
    condition: isChangeable(columns),
    ...(kind === "qr.updated"
      ? {
          changed: `(SELECT json_group_array(value) FROM json_each(json_array(${changed})) WHERE value IS NOT NULL)`,
        }
      : {}),
    parameters: { eventId: "?5", origin: "?6", at: "?4" },
  });
}

const updateSql = (columns: readonly Settable[]): string =>
  `UPDATE qr_codes AS c SET ${assignmentsOf(newValues(columns))} WHERE ${isChangeable(columns)} RETURNING id`;
