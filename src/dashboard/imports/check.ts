import { tags } from "../../contract/resources/codes/qr.ts";
import { problemsByPath } from "../../contract/issues.ts";
import { checkRows } from "../../domain/bulk/jobs.ts";
import type { BulkRow, RowFailure } from "../../domain/bulk/row.ts";
import { folderFinder } from "../../domain/folders/folders.ts";
import { withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Common, foldersIn, readRowDefaults, rowsOfTable } from "./rows.ts";
import type { Table } from "./table.ts";

/** The rows of a table, unless its settings have problems. */
export interface ReadRows {
  readonly rows: readonly BulkRow[];
  /** The problems of the settings, by field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** A table after its check. */
export interface Checked {
  /** The problem of each row; null for one that can be created. */
  readonly failures: readonly (RowFailure | null)[];
  /** The problems of the settings, or of the whole, by field. */
  readonly problems: Readonly<Record<string, string>>;
  /** The HTTP status of these problems, unless they are the form's own. */
  readonly status?: Rejection["status"];
}

/** Reads a table's rows according to the chosen columns. */
export async function readRows(request: DashboardRequest, table: Table): Promise<ReadRows> {
  const { deps, context } = request;
  const found = await withItemFound(folderSource, request);
  const common = readRowDefaults("form" in found ? found.form : request.form);
  const folderProblems = "form" in found ? {} : found.rejection.problems;
  const problems = { ...columnProblems(table), ...folderProblems, ...tagProblems(common) };
  if (Object.keys(problems).length > 0) return { rows: [], problems };
  const folderOf = await folderFinder(deps, context, foldersIn(table));
  return { rows: rowsOfTable(table, common, folderOf), problems };
}

/** Checks a table by the rules of a bulk job. Stores nothing. */
export async function checkTable(request: DashboardRequest, table: Table): Promise<Checked> {
  const { rows, problems } = await readRows(request, table);
  try {
    return { failures: await checkRows(request.deps, request.context, rows), problems };
  } catch (error) {
    return { failures: [], ...rejectionOf(error) };
  }
}

function columnProblems({ columns }: Table): Record<string, string> {
  if (!columns.includes("url")) return { "column.0": "Choose the column that becomes the destination." };
  const repeated = columns.findIndex((column, i) => column !== undefined && columns.indexOf(column) !== i);
  return repeated === -1 ? {} : { [`column.${repeated}`]: "Choose this for only one column." };
}

function tagProblems(common: Common): Record<string, string> {
  const checked = tags.safeParse(common.tags);
  const [problem] = Object.values(problemsByPath(checked.error?.issues ?? []));
  return problem === undefined ? {} : { tags: problem };
}
