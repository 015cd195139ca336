import { SheetFormat } from "../../contract/resources/images/prints.ts";
import { sheetFormats } from "../../lib/print/sheets.ts";
import { Checkbox, FieldTexts, Select, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { SheetPicture } from "./sheet-picture.tsx";

/** The labels of fields whose values a print can be refused for. */
export const fieldLabels: Readonly<Record<string, string>> = {
  format: "Labels",
  "sheet.page": "Page",
  "sheet.label.width": "Width",
  "sheet.label.height": "Height",
  "sheet.columns": "Columns",
  "sheet.rows": "Rows",
  "sheet.pitch.x": "Across",
  "sheet.pitch.y": "Down",
  "sheet.rotate": "Turn for the printer",
  "sheet.origin.x": "From the left",
  "sheet.origin.y": "From the top",
  start: "First label",
  copies: "Copies per code",
  padding: "Label margin, mm",
  captions: "Text beside each code",
  cutMarks: "Cut marks",
  dpi: "Printer",
  "calibration.offset.x": "Offset right, mm",
  "calibration.offset.y": "Offset down, mm",
  "calibration.pitch.x": "Pitch across, mm",
  "calibration.pitch.y": "Pitch down, mm",
};

const captionLabels = { name: "Name", link: "Short link", tags: "Tags" } as const;

const millimetres = (length: number) => String(Math.round(length * 10) / 10);

const choices = [
  ...SheetFormat.options.map((name) => {
    const { products, sheet } = sheetFormats[name];
    return [name, `${products}: ${sheet.columns * sheet.rows} of ${size(sheet.label)} mm`] as const;
  }),
  ["roll", "Roll, one label per page"],
  ["own", "Custom sheet"],
] as const;

function size({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${millimetres(width)} × ${millimetres(height)}`;
}

const Millimetres = ({ form, name, hint }: { form: FormState; name: string; hint?: string }) => (
  <TextField
    form={form}
    name={name}
    label={fieldLabels[name] ?? name}
    hint={hint}
    inputMode="decimal"
    required={name.startsWith("sheet.label.")}
  />
);

/** The sheet or roll to print on, the measurements of a roll or custom sheet, and the first label to use. */
export function SheetFields({ form }: { form: FormState }) {
  const format = form.values.get("format") ?? "";
  return (
    <>
      {(format === "own" || format === "roll") && (
        <>
          <h3 class="section-title">Label, in mm</h3>
          <div class="pair">
            <Millimetres form={form} name="sheet.label.width" />
            <Millimetres form={form} name="sheet.label.height" />
          </div>
        </>
      )}
      {format === "roll" && (
        <Select
          form={form}
          name="sheet.rotate"
          label={fieldLabels["sheet.rotate"] ?? ""}
          hint="If labels come out sideways or upside down"
          required
          choices={[
            ["0", "Not turned"],
            ["90", "90° clockwise"],
            ["270", "90° anticlockwise"],
            ["180", "Upside down"],
          ]}
        />
      )}
      {format === "own" && (
        <>
          <Select
            form={form}
            name="page"
            label="Page"
            required
            choices={[
              ["a4", "A4"],
              ["letter", "US Letter"],
            ]}
          />
          <div class="pair">
            <TextField form={form} name="sheet.columns" label="Columns" type="number" required />
            <TextField form={form} name="sheet.rows" label="Rows" type="number" required />
          </div>
          <h3 class="section-title">Pitch, from a label's edge to the next one's, in mm</h3>
          <div class="pair">
            <Millimetres form={form} name="sheet.pitch.x" hint="Labels touch if empty" />
            <Millimetres form={form} name="sheet.pitch.y" />
          </div>
          <h3 class="section-title">Upper left corner of the first label, in mm</h3>
          <div class="pair">
            <Millimetres form={form} name="sheet.origin.x" hint="Centred on the page if empty" />
            <Millimetres form={form} name="sheet.origin.y" />
          </div>
        </>
      )}
      {format !== "roll" && <SheetPicture form={form} format={format} />}
    </>
  );
}

/** The options of a print. */
export function PrintFields({ form }: { form: FormState }) {
  return (
    <>
      <div hx-get="/dashboard/print/sheet" hx-trigger="change" hx-target="#sheet" hx-include="closest form">
        <Select form={form} name="format" label="Labels" required choices={choices} />
      </div>
      <div id="sheet">
        <SheetFields form={form} />
      </div>
      <div class="pair">
        <TextField form={form} name="copies" label={fieldLabels.copies ?? ""} type="number" required />
        <PrinterSelect form={form} />
      </div>
      <fieldset class="field">
        <legend>Text beside each code</legend>
        {(["name", "link", "tags"] as const).map((value) => (
          <label class="option">
            <input
              type="checkbox"
              name="captions"
              value={value}
              checked={form.values.getAll("captions").includes(value)}
            />
            <span>{captionLabels[value]}</span>
          </label>
        ))}
        <FieldTexts form={form} name="captions" label={fieldLabels.captions ?? ""} />
      </fieldset>
      <Checkbox form={form} name="cutMarks" label="Cut marks" />
      <Checkbox form={form} name="ink" label="Black ink only, for print shops (K100)" />
      <details class="more">
        <summary>
          Correct a misaligned printer <span class="quiet">Offset, pitch, margin</span>
        </summary>
        <div>
          <p class="small quiet">
            Print on plain paper and hold it against the labels. The offset moves all labels; the pitch is
            added to the distance between them.
          </p>
          <div class="pair">
            <Correction form={form} name="calibration.offset.x" />
            <Correction form={form} name="calibration.offset.y" />
            <Correction form={form} name="calibration.pitch.x" />
            <Correction form={form} name="calibration.pitch.y" />
            <Correction form={form} name="padding" />
          </div>
        </div>
      </details>
    </>
  );
}

const Correction = ({ form, name }: { form: FormState; name: string }) => (
  <TextField form={form} name={name} label={fieldLabels[name] ?? name} inputMode="decimal" />
);

/** The resolution of the printer. */
export const PrinterSelect = ({ form }: { form: FormState }) => (
  <Select
    form={form}
    name="dpi"
    label="Printer"
    required
    choices={[
      ["300", "300 dpi"],
      ["600", "600 dpi, laser printers"],
      ["203", "203 dpi, label printers"],
    ]}
  />
);
