import { sheetFormats } from "../../lib/print/sheets.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { type FormState, problemOf } from "../../ui/forms/form.ts";

/** The most columns and rows at which a finger still hits each label. */
const mostColumns = 6;
const mostLabels = 130;

interface Props {
  readonly form: FormState;
  /** The name of a sheet, or `own`. */
  readonly format: string;
}

/** A picture of the sheet for choosing the first label; for very large sheets, a field for the label's number. */
export function SheetPicture({ form, format }: Props) {
  const { columns, rows } = gridOf(form, format);
  if (columns > mostColumns || columns * rows > mostLabels) {
    return (
      <TextField
        form={form}
        name="start"
        label="First label"
        type="number"
        hint="Counted row by row; 1 if empty"
      />
    );
  }
  const start = Number(form.values.get("start") ?? 1);
  const chosen = start <= columns * rows ? start : 1;
  const problem = problemOf(form, "start");
  return (
    <fieldset class="field" id="start">
      <legend>First label</legend>
      <p class={problem === undefined ? "hint" : "problem"}>
        {problem === undefined ? "For a sheet that you have used before." : `First label ${problem}`}
      </p>
      <table class="label-sheet">
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr>
              {Array.from({ length: columns }, (_, column) => {
                const number = row * columns + column + 1;
                return (
                  <td>
                    <label>
                      <input
                        class="covered"
                        type="radio"
                        name="start"
                        value={number}
                        checked={number === chosen}
                      />
                      <span class="visually-hidden">
                        Row {row + 1}, column {column + 1}
                      </span>
                      <span aria-hidden="true">{number}</span>
                    </label>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  );
}

function gridOf({ values }: FormState, format: string): { columns: number; rows: number } {
  const known = Object.entries(sheetFormats).find(([name]) => name === format)?.[1].sheet;
  if (known !== undefined) return known;
  const count = (name: string) => {
    const number = Math.trunc(Number(values.get(name) || 1));
    return number >= 1 && number <= 100 ? number : 1;
  };
  return { columns: count("sheet.columns"), rows: count("sheet.rows") };
}
