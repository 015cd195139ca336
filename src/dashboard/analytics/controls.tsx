import type { Choices, Item } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { type Range, type ReportView, ranges, viewAddress } from "./view.ts";

interface Props {
  /** The page's path. */
  readonly path: string;
  readonly view: ReportView;
  /** The days of the report, which the fields for dates begin with. */
  readonly from: string;
  readonly to: string;
  /** The folders to choose from; undefined for a report on one code. */
  readonly folders?: Choices<Item> | undefined;
  /** The problem of the request. */
  readonly problem?: string | undefined;
}

/** Ranges as links, everything else as one form. Both lead to an address that shows the same again. */
export function Controls({ path, view, from, to, folders, problem }: Props) {
  const custom = view.range === "custom";
  return (
    <div class="report-controls">
      <ul class="tabs" aria-label="Range">
        {(Object.keys(ranges) as Range[]).map((range) => (
          <li>
            <a
              href={viewAddress(path, { ...view, range, from, to })}
              aria-current={range === view.range ? "true" : undefined}
            >
              {ranges[range]}
            </a>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form class="report-form" method="get" action={path}>
        <input type="hidden" name="range" value={view.range} />
        {custom && <DateField name="from" label="First day" value={view.from || from} />}
        {custom && <DateField name="to" label="Last day" value={view.to || to} />}
        <Choice
          name="compare"
          label="Compare with"
          value={view.compare ?? "none"}
          options={[
            ["previous", "The days before"],
            ["year", "A year earlier"],
            ["none", "Nothing"],
          ]}
        />
        <Choice
          name="bots"
          label="Bots"
          value={view.bots ? "show" : "hide"}
          options={[
            ["show", "Shown"],
            ["hide", "Hidden"],
          ]}
        />
        {folders !== undefined && (
          <>
            <label>
              <span>Tag</span>
              <input class="entry" name="tag" value={view.tag} autocomplete="off" />
            </label>
            <Choice
              name="folder"
              label="Folder"
              value={view.folderId}
              options={[["", "All"], ...folders.items.map(({ id, name }) => [id, name] as const)]}
            />
            {folders.hasMore && (
              <label>
                <span>{folderSource.findLabel}</span>
                <input class="entry" name={folderSource.findField} autocomplete="off" />
              </label>
            )}
          </>
        )}
        <button class="button" type="submit">
          Apply
        </button>
      </form>
    </div>
  );
}

function DateField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <label>
      <span>{label}</span>
      <input class="entry" type="date" name={name} value={value} required />
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

function Choice({ name, label, value, options }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select class="entry" name={name}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
