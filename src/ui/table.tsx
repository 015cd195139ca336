import type { Child } from "hono/jsx";
import { codeCount } from "./values/format.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly head: Child;
  readonly cell: (row: Row) => Child;
  /** The class of its cells. Numbers are right-aligned, below their heading. */
  readonly kind?: string;
  /** The unit shown after a number where the table has no head, on phones. */
  readonly unit?: (row: Row) => string;
  /** The name shown before each value, likewise. */
  readonly name?: string;
  /** Columns are hidden if space is limited: those with 3 first, then those with 2. Others stay. */
  readonly priority?: 2 | 3 | undefined;
  /** How the rows are sorted by it. */
  readonly sorted?: "ascending" | "descending" | undefined;
}

/** How many codes a row's tag, folder or domain has. */
export const codesColumn: Column<{ readonly codes: number }> = {
  head: "Codes",
  kind: "number",
  unit: ({ codes }) => (codes === 1 ? "code" : "codes"),
  cell: ({ codes }) => codeCount(codes),
};

/** A column whose heading is also its `name`. */
type NamedColumn<Row> = readonly [
  head: string,
  cell: Column<Row>["cell"],
  more?: Pick<Column<Row>, "kind" | "priority">,
];

const columnOf = <Row,>(column: Column<Row> | NamedColumn<Row>): Column<Row> =>
  "cell" in column ? column : { head: column[0], name: column[0], cell: column[1], ...column[2] };

interface Props<Row> {
  /** The class of the table. */
  readonly kind?: string;
  /** Whether it may be wider than its place, and scrolls sideways there. */
  readonly isWide?: boolean;
  readonly columns: readonly (Column<Row> | NamedColumn<Row>)[];
  readonly rows: readonly Row[];
  /** A row's last cell, with its actions. */
  readonly actions?: ((row: Row) => Child) | undefined;
}

/**
 * A table that adapts to its width. On phones, each row is an item: its first cell and its actions, then the others.
 */
export function Table<Row>({ isWide = false, ...table }: Props<Row>) {
  if (!isWide) {
    return (
      <div class="fitting">
        <TableItself {...table} />
      </div>
    );
  }
  return (
    <div class="fitting wide">
      <div class="across">
        <TableItself {...table} />
      </div>
    </div>
  );
}

function TableItself<Row>({ kind, columns: given, rows, actions }: Omit<Props<Row>, "isWide">) {
  const columns = given.map(columnOf);
  return (
    <table class={kind === undefined ? "table" : `table ${kind}`}>
      <thead>
        <tr>
          {columns.map(({ head, kind: of, priority, sorted }) => (
            <th
              scope="col"
              class={of === "number" ? "number" : undefined}
              data-column={of}
              data-priority={priority}
              aria-sort={sorted}
            >
              {head}
            </th>
          ))}
          {actions !== undefined && (
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ cell, kind: of, unit, name, priority }) => (
              <td class={of} data-name={name} data-priority={priority}>
                {cell(row)}
                {unit !== undefined && <span class="unit"> {unit(row)}</span>}
              </td>
            ))}
            {actions !== undefined && <td class="end">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
