import { HistoryKind } from "../../contract/resources/history/history.ts";
import { daysIn, DaysForm } from "../../ui/forms/days-form.tsx";
import { Chip } from "../../ui/chip.tsx";
import { type FormState, formSentence, problemOf } from "../../ui/forms/form.ts";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { Menu, MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { historyKinds } from "./kinds.ts";
import { type HistoryFilterName, historyFilters } from "./filters.ts";

/** Somebody or something that can have made changes: the value of the filter, and its text. */
export type Choice = readonly [value: string, text: string];

interface Props {
  /** The page's path. */
  readonly path: string;
  readonly form: FormState;
  readonly actors: readonly Choice[];
  /** As in `calendar.ts`. */
  readonly today: number;
}

/** The history's days and filters on one line. Every selection has an address. */
export function HistoryControls({ path, form, actors, today }: Props) {
  const { values, problems } = form;
  const choices = {
    actor: actors,
    kind: HistoryKind.options.map((kind): Choice => [kind, historyKinds[kind].many]),
  } as const;
  const chips = [...values].filter(([name]) => name !== "from" && name !== "to") as [
    HistoryFilterName,
    string,
  ][];
  return (
    <div class="report-controls scan-controls">
      <Menu icon="calendar" text={daysIn(values)} align="start">
        <MenuLink
          href={addressOf(path, without(values, "from", "to"))}
          current={!values.has("from") && !values.has("to")}
        >
          All days
        </MenuLink>
        <MenuDivider />
        <DaysForm path={path} kept={without(values, "from", "to")} today={today}>
          {(["from", "to"] as const).map((name) => (
            <label for={name}>
              <span>{historyFilters[name]}</span>
              <input type="date" value={values.get(name) ?? ""} {...attributesOf(form, name)} />
            </label>
          ))}
        </DaysForm>
      </Menu>
      {chips.map(([name, value]) => (
        <Chip
          label={historyFilters[name]}
          value={name === "actor" || name === "kind" ? textOf(choices[name], value) : ending(value)}
          removeHref={addressOf(path, without(values, name))}
        />
      ))}
      <Menu icon="plus" text="Filter" button="chip add" align="start">
        <form class="menu-form" method="get" action={path} data-submit-on-change="">
          <HiddenFields values={without(values, "actor", "kind")} />
          {(["actor", "kind"] as const).map((name) => (
            <div>
              <label for={name}>
                <span>{historyFilters[name]}</span>
              </label>
              <select {...attributesOf(form, name)} data-combobox={name === "actor" ? "" : undefined}>
                <option value="">Any</option>
                {choices[name].map(([value, text]) => (
                  <option value={value} selected={value === values.get(name)}>
                    {text}
                  </option>
                ))}
              </select>
            </div>
          ))}
          <button class="button unscripted" type="submit">
            Apply
          </button>
        </form>
      </Menu>
      {Object.entries(problems).map(([name, problem]) => (
        <p class="problem" id={`${name}-problem`} role="alert">
          {formSentence(historyFilters[name as HistoryFilterName] ?? name, problem)}
        </p>
      ))}
    </div>
  );
}

const textOf = (choices: readonly Choice[], value: string): string =>
  choices.find(([choice]) => choice === value)?.[1] ?? ending(value);

/** Returns the last characters of an id, to tell similar ids apart. */
const ending = (id: string): string => `…${id.slice(-6)}`;

export const addressOf = (path: string, values: URLSearchParams): string =>
  values.size === 0 ? path : `${path}?${values}`;

const without = (values: URLSearchParams, ...names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...values].filter(([name]) => !names.includes(name)));

/** Returns the attributes of a control, which refer to its problem. */
function attributesOf(form: FormState, name: HistoryFilterName) {
  const isWrong = problemOf(form, name) !== undefined;
  return {
    class: "entry",
    id: name,
    name,
    "aria-invalid": isWrong ? "true" : undefined,
    "aria-describedby": isWrong ? `${name}-problem` : undefined,
  } as const;
}
