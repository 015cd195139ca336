import { tags } from "../../contract/resources/qr.ts";
import { problemsByPath } from "../../contract/issues.ts";
import { checkRows } from "../../domain/bulk/jobs.ts";
import type { BulkRow, RowFailure } from "../../domain/bulk/row.ts";
import { listFolders } from "../../domain/codes/folders.ts";
import type { Visit } from "../frame/visit.ts";
import { type Common, rowsOfTable } from "./rows.ts";
import type { Table } from "./table.ts";

/** A table that was checked. */
export interface Checked {
  readonly rows: readonly BulkRow[];
  /** What is wrong with each row; null for one that can be created. */
  readonly failures: readonly (RowFailure | null)[];
  /** What is wrong with the choices, by their field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Checks a table by the rules of a bulk job. Nothing is stored. @throws forbidden in a suspended workspace */
export async function checkTable({ deps, owner }: Visit, table: Table, common: Common): Promise<Checked> {
  const problems = { ...columnProblems(table), ...tagProblems(common) };
  if (Object.keys(problems).length > 0) return { rows: [], failures: [], problems };
  const { folders } = await listFolders(deps, owner);
  const rows = rowsOfTable(table, common, folders);
  return { rows, failures: await checkRows(deps, owner, rows), problems };
}

function columnProblems({ columns }: Table): Record<string, string> {
  if (!columns.includes("url")) return { "column.0": "or another column must have the destinations" };
  const repeated = columns.findIndex((column, i) => column !== undefined && columns.indexOf(column) !== i);
  return repeated === -1 ? {} : { [`column.${repeated}`]: "is chosen for two columns" };
}

function tagProblems(common: Common): Record<string, string> {
  const checked = tags.safeParse(common.tags);
  const [problem] = Object.values(problemsByPath(checked.error?.issues ?? []));
  return problem === undefined ? {} : { tags: problem };
}
