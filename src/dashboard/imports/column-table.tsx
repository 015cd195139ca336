import { limits } from "../../contract/limits.ts";
import { type CodeColumn, enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import { Checkbox } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatNumber } from "../../ui/values/format.ts";
import { columnLabels } from "./columns.ts";
import { columnName, guessedColumns, rowsOf, type Table } from "./table.ts";

/** How many sample cells of a column are shown, and how many characters of each. */
const [sampleRows, sampleLength] = [3, 40] as const;

const entered = new Map(enteredFields.map((each) => [each.column as CodeColumn, each]));

interface Props {
  readonly table: Table;
  readonly form: FormState;
  /** Which part of the columns is shown, from 0. */
  readonly part: number;
}

/** The columns of a person's table, with sample cells and the field that each becomes. */
export function ColumnTable({ table, form, part }: Props) {
  const { columns } = table;
  const guessed = guessedColumns(table);
  const size = limits.shownTable.columns;
  const from = part * size;
  const isShown = (_: unknown, i: number) => i >= from && i < from + size;
  const used = columns.filter((column) => column !== undefined).length;
  return (
    <section id="columns" aria-labelledby="columns-title">
      <div class="section-head">
        <h2 class="section-title" id="columns-title">
          Columns
        </h2>
        <p class="small quiet">
          {formatNumber(used)} of {formatNumber(columns.length)} {used === 1 ? "is" : "are"} used
        </p>
      </div>
      {columns.map((column, i) =>
        isShown(column, i) ? null : <input type="hidden" name={`column.${i}`} value={column ?? ""} />,
      )}
      <table class="table import-columns">
        <thead class="hidden-on-phones">
          <tr>
            <th scope="col">In your file</th>
            <th scope="col">First rows</th>
            <td class="arrow" aria-hidden="true" />
            <th scope="col">Becomes</th>
            <th scope="col">
              <span class="visually-hidden">How the column was chosen</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, i) =>
            isShown(column, i) ? (
              <Row
                table={table}
                index={i}
                isGuessed={column === guessed[i]}
                problem={form.problems[`column.${i}`]}
              />
            ) : null,
          )}
        </tbody>
      </table>
      <OtherParts count={columns.length} part={part} />
      <div class="section-foot">
        <Checkbox form={form} name="header" label="The first row contains the column names" />
        <button class="button" type="submit" formaction="/dashboard/codes/import#columns" data-check="">
          Check again
        </button>
      </div>
    </section>
  );
}

interface RowProps {
  readonly table: Table;
  readonly index: number;
  /** Whether the column is the guessed one. */
  readonly isGuessed: boolean;
  readonly problem: string | undefined;
}

function Row({ table, index, isGuessed, problem }: RowProps) {
  const id = `column.${index}`;
  const column = table.columns[index];
  const { icon, isAddress = false } = (column && entered.get(column)) ?? {};
  const name = columnName(table, index) ?? `Column ${index + 1}`;
  return (
    <tr class={column === undefined ? "left-out" : undefined}>
      <th scope="row">
        <label for={id}>{name}</label>
      </th>
      <td class={isAddress ? "samples address" : "samples"}>{samplesOf(table, index).join(" · ")}</td>
      <td class="arrow">{column !== undefined && <Icon name="arrow-right" />}</td>
      <td class="becomes">
        <span class="column-choice">
          {icon !== undefined && <Icon name={icon} />}
          <select
            class="entry"
            id={id}
            name={id}
            data-recheck=""
            aria-invalid={problem === undefined ? undefined : "true"}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          >
            <option value="">Leave out</option>
            {Object.entries(columnLabels).map(([value, label]) => (
              <option value={value} selected={value === column}>
                {label}
              </option>
            ))}
          </select>
        </span>
        {problem !== undefined && (
          <p class="problem" id={`${id}-problem`}>
            {problem}
          </p>
        )}
      </td>
      <td class="small quiet how">{column === undefined ? "" : isGuessed ? "Detected" : "Your choice"}</td>
    </tr>
  );
}

/** Returns the first non-empty cells of a column. After the first, addresses are shown without their host. */
function samplesOf(table: Table, index: number): string[] {
  const texts = rowsOf(table)
    .slice(0, sampleRows)
    .map((cells) => (cells[index] ?? "").trim())
    .filter((text) => text !== "");
  const [host = ""] = /^https?:\/\/[^/]+(?=\/)/.exec(texts[0] ?? "") ?? [];
  return texts
    .map((text, i) => (i > 0 && host !== "" && text.startsWith(host) ? `…${text.slice(host.length)}` : text))
    .map((text) => (text.length > sampleLength ? `${text.slice(0, sampleLength)}…` : text));
}

/** Buttons that show the other columns of a wide table. */
function OtherParts({ count, part }: { count: number; part: number }) {
  const size = limits.shownTable.columns;
  if (count <= size) return null;
  return (
    <p class="buttons">
      <input type="hidden" name="part" value={part} />
      {Array.from({ length: Math.ceil(count / size) }, (_, i) => (
        <button
          class="button"
          type="submit"
          name="part"
          value={i}
          disabled={i === part}
          formaction="/dashboard/codes/import#columns"
        >
          Columns {i * size + 1} to {Math.min(count, (i + 1) * size)}
        </button>
      ))}
    </p>
  );
}
