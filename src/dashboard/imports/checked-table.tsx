import { limits } from "../../contract/limits.ts";
import type { RowFailure } from "../../domain/bulk/row.ts";
import { formatCount, formatNumber } from "../components/values/format.ts";
import type { Checked } from "./check.ts";
import { type Column, columnLabels } from "./columns.ts";
import { problemId, problemsOfRow, type RowProblem } from "./row-problems.tsx";
import { rowsOf, type Table } from "./table.ts";

/** Rows that are shown even without problems. */
const shownInAnyCase = 100;

const { shownTable } = limits;

const shortened = (text: string): string =>
  text.length > shownTable.length ? `${text.slice(0, shownTable.length)}…` : text;

interface Props {
  readonly table: Table;
  readonly checked: Checked;
  /** Of the choices, by field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The person's own table: a choice above each column, and what is wrong in the cell where it is, to be corrected there. */
export function CheckedTable({ table, checked: { failures }, problems }: Props) {
  const rows = rowsOf(table);
  const most = Math.min(shownTable.rows, Math.floor(shownTable.cells / table.columns.length));
  const wanted = rows
    .map((cells, row) => ({ cells, row, failure: failures[row] ?? null }))
    .filter(({ row, failure }) => row < Math.min(shownInAnyCase, most) || failure !== null);
  const shown = wanted.slice(0, most);
  const hiddenBad = wanted.length - shown.length;
  const hiddenGood = rows.length - wanted.length;
  return (
    <>
      <section class="sheet" tabindex={0} aria-label="Your table">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {table.columns.map((column, i) => (
                <th scope="col">
                  <ColumnChoice
                    index={i}
                    name={table.hasHeader ? table.records[0]?.[i] : undefined}
                    column={column}
                    problem={problems[`column.${i}`]}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ cells, row, failure }) => (
              <Row table={table} cells={cells} row={row} failure={failure} />
            ))}
          </tbody>
        </table>
      </section>
      {hiddenGood > 0 && (
        <p class="small quiet under-table">
          {formatCount(hiddenGood, "more row without a problem is", "more rows without problems are")} not
          shown.
        </p>
      )}
      {hiddenBad > 0 && (
        <p class="small under-table">
          <strong>
            {formatCount(hiddenBad, "more row with a problem is", "more rows with problems are")} not shown.
          </strong>{" "}
          Correct these first, or correct your file and start over.
        </p>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly index: number;
  /** The column's name in its table. */
  readonly name: string | undefined;
  readonly column: Column;
  readonly problem: string | undefined;
}

function ColumnChoice({ index, name, column, problem }: ChoiceProps) {
  const id = `column.${index}`;
  return (
    <>
      <label for={id}>
        {name === undefined || name.trim() === "" ? `Column ${index + 1}` : shortened(name)}
      </label>
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          Column {index + 1} {problem}
        </p>
      )}
      <select
        class="entry"
        id={id}
        name={id}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      >
        <option value="">Ignore</option>
        {Object.entries(columnLabels).map(([value, label]) => (
          <option value={value} selected={value === column}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}

interface RowProps {
  readonly table: Table;
  readonly cells: readonly string[];
  readonly row: number;
  readonly failure: RowFailure | null;
}

function Row({ table, cells, row, failure }: RowProps) {
  const problems = problemsOfRow(table, row, failure);
  const ofRow = problems.filter(({ column }) => column === -1);
  return (
    <tr class={failure === null ? undefined : "bad"}>
      <th scope="row" id={problemId({ row, column: -1 })}>
        {formatNumber(row + 1)}
        {ofRow.map(({ problem }) => (
          <p class="problem">{problem}</p>
        ))}
      </th>
      {cells.map((text, i) => {
        const problem = problems.find(({ column }) => column === i);
        return problem === undefined ? (
          <td class={table.columns[i] === undefined ? "quiet" : undefined}>{shortened(text)}</td>
        ) : (
          <BadCell table={table} text={text} problem={problem} />
        );
      })}
    </tr>
  );
}

function BadCell({
  table,
  text,
  problem: { row, column, problem },
}: {
  table: Table;
  text: string;
  problem: RowProblem;
}) {
  const id = problemId({ row, column });
  const name = table.columns[column];
  const label = name === undefined ? "" : columnLabels[name];
  const record = row + (table.hasHeader ? 1 : 0);
  return (
    <td class="bad">
      <input
        class="entry"
        id={id}
        name={`cell.${record}.${column}`}
        value={text}
        aria-label={`${label}, row ${row + 1}`}
        aria-invalid="true"
        aria-describedby={`${id}-problem`}
      />
      <p class="problem" id={`${id}-problem`}>
        {label} {problem}
      </p>
    </td>
  );
}
