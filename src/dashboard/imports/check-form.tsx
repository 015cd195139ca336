import type { Child } from "hono/jsx";
import { warningOf } from "../../lib/text/spreadsheets.ts";
import { FormKey } from "../../ui/forms/buttons.tsx";
import { WordsField } from "../../ui/forms/combobox.tsx";
import { Select } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { SearchedSelect } from "../choices/searched-select.tsx";
import { findLabels, folderSource, tagSuggestions } from "../choices/sources.ts";
import type { FormChoices } from "../codes/form/choices.ts";
import type { DashboardRequest } from "../frame/request.ts";
import type { Checked, CheckedChanges } from "./check.ts";
import { ColumnTable } from "./column-table.tsx";
import { columnLabels } from "./columns.ts";
import { ModeChoice } from "./mode-choice.tsx";
import { ProblemPanel } from "./problem-panel.tsx";
import type { ProblemGroup } from "./problems.ts";
import { chooseRows, RowTable } from "./row-table.tsx";
import { rowsOf, type Table, textOfTable } from "./table.ts";
import { PlanBounds, remainingCodes } from "./upload-form.tsx";

interface Props {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly table: Table;
  readonly checked: Checked;
  readonly groups: readonly ProblemGroup[];
  readonly choices: FormChoices;
}

/** The table with its problems, the settings for all rows, and the start button. */
export function CheckForm({ request, form, table, checked, groups, choices }: Props) {
  const { failures, changes } = checked;
  const bad = failures.filter((failure) => failure !== null).length;
  const values = new URLSearchParams(form.values);
  values.delete("header");
  if (table.hasHeader) values.set("header", "on");
  const shown: FormState = { ...form, values };
  const group = groups.find(({ id }) => id === form.values.getAll("show").at(-1));
  const rows = chooseRows(table, failures, groups, group);
  return (
    <PostForm
      class="import"
      action="/dashboard/codes/import"
      enctype="multipart/form-data"
      novalidate
      hx-boost="false"
      data-draft="ask"
    >
      {/* Enter presses a form's first button. */}
      <button type="submit" hidden />
      <input type="hidden" name="step" value="check" />
      <FormKey value={form.values.get("key")} />
      <textarea name="text" hidden>
        {`\n${textOfTable(table)}`}
      </textarea>
      <FileFacts table={table} />
      <Notes table={table} />
      {checked.mode === "create" && <ShortNames table={table} />}
      <Problems form={form} labels={labelsOf(table)} />
      <ModeChoice checked={checked} />
      {failures.length > 0 && (
        <ProblemPanel count={failures.length} bad={bad} groups={groups} shown={group?.id} rows={rows} />
      )}
      {group !== undefined && <input type="hidden" name="show" value={group.id} />}
      {changes !== undefined && <Effects changes={changes} form={shown} />}
      <ColumnTable table={table} form={shown} part={Number(form.values.getAll("part").at(-1)) || 0} />
      {changes === undefined && (
        <section aria-labelledby="all-title">
          <h2 class="section-title" id="all-title">
            For every code
          </h2>
          <div class="pair">
            {choices.folders.items.length > 0 && (
              <SearchedSelect
                source={folderSource}
                form={shown}
                label="Folder"
                hint="For rows without a folder"
                others={[["", "None"]]}
                choices={choices.folders}
              />
            )}
            <WordsField
              form={shown}
              name="tags"
              label="Tags"
              hint="Added to each row's own tags"
              source={tagSuggestions}
            />
            {choices.templates.length > 0 && (
              <Select
                form={shown}
                name="templateId"
                label="Template"
                hint="Its colours, shape and logo"
                choices={[["", "None"], ...choices.templates]}
              />
            )}
          </div>
        </section>
      )}
      {failures.length > 0 && (
        <RowTable table={table} failures={failures} rows={rows} group={group} effects={changes?.effects} />
      )}
      {changes === undefined ? (
        <Footer request={request} form={shown} good={failures.length - bad} bad={bad} choices={choices} />
      ) : (
        <Buttons
          text={
            <>
              <strong>{formatCount(changing(changes), "code")}</strong> will be changed, at once everywhere.
            </>
          }
          action="Change"
          good={changing(changes)}
          bad={bad}
        />
      )}
    </PostForm>
  );
}

/** How many codes rows would change. */
const changing = ({ effects }: CheckedChanges): number =>
  effects.filter((effect) => "isChanged" in effect && effect.isChanged).length;

