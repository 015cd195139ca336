import { problemsByPath } from "../../contract/issues.ts";
import { tags } from "../../contract/resources/codes/qr.ts";
import { workUnits } from "../../contract/work-units.ts";
import { clearedBy, effectsOf, type RowEffect } from "../../domain/bulk/changes/row-effects.ts";
import { checkRows } from "../../domain/bulk/jobs.ts";
import { namingColumns } from "../../domain/bulk/rows/change-rows.ts";
import { type FoundRow, findRows } from "../../domain/bulk/rows/find-rows.ts";
import type { BulkRow, ChangeRow, RowFailure } from "../../domain/bulk/rows/row.ts";
import { folderFinder } from "../../domain/folders/folders.ts";
import { takeHeavyWork } from "../../domain/heavy-work.ts";
import { withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import { type Common, changesOfTable, foldersIn, readRowDefaults, rowsOfTable } from "./rows.ts";
import { rowsOf, type Table } from "./table.ts";

/** The rows of a table, unless its settings have problems. */
export interface ReadRows {
  readonly rows: readonly BulkRow[];
  /** The problems of the settings, by field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Whether a table's rows change the codes that they name, or create codes. */
type Mode = "change" | "create";

/** The effects of rows that change codes. */
export interface CheckedChanges {
  readonly effects: readonly RowEffect[];
  /** Sentences about the values that rows remove. */
  readonly cleared: readonly string[];
}

/** A table after its check. */
export interface Checked {
  readonly mode: Mode;
  /** How many rows name a code of the workspace. */
  readonly named: number;
  /** Undefined where codes are created. */
  readonly changes?: CheckedChanges;
  /** The problem of each row; null for one that can be created or changed. */
  readonly failures: readonly (Pick<RowFailure, "problems"> | null)[];
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
  return { rows: await rowsOfTable(deps, table, common, folderOf), problems };
}

/** Checks a table by the rules of a bulk job. Stores nothing. */
export async function checkTable(request: DashboardRequest, table: Table): Promise<Checked> {
  const { deps, context } = request;
  const changes = await readChanges(request, table);
  const { named, mode } = changes;
  const { length } = rowsOf(table);
  try {
    const units = mode === "change" ? workUnits.dryRun(length) : workUnits.check(length);
    await takeHeavyWork(deps, context.workspaceId, units);
    if (mode === "change") {
      const effects = await effectsOf(deps, context, changes.found);
      const failures = effects.map((effect) => ("error" in effect ? effect : null));
      const { problems } = changes;
      return {
        mode,
        named,
        failures,
        problems,
        changes: { effects, cleared: await clearedBy(deps, effects) },
      };
    }
    const { rows, problems } = await readRows(request, table);
    const checked = await checkRows(deps, context, rows);
    const failures = checked.map((item) => ("problems" in item ? item : null));
    return { mode, named, failures, problems };
  } catch (error) {
    return { mode, named, failures: [], ...rejectionOf(error) };
  }
}

/** Whether codes are changed that have changed since the file was exported. */
export const isForced = (form: URLSearchParams): boolean => form.get("force") === "on";

/** The rows of a table as changes of the codes that they name. */
interface ReadChanges {
  readonly mode: Mode;
  readonly named: number;
  readonly rows: readonly ChangeRow[];
  /** The same, with the codes that they name. */
  readonly found: readonly FoundRow[];
  readonly problems: Readonly<Record<string, string>>;
}

/** Reads a table's rows as changes, if it can name codes. By default, codes are changed if it names any. */
export async function readChanges(request: DashboardRequest, table: Table): Promise<ReadChanges> {
  const { deps, context, form } = request;
  if (!namingColumns.some((column) => table.columns.includes(column))) {
    return { mode: "create", named: 0, rows: [], found: [], problems: {} };
  }
  const folderOf = await folderFinder(deps, context, foldersIn(table));
  const rows = await changesOfTable(deps, table, folderOf);
  const found = await findRows(deps, context, rows, isForced(form));
  const named = found.filter((row) => "qrId" in row || row.isFound).length;
  const chosen = form.get("mode");
  const mode = chosen === "create" || (chosen !== "change" && named === 0) ? "create" : "change";
  return { mode, named, rows, found, problems: repeatedColumn(table) };
}

function columnProblems({ columns }: Table): Record<string, string> {
  if (!columns.includes("url")) return { "column.0": "Choose the column that becomes the destination." };
  return repeatedColumn({ columns });
}

function repeatedColumn({ columns }: Pick<Table, "columns">): Record<string, string> {
  const repeated = columns.findIndex((column, i) => column !== undefined && columns.indexOf(column) !== i);
  return repeated === -1 ? {} : { [`column.${repeated}`]: "Choose this for only one column." };
}

function tagProblems(common: Common): Record<string, string> {
  const checked = tags.safeParse(common.tags);
  const [problem] = Object.values(problemsByPath(checked.error?.issues ?? []));
  return problem === undefined ? {} : { tags: problem };
}
