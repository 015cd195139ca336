import { limits } from "../../contract/limits.ts";
import type { CodeColumn } from "../../contract/resources/codes/qr-fields.ts";
import type { RowFailure } from "../../domain/bulk/rows/row.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { fieldSentence, formSentence } from "../../ui/forms/form.ts";
import { type Column, columnLabels, looksLikeEmail } from "./columns.ts";
import { rowsOf, type Table } from "./table.ts";

/** How many groups are shown individually. All other problems share one group. */
const shownProblems = 8;

/** Rows with the same kind of problem. */
export interface ProblemGroup {
  /** Unique among the table's groups. */
  readonly id: string;
  /** The index of its column; -1 for problems of whole rows, and of several columns. */
  readonly column: number;
  readonly title: string;
  readonly hint: string | undefined;
  /** The indexes of its rows below the header, in order. */
  readonly rows: readonly number[];
  readonly fix: Fix | undefined;
}

/** A change to all cells of a group. */
interface Fix {
  readonly label: string;
  /** Returns the changed cell. @param value entered by the person, for a fix that needs one */
  readonly apply: (text: string, value: string) => string;
  /** Whether the person enters a value. */
  readonly needsValue?: true;
}

/** A kind of problem, which all rows of a group have. */
interface Kind extends Pick<ProblemGroup, "column" | "title" | "fix"> {
  /** The same in a cell, unless the error says it. */
  readonly inCell?: string;
  /** @param example one of its cells */
  readonly hint?: (example: string) => string;
}

/** A problem of a row: in a cell, or of the row as a whole. */
export interface RowProblem {
  /** The index of the row below the header. */
  readonly row: number;
  /** The index of the cell's column; -1 for the row as a whole. */
  readonly column: number;
  /** Words that follow the column's label, or a whole sentence. */
  readonly problem: string;
}

/** Returns a row's problems. Those in columns that the table doesn't have count as problems of the row. */
export const problemsOfRow = (
  { columns }: Table,
  row: number,
  failure: Pick<RowFailure, "problems"> | null,
): RowProblem[] =>
  Object.entries(failure?.problems ?? {}).map(([name, problem]) => {
    const column = name === "" ? -1 : columns.indexOf(name as CodeColumn);
    return { row, column, problem: column === -1 ? withLabel(name, problem) : problem };
  });

const withLabel = (name: string, problem: string): string =>
  name === "" ? problem : formSentence(columnLabels[name as CodeColumn] ?? name, problem);

/** Returns the id of a cell's control, or of a row. */
export const problemId = ({ row, column }: Pick<RowProblem, "row" | "column">): string =>
  column === -1 ? `row-${row}` : `cell-${row}-${column}`;

/** Groups a table's problems by kind, most frequent first. */
export function groupProblems(
  table: Table,
  failures: readonly (Pick<RowFailure, "problems"> | null)[],
): ProblemGroup[] {
  const found = new Map<string, { kind: Kind; rows: number[]; example: string }>();
  const cells = rowsOf(table);
  for (const [row, failure] of failures.entries()) {
    for (const problem of problemsOfRow(table, row, failure)) {
      const text = cells[row]?.[problem.column]?.trim() ?? "";
      const kind = kindOf(table.columns[problem.column], problem, text);
      const id = `${problem.column}.${kind.title}`;
      const group = found.get(id) ?? { kind, rows: [], example: text };
      found.set(id, group);
      if (group.rows.at(-1) !== row) group.rows.push(row);
    }
  }
  const groups = [...found]
    .map(([id, { kind, rows, example }]) => ({
      ...{ id, column: kind.column, title: kind.title, fix: kind.fix, rows },
      hint: kind.hint?.(shortened(example)),
    }))
    .toSorted((a, b) => b.rows.length - a.rows.length);
  return [...groups.slice(0, shownProblems), ...others(groups.slice(shownProblems))];
}

/** Returns a cell's problem as a sentence, in the words of its group. */
export function problemSentence(table: Table, problem: RowProblem, text: string): string {
  const column = table.columns[problem.column];
  const { inCell } = kindOf(column, problem, text.trim());
  return inCell ?? fieldSentence((column && columnLabels[column]) ?? "", problem.problem);
}