/** The number of codes that change and stay, and the values that they lose. */
function Effects({ changes, form }: { changes: CheckedChanges; form: FormState }) {
  const { effects, cleared } = changes;
  const same = effects.filter((effect) => "isChanged" in effect && !effect.isChanged).length;
  const isOutdated = effects.some((effect) => "error" in effect && effect.isOutdated === true);
  return (
    <section class="card" aria-labelledby="effects-title">
      <h2 class="section-title" id="effects-title">
        {formatCount(changing(changes), "code changes", "codes change")}
        {same > 0 && `, ${formatCount(same, "stays as it is", "stay as they are")}`}
      </h2>
      {cleared.length > 0 && (
        <ul>
          {cleared.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
      )}
      {(isOutdated || form.values.get("force") === "on") && (
        <label class="option explained">
          <input
            type="checkbox"
            name="force"
            value="on"
            checked={form.values.get("force") === "on"}
            data-recheck=""
          />
          <span>
            Also change codes that have changed since the file was exported
            <span class="small quiet">Your rows replace what others did meanwhile.</span>
          </span>
        </label>
      )}
    </section>
  );
}

/** The file and its size. */
function FileFacts({ table }: { table: Table }) {
  const { fileName, columns } = table;
  const size = `${formatCount(rowsOf(table).length, "row")}, ${formatCount(columns.length, "column")}`;
  return (
    <p class="file-facts">
      <Icon name="file-text" />
      <span>
        {fileName ?? "Pasted table"} · {size}
      </span>
      {fileName !== undefined && <input type="hidden" name="fileName" value={fileName} />}
      <a href="/dashboard/codes/import">{fileName === undefined ? "Start over" : "Use another file"}</a>
    </p>
  );
}

/** How the table's text was read, where that isn't plain. */
const Notes = ({ table: { notes = [] } }: { table: Table }) => (
  <>
    {notes.map((note) => (
      <Notice kind="info">
        <p>{note}</p>
        <input type="hidden" name="note" value={note} />
      </Notice>
    ))}
  </>
);

/** Chosen short names that a spreadsheet would change. */
function ShortNames({ table }: { table: Table }) {
  const column = table.columns.indexOf("hash");
  const warning = warningOf(rowsOf(table).flatMap((cells) => cells[column] ?? []));
  return warning === undefined ? null : (
    <Notice kind="warn">
      <p>{warning}</p>
    </Notice>
  );
}

interface FooterProps {
  readonly request: DashboardRequest;
  readonly form: FormState;
  readonly good: number;
  readonly bad: number;
  readonly choices: FormChoices;
}

/** Says what starting will do, and starts. Always in view. */
function Footer({ request, form, good, bad, choices }: FooterProps) {
  const { live, today } = remainingCodes(request);
  const folderId = form.values.get("folderId") ?? "";
  const folder = choices.folders.items.find(({ id }) => id === folderId);
  return (
    <>
      {good > today && (
        <Notice kind="warn">
          <p>
            {today === live
              ? `Only ${formatNumber(today)} of these codes can be created before you reach your plan's limit. The other rows fail and can be tried again.`
              : `Only ${formatNumber(today)} of these codes can be created today. The other rows fail and can be tried again after midnight UTC.`}
          </p>
        </Notice>
      )}
      <PlanBounds request={request} />
      <Buttons
        text={
          <>
            <strong>{formatCount(good, "code")}</strong> will be created
            {folder === undefined ? "" : ` in folder ${folder.name}`}.
          </>
        }
        action="Create"
        good={good}
        bad={bad}
      />
    </>
  );
}

interface ButtonsProps {
  readonly text: Child;
  /** The verb of the button. */
  readonly action: string;
  readonly good: number;
  readonly bad: number;
}

/** Says what starting will do, and starts. */
const Buttons = ({ text, action, good, bad }: ButtonsProps) => (
  <div class="import-footer">
    <p>
      {text}
      {bad > 0 && ` ${formatCount(bad, "row is", "rows are")} left out; you can download them.`}
    </p>
    <div class="buttons">
      <button class="button plain" type="submit" name="step" value="back">
        Back
      </button>
      {bad > 0 && (
        <button class="button" type="submit" name="step" value="download" data-download="">
          <Icon name="download" />
          Download {formatCount(bad, "row")}
        </button>
      )}
      {good > 0 && (
        <button class="button primary" type="submit" name="step" value="start">
          {action} {formatCount(good, "code")}
        </button>
      )}
    </div>
  </div>
);

const labelsOf = ({ columns }: Table): Record<string, string> => ({
  tags: "Tags",
  ...findLabels,
  ...Object.fromEntries(
    columns.map((column, i) => [`column.${i}`, column === undefined ? "" : `${columnLabels[column]}`]),
  ),
});
