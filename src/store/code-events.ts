import type { EventKind } from "../contract/resources/enums.ts";
import { qrJson, qrRows } from "./code-columns.ts";

/** A change of one code that is stored in the same batch as its event. In its SQL, `c` is the code before the change. */
export interface ReportedChange {
  readonly kind: EventKind;
  /** The new values, by column. */
  readonly values: Readonly<Record<string, string>>;
  /** The FROM clause, in which `c` is the code; `qr_codes c` unless it has more tables. */
  readonly source?: string;
  /** Which code changes, and whether it does. */
  readonly condition: string;
  /** A JSON array of the names of the changed fields, if the event has them. */
  readonly changed?: string;
  /** SQL such as `?5` for the event's id, the scan origin and the time. */
  readonly parameters: { readonly eventId: string; readonly origin: string; readonly at: string };
}

/**
 * A statement that adds the event of a change to the outbox and returns its id. It adds nothing if nothing changes, or in
 * a workspace without webhooks. It must come before the change itself, so that both test the old row.
 */
export function changeEventSql(change: ReportedChange): string {
  const { kind, values, source = "qr_codes c", condition, changed, parameters } = change;
  const { eventId, origin, at } = parameters;
  const code = qrJson("n", origin);
  const data = changed === undefined ? code : `json_set(${code}, '$.changed', json(n.changed))`;
  return `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
    SELECT n.event_id, w.id, '${kind}', ${data}, ${at}
    FROM (SELECT ${qrRows.columns("c", values)}, ${changed ?? "NULL"} AS changed, ${eventId} AS event_id
          FROM ${source} WHERE ${condition}) n
    CROSS JOIN workspaces w ON w.id = n.workspace_id
    WHERE w.has_webhooks RETURNING id`;
}

/** The SET clause of an UPDATE. @param values SQL by column */
export const assignmentsOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ");
