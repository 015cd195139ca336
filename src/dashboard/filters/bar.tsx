import type { PropsWithChildren } from "hono/jsx";
import { Chip } from "../../ui/chip.tsx";
import { type FormState, formSentence, problemOf } from "../../ui/forms/form.ts";
import { Menu, MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { DaysForm, daysIn } from "./days-form.tsx";
import { type Choice, FilterInput, FilterMenu, FilterSelect } from "./menu.tsx";
import { addressOf, dayLabels, type ListFilters, labelOf } from "./query.ts";

interface Props extends Pick<ListFilters<unknown>, "labels"> {
  /** The page's path. */
  readonly path: string;
  readonly form: FormState;
  /** The values that the menu offers, by filter. Filters that only links set are shown, not offered. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  /** The text of a filter's first choice, which is no filter; "Any" by default. */
  readonly none?: Readonly<Record<string, string>>;
  /** The filters with so many choices that they are found by typing. */
  readonly typed?: readonly string[];
  /** As in `calendar.ts`. */
  readonly today: number;
}

/** A list's days and filters on one line. Every selection has an address. @param children further controls */
export function FilterBar({
  path,
  labels,
  form,
  choices,
  none = {},
  typed = [],
  today,
  children,
}: PropsWithChildren<Props>) {
  const { values, problems } = form;
  const others = without(values, Object.keys(dayLabels));
  const problemIdOf = (name: string) => (problemOf(form, name) === undefined ? undefined : `${name}-problem`);
  return (
    <div class="toolbar filter-bar">
      <Menu icon="calendar" text={daysIn(values)} align="start">
        <MenuLink href={addressOf(path, others)} current={others.size === values.size}>
          All days
        </MenuLink>
        <MenuDivider />
        <DaysForm path={path} kept={others} today={today}>
          {Object.entries(dayLabels).map(([name, label]) => (
            <FilterInput
              name={name}
              label={label}
              type="date"
              value={values.get(name) ?? ""}
              problem={problemIdOf(name)}
            />
          ))}
        </DaysForm>
      </Menu>
      {Array.from(others, ([name, value]) => (
        <Chip
          label={labelOf(labels, name)}
          value={choices[name]?.find(([choice]) => choice === value)?.[1] ?? ending(value)}
          removeHref={addressOf(path, without(values, [name]))}
        />
      ))}
      <FilterMenu path={path} kept={without(values, Object.keys(choices))}>
        {Object.entries(choices).map(([name, offered]) => (
          <FilterSelect
            name={name}
            label={labelOf(labels, name)}
            value={values.get(name) ?? ""}
            choices={offered}
            none={none[name]}
            problem={problemIdOf(name)}
            more={typed.includes(name) ? { "data-combobox": "" } : {}}
          />
        ))}
      </FilterMenu>
      {children}
      {Object.entries(problems).map(([name, problem]) => (
        <p class="problem" id={`${name}-problem`} role="alert">
          {formSentence(labelOf(labels, name), problem)}
        </p>
      ))}
    </div>
  );
}

/** Returns an id's last characters, which tell similar ids apart. Returns other values, which are shorter, whole. */
const ending = (value: string): string => (value.length <= 12 ? value : `…${value.slice(-6)}`);

const without = (values: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...values].filter(([name]) => !names.includes(name)));
