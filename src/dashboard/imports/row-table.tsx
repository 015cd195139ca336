import { limits } from "../../contract/limits.ts";
import { enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import type { RowEffect } from "../../domain/bulk/changes/row-effects.ts";
import type { RowFailure } from "../../domain/bulk/rows/row.ts";
import { valueAt } from "../../lib/field-path.ts";
import { escapeHtml } from "../../lib/text/html.ts";
import { sameJson } from "../../lib/text/json.ts";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { type Column, columnLabels } from "./columns.ts";
import { type ProblemGroup, problemId, problemSentence, problemsOfRow, type RowProblem } from "./problems.ts";
import { columnName, rowsOf, type Table } from "./table.ts";

const { shownTable } = limits;

const shortened = (text: string): string =>
  text.length > shownTable.length ? `${text.slice(0, shownTable.length)}…` : text;

/** Returns whether a cell can be corrected on the page, which then contains all of it. */
const isEditable = (text: string): boolean => text.length <= shownTable.editable;

/** Returns the columns of a table that are used. Only these are shown. */
const usedColumns = ({ columns }: Table): number[] =>
  columns.flatMap((column, i) => (column === undefined ? [] : [i]));

/** Approximate bytes of HTML per row and per cell. */
const htmlBytes = { row: 100, good: 80, bad: 450 } as const;

/**
 * Chooses the rows to show, in order: some with each kind of problem, the first ones, then the other rows with
 * problems, as far as the page has space.
 * @param group to which the rows are limited
 */
export function chooseRows(
  table: Table,
  failures: readonly (Pick<RowFailure, "problems"> | null)[],
  groups: readonly ProblemGroup[],
  group: ProblemGroup | undefined,
): ReadonlySet<number> {
  const rows = rowsOf(table);
  const used = usedColumns(table);
  const wanted = new Set(
    group === undefined
      ? [
          ...groups.flatMap((some) => some.rows.slice(0, shownTable.linkedRows)),
          ...[...rows.keys()].slice(0, shownTable.firstRows),
          ...failures.flatMap((failure, row) => (failure === null ? [] : [row])),
        ]
      : group.rows,
  );
  const shown = new Set<number>();
  let bytes = 0;
  for (const row of wanted) {
    if (shown.size >= shownTable.rows) break;
    bytes += htmlBytes.row;
    const bad = new Set(problemsOfRow(table, row, failures[row] ?? null).map(({ column }) => column));
    for (const i of used) {
      const text = rows[row]?.[i] ?? "";
      const isInput = bad.has(i) && isEditable(text);
      bytes += escapeHtml(isInput ? text : shortened(text)).length + htmlBytes[bad.has(i) ? "bad" : "good"];
    }
    if (bytes > shownTable.bytes && shown.size > 0) break;
    shown.add(row);
  }
  return shown;
}

interface Props {
  readonly table: Table;
  readonly failures: readonly (Pick<RowFailure, "problems"> | null)[];
  /** The rows to show. */
  readonly rows: ReadonlySet<number>;
  /** The group they belong to, unless all rows are shown. */
  readonly group: ProblemGroup | undefined;
  /** By row, where they change codes. */
  readonly effects: readonly RowEffect[] | undefined;
}

/** Rows of the person's table. Problems are shown in the cells, where they can be corrected. */
export function RowTable({ table, failures, rows, group, effects }: Props) {
  const all = rowsOf(table);
  const used = usedColumns(table);
  const shown = [...rows].toSorted((a, b) => a - b);
  const isBad = (row: number) => failures[row] != null;
  const bad = shown.filter(isBad).length;
  const priorities = prioritiesOf(table, failures, shown);
  const total = group?.rows.length ?? all.length;
  return (
    <section id="rows" aria-labelledby="rows-title">
      <div class="section-head">
        <h2 class="section-title" id="rows-title">
          {group === undefined ? "Rows" : group.title}
        </h2>
        <p class="small quiet">
          {total === shown.length
            ? formatCount(total, "row")
            : `${formatNumber(shown.length)} of ${formatCount(total, "row")}${bad > 0 && group === undefined ? ": the first ones, and those with problems" : ""}`}
        </p>
      </div>
      <section class="sheet fitting" tabindex={0} aria-label="Rows of your table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {used.map((i) => (
                <th scope="col" data-priority={priorities.get(i)}>
                  {nameOf(table, i)}
                  <span class="quiet"> {columnLabels[table.columns[i] ?? "url"]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                table={table}
                priorities={priorities}
                cells={all[row] ?? []}
                row={row}
                failure={failures[row] ?? null}
                effect={effects?.[row]}
              />
            ))}
          </tbody>
        </table>
      </section>
      {bad > 0 && (
        <p class="section-foot">
          <span class="small quiet">Errors appear in the cell.</span>
          <button class="button" type="submit" formaction="/dashboard/codes/import#check">
            Check again
          </button>
        </p>
      )}
    </section>
  );
}

