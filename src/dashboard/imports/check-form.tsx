import { WordsField } from "../components/forms/combobox.tsx";
import { Checkbox, Select } from "../components/forms/field.tsx";
import { FormKey } from "../components/forms/buttons.tsx";
import type { FormState } from "../components/forms/form.ts";
import { formatCount, formatNumber } from "../components/values/format.ts";
import { Notice } from "../components/notice.tsx";
import { Problems } from "../components/forms/problems.tsx";
import type { FormChoices } from "../codes/form/choices.ts";
import { findLabels, folderSource, tagSuggestions } from "../choices/sources.ts";
import { SearchedSelect } from "../choices/searched-select.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import type { Checked } from "./check.ts";
import { columnLabels } from "./columns.ts";
import { CheckedTable } from "./checked-table.tsx";
import { RowProblems } from "./row-problems.tsx";
import { type Table, textOfTable } from "./table.ts";
import { PlanBounds, remainingCodes } from "./upload-form.tsx";

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly table: Table;
  readonly checked: Checked;
  readonly choices: FormChoices;
}

/** The table with what is wrong in it, the choices for all of its rows, and the start. */
export function CheckForm({ request, form, table, checked, choices }: Props) {
  const good = checked.failures.filter((failure) => failure === null).length;
  const bad = checked.failures.length - good;
  const values = new URLSearchParams(form.values);
  values.delete("header");
  if (table.hasHeader) values.set("header", "on");
  const shown: FormState = { ...form, values };
  return (
    <form method="post" action="/dashboard/codes/import" enctype="multipart/form-data" novalidate>
      <Problems form={form} labels={labelsOf(table)} />
      <RowProblems table={table} failures={checked.failures} />
      <input type="hidden" name="step" value="check" />
      <FormKey value={form.values.get("key")} />
      <textarea name="text" hidden>
        {`\n${textOfTable(table)}`}
      </textarea>
      <CheckedTable table={table} checked={checked} problems={form.problems} />
      <Checkbox form={shown} name="header" label="The first row has the names of the columns" />
      <fieldset class="card part">
        <legend>For all rows</legend>
        <div class="pair">
          {choices.templates.length > 0 && (
            <Select
              form={shown}
              name="templateId"
              label="Template"
              hint="Its colours, shape and logo"
              choices={[["", "None"], ...choices.templates]}
            />
          )}
          {choices.folders.items.length > 0 && (
            <SearchedSelect
              source={folderSource}
              form={shown}
              label="Folder"
              hint="For rows that name none"
              others={[["", "None"]]}
              choices={choices.folders}
            />
          )}
          <WordsField
            form={shown}
            name="tags"
            label="Tags"
            hint="Added to those of a row. Separate them with commas."
            source={tagSuggestions}
          />
        </div>
      </fieldset>
      <PlanBounds request={request} />
      <Bounds request={request} good={good} bad={bad} />
      <div class="buttons">
        <button class={good === 0 ? "button primary" : "button"} type="submit">
          Check again
        </button>
        {good > 0 && (
          <button class="button primary" type="submit" name="step" value="start">
            Create {formatCount(good, "code")}
          </button>
        )}
        <a class="button" href="/dashboard/codes/import">
          Start over
        </a>
      </div>
    </form>
  );
}

/** Explains what is done with rows that can't be created. */
function Bounds({ request, good, bad }: { request: DashboardRequest; good: number; bad: number }) {
  const { live, today } = remainingCodes(request);
  return (
    <>
      {bad > 0 && good > 0 && (
        <p class="hint">
          {formatCount(bad, "row has a problem", "rows have problems")}. If you start without correcting{" "}
          {bad === 1 ? "it, it is" : "them, they are"} listed as failed, and you can try again later.
        </p>
      )}
      {good > today && (
        <Notice kind="warn">
          <p>
            {today === live
              ? `Only ${formatNumber(today)} of these codes can be created: then the plan has no more. The other rows fail, and can be tried again.`
              : `Only ${formatNumber(today)} of these codes can be created today. The other rows fail, and can be tried again after midnight UTC.`}
          </p>
        </Notice>
      )}
    </>
  );
}

const labelsOf = ({ columns }: Table): Record<string, string> => ({
  tags: "Tags",
  ...findLabels,
  ...Object.fromEntries(
    columns.map((column, i) => [
      `column.${i}`,
      `Column ${i + 1}${column === undefined ? "" : `, ${columnLabels[column]},`}`,
    ]),
  ),
});
