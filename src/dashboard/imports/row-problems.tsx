import type { BulkColumn } from "../../contract/resources/qr-fields.ts";
import type { RowFailure } from "../../domain/bulk/row.ts";
import { formatCount, formatNumber } from "../components/values/format.ts";
import { columnLabels } from "./columns.ts";
import type { Table } from "./table.ts";

/** Problems that the summary lists. */
const listed = 10;

/** A problem of a row: in a cell, or of the row as a whole. */
export interface RowProblem {
  /** The index of the row below the header. */
  readonly row: number;
  /** The index of the cell's column; -1 for the row as a whole. */
  readonly column: number;
  /** Words that follow the column's label, or say all. */
  readonly problem: string;
}

/** The problems of a row. Those of columns that the table does not have are problems of the row. */
export const problemsOfRow = ({ columns }: Table, row: number, failure: RowFailure | null): RowProblem[] =>
  Object.entries(failure?.problems ?? {}).map(([name, problem]) => {
    const column = name === "" ? -1 : columns.indexOf(name as BulkColumn);
    const label = Object.entries(columnLabels).find(([known]) => known === name)?.[1] ?? name;
    return { row, column, problem: column === -1 && name !== "" ? `${label} ${problem}` : problem };
  });

/** The id of a cell's control, or of a row. */
export const problemId = ({ row, column }: Pick<RowProblem, "row" | "column">): string =>
  column === -1 ? `row-${row}` : `cell-${row}-${column}`;

interface Props {
  readonly table: Table;
  readonly failures: readonly (RowFailure | null)[];
}

/** Lists the first problems above the table, with links to the cells. */
export function RowProblems({ table, failures }: Props) {
  const bad = failures.filter((failure) => failure !== null).length;
  if (bad === 0) return null;
  const problems: RowProblem[] = [];
  for (const [row, failure] of failures.entries()) {
    if (problems.length >= listed) break;
    problems.push(...problemsOfRow(table, row, failure));
  }
  return (
    <div class="notice bad" id="problems" tabindex={-1} role="alert">
      <div>
        <h2>{formatCount(bad, "row needs your attention", "rows need your attention")}</h2>
        <ul>
          {problems.slice(0, listed).map((problem) => (
            <li>
              <a href={`#${problemId(problem)}`}>
                Row {formatNumber(problem.row + 1)}: {labelOf(table, problem.column)}
                {problem.problem}
              </a>
            </li>
          ))}
        </ul>
        {bad > problems.length && <p>The table below has the others.</p>}
      </div>
    </div>
  );
}

/** The label of a column, with a space after it. */
function labelOf({ columns }: Table, index: number): string {
  const column = columns[index];
  return column === undefined ? "" : `${columnLabels[column]} `;
}