/** Combines the remaining groups into one. */
function others(groups: readonly ProblemGroup[]): ProblemGroup[] {
  const rows = [...new Set(groups.flatMap((group) => group.rows))].toSorted((a, b) => a - b);
  const title = "Other problems";
  return rows.length === 0
    ? []
    : [{ id: "others", column: -1, title, hint: "Errors appear in the cell.", rows, fix: undefined }];
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const isAddress = (text: string): boolean => readDestination(text, limits.destination).ok;

/** A fix for addresses with the same mistake. */
interface AddressFix extends Fix {
  readonly title: string;
  readonly what: string;
  readonly apply: (text: string) => string;
}

const addressFixes: readonly AddressFix[] = [
  {
    label: "Change commas to full stops",
    title: "has commas",
    what: "a comma where a full stop belongs",
    apply: (text) => text.replace(/^([a-z]+:\/\/)?[^/?#]*/i, (host) => host.replaceAll(",", ".")),
  },
  {
    label: "Remove spaces",
    title: "has spaces",
    what: "a space inside the address",
    apply: (text) => text.replace(/\s+/g, ""),
  },
  {
    label: "Add https://",
    title: "has no https://",
    what: "it has to begin with https://",
    apply: (text) => text.replace(/^([htps]{0,6}[:;]?[/\\]+|[htps]{3,6}[:;])/i, "https://"),
  },
];

/** Converts a date to a time at midnight UTC. */
function asTime(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  const [, d, m, y] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const date =
    year === undefined
      ? y
        ? `${y}-${m?.padStart(2, "0")}-${d?.padStart(2, "0")}`
        : ""
      : `${year}-${month}-${day}`;
  return date === "" || Number.isNaN(Date.parse(`${date}T00:00:00Z`)) ? text : `${date}T00:00:00Z`;
}

/** Returns the first sentence of a problem, as a title. */
const withoutAdvice = (problem: string): string => problem.replace(/\.(\s.*)?$/, "");

const leaveEmpty: Fix = { label: "Leave empty", apply: () => "" };

/**
 * Determines the kind of a problem, by the cell rather than by the error's wording, which may differ for equal cells.
 */
function kindOf(column: Column, { column: index, problem }: RowProblem, text: string): Kind {
  const example = (shown: string) => `For example “${shown}”.`;
  if (column === undefined) return { column: index, title: withoutAdvice(problem), fix: undefined };
  const label = columnLabels[column] ?? column;
  if (column === "url") return addressKind(index, label, problem, text);
  const time = column === "startsAt" || column === "expiresAt" ? asTime(text) : text;
  if (time !== text) {
    const hint = (shown: string) => `For example “${shown}”: a date without a time.`;
    const fix: Fix = { label: "Use midnight UTC", apply: asTime };
    const title = `${label} has no time`;
    return { column: index, title, inCell: `${title}.`, hint, fix };
  }
  if (column === "name" && text.length > limits.name) {
    const fix: Fix = {
      label: `Shorten to ${limits.name} characters`,
      apply: (name) => name.slice(0, limits.name).toWellFormed().trim(),
    };
    const title = `${label} is too long`;
    const inCell = `${title}. It can have at most ${limits.name} characters.`;
    return { column: index, title, inCell, hint: example, fix };
  }
  return {
    column: index,
    title: withoutAdvice(formSentence(label, problem)),
    hint: example,
    fix: leaveEmpty,
  };
}

function addressKind(column: number, label: string, problem: string, text: string): Kind {
  if (text === "") {
    const fix: Fix = { label: "Fill all with…", apply: (_, value) => value, needsValue: true };
    return { column, title: `${label} is empty`, hint: () => "Every code needs one.", fix };
  }
  if (looksLikeEmail(text)) {
    const hint = () => "Imported rows become link codes. Create email codes one by one.";
    const title = `${label} is an email address`;
    return { column, title, inCell: `${title}.`, hint, fix: undefined };
  }
  const fix = addressFixes.find(({ apply }) => apply(text) !== text && isAddress(apply(text)));
  if (fix === undefined || isAddress(text)) {
    return {
      column,
      title: withoutAdvice(formSentence(label, problem)),
      hint: (shown) => `For example “${shown}”.`,
      fix: undefined,
    };
  }
  return {
    column,
    title: `${label} ${fix.title}`,
    inCell: `${label} ${fix.title}.`,
    hint: (shown) => `For example “${shown}”: ${fix.what}.`,
    fix,
  };
}

/** Applies a group's fix to the table. @param value entered by the person */
export function fixed(table: Table, { column, rows, fix }: ProblemGroup, value: string): Table {
  if (fix === undefined || (fix.needsValue === true && value === "")) return table;
  const first = table.hasHeader ? 1 : 0;
  const changed = new Set(rows.map((row) => row + first));
  const records = table.records.map((cells, i) =>
    changed.has(i) ? cells.map((text, at) => (at === column ? fix.apply(text.trim(), value) : text)) : cells,
  );
  return { ...table, records };
}