const nameOf = (table: Table, column: number): string => columnName(table, column) ?? `Column ${column + 1}`;

/** The name before each value when rows are shown as items. */
const shortNameOf = (table: Table, column: number): string => nameOf(table, column).slice(0, 40);

/** How many columns stay if space is limited. */
const firstColumns = 4;

/** Returns the columns in use with their priorities. A column with a problem stays. */
function prioritiesOf(
  table: Table,
  failures: Props["failures"],
  shown: readonly number[],
): ReadonlyMap<number, 2 | 3 | undefined> {
  const problems = shown.flatMap((row) => problemsOfRow(table, row, failures[row] ?? null));
  const bad = new Set(problems.map(({ column }) => column));
  return new Map(
    usedColumns(table).map((column, i) => {
      const stays = i < firstColumns || bad.has(column);
      return [column, stays ? undefined : i < firstColumns + 2 ? 2 : 3];
    }),
  );
}

interface RowProps extends Pick<Props, "table"> {
  readonly priorities: ReadonlyMap<number, 2 | 3 | undefined>;
  readonly cells: readonly string[];
  readonly row: number;
  readonly failure: Pick<RowFailure, "problems"> | null;
  readonly effect: RowEffect | undefined;
}

function Row({ table, priorities, cells, row, failure, effect }: RowProps) {
  const problems = problemsOfRow(table, row, failure);
  const ofRow = problems.filter(({ column }) => column === -1);
  return (
    <tr class={failure === null ? undefined : "bad"}>
      <th scope="row" id={problemId({ row, column: -1 })}>
        <span class="unit">Row </span>
        {formatNumber(row + 1)}
        {effect !== undefined && "isChanged" in effect && (
          <span class="second quiet">{effect.isChanged ? "Changes" : "Stays"}</span>
        )}
        {ofRow.map(({ problem }) => (
          <p class="problem">{problem}</p>
        ))}
      </th>
      {[...priorities].map(([i, priority]) => {
        const text = cells[i] ?? "";
        const problem = problems.find(({ column }) => column === i);
        return problem === undefined ? (
          <td data-name={shortNameOf(table, i)} data-priority={priority}>
            {shortened(text)}
            <Before effect={effect} column={table.columns[i]} />
          </td>
        ) : (
          <BadCell table={table} text={text} problem={problem} />
        );
      })}
    </tr>
  );
}

/** The earlier value of a cell's field, if the row changes it. */
function Before({ effect, column }: { effect: RowEffect | undefined; column: Column }) {
  const field = enteredFields.find((each) => each.column === column);
  if (effect === undefined || "error" in effect || field === undefined) return null;
  const [before, after] = [valueAt(effect.before, field.path), valueAt(effect.after, field.path)];
  if (sameJson(before ?? null, after ?? null)) return null;
  const text = Array.isArray(before) ? before.join(", ") : String(before ?? "");
  // Folders and templates are ids, which say nothing to people.
  const isId = field.column === "folderId" || field.column === "templateId";
  const isRemoved = after == null || (Array.isArray(after) && after.length === 0);
  const change = isRemoved ? "Removes" : "Was";
  return <span class="second quiet">{text === "" || isId ? "New" : `${change} ${shortened(text)}`}</span>;
}

interface BadCellProps extends Pick<Props, "table"> {
  readonly text: string;
  readonly problem: RowProblem;
}

function BadCell({ table, text, problem }: BadCellProps) {
  const { row, column } = problem;
  const id = problemId({ row, column });
  const name = table.columns[column];
  const label = (name && columnLabels[name]) ?? "";
  const record = row + (table.hasHeader ? 1 : 0);
  return (
    <td class="bad" id={isEditable(text) ? undefined : id}>
      {isEditable(text) ? (
        <input
          class="entry"
          id={id}
          name={`cell.${record}.${column}`}
          value={text}
          aria-label={`${label}, row ${row + 1}`}
          aria-invalid="true"
          aria-describedby={`${id}-problem`}
        />
      ) : (
        shortened(text)
      )}
      <p class="problem" id={`${id}-problem`}>
        {problemSentence(table, problem, text)}
      </p>
    </td>
  );
}
