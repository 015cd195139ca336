import { limits } from "../contract/limits.ts";
import type { QrChanges, QrMerges } from "./codes.ts";

/** The values that a change of a code can set. */
export type Values = QrChanges & QrMerges & { readonly deletedAt?: number };

/** A column that a change can set. In its SQL, `c` is the old row. */
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

/** The columns that a change can set, by the name of the value. */
export type SettableColumns = Readonly<Record<keyof Values, Settable>>;

/**
 * The columns for values in a JSON object, which also has `nameFolded` and `seenColors`.
 * @param given SQL for the object
 */
export function settableColumns(given: string): SettableColumns {
  const scalar = (key: keyof Values, column: string, options: Partial<Settable> = {}): Settable => {
    const { field = key, value = `${given}->>'${key}'` } = options;
    return { ...options, column, field, value, differs: `${value} IS NOT c.${column}` };
  };
  const json = (key: keyof Values, column: string, options: Partial<Settable> = {}): Settable => {
    const { field = key, value = `nullif(${given}->'${key}', 'null')` } = options;
    const differs = `(${value} IS NOT c.${column} AND ${sorted(value)} <> ${sorted(`c.${column}`)})`;
    return { ...options, column, field, value, differs };
  };
  /** A free-form column into which properties are merged. An object without properties is stored as NULL. */
  const merged = (key: keyof QrMerges, column: string, field: string, condition = "true"): Settable => {
    const patched = `json_patch(coalesce(c.${column}, '{}'), ${given}->'${key}')`;
    const value = `nullif(nullif(${patched}, 'null'), '{}')`;
    const isSmall = `coalesce(length(CAST(${value} AS BLOB)), 0) <= ${limits.freeForm.bytes}`;
    return json(key, column, { field, value, allowed: `${isSmall} AND ${condition}` });
  };
  const hasSeenColors = `NOT EXISTS
    (SELECT 1 FROM json_each(${given}->'seenColors') s WHERE s.atom IS NOT c.color_config->>s.key)`;
  /** The condition that the code starts before it expires, each as given or else as it is. */
  const isOrdered = `coalesce(iif(json_type(${given}, '$.startsAt') IS NULL, c.starts_at, ${given}->>'startsAt')
    < iif(json_type(${given}, '$.expiresAt') IS NULL, c.expires_at, ${given}->>'expiresAt'), true)`;
  return {
    name: scalar("name", "name"),
    data: json("data", "data"),
    // A code must not refer to a folder that has been deleted since.
    folderId: scalar("folderId", "folder_id", {
      value: `(SELECT f.id FROM folders f WHERE f.id = ${given}->>'folderId' AND f.workspace_id = c.workspace_id)`,
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
}

/** SQL that is equal for equal JSON, in any order of keys. */
const sorted = (value: string) =>
  `(SELECT json_group_array(json_array(fullkey, type, atom) ORDER BY fullkey) FROM json_tree(${value}))`;

/** The SQL of a change of some columns. In it, `c` is the old row. */
export interface ChangeSql {
  /** The new values by column, version and time included. */
  readonly values: Readonly<Record<string, string>>;
  /** The condition that the code is not deleted, that the change may be made, and that it changes something. */
  readonly isChangeable: string;
  /** A JSON array of the names of the fields that change. */
  readonly changed: string;
}

/**
 * @param names of the values that are given
 * @param given SQL for the JSON object that has them, as the columns were made with
 * @param at SQL for the time of the change
 */
export function changeSql(
  settable: SettableColumns,
  names: readonly (keyof Values)[],
  given: string,
  at: string,
): ChangeSql {
  const columns = names.map((name) => settable[name]);
  const fields = columns.map(({ field, differs }) => `iif(${differs}, '${field}', NULL)`).join(", ");
  return {
    values: {
      ...Object.fromEntries(columns.map(({ column, value }) => [column, value])),
      ...(names.includes("name") ? { name_folded: `${given}->>'nameFolded'` } : {}),
      version: "c.version + 1",
      updated_at: at,
    },
    isChangeable: `c.deleted_at IS NULL
      AND ${columns.map(({ allowed = "true" }) => allowed).join(" AND ") || "true"}
      AND (${columns.map(({ differs }) => differs).join(" OR ") || "false"})`,
    changed: `(SELECT json_group_array(value) FROM json_each(json_array(${fields})) WHERE value IS NOT NULL)`,
  };
}
