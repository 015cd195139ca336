import type { Child } from "hono/jsx";
import type { DimensionItems } from "../../../contract/resources/scans/analytics.ts";
import { unknownValue } from "../../../contract/resources/scans/scan-filters.ts";
import { deviceName } from "../../../ui/report/labels.ts";
import { countryName } from "../../../ui/charts/format.ts";
import { Chip } from "../../../ui/chip.tsx";
import { DaysForm, daysIn } from "../../../ui/forms/days-form.tsx";
import { type FormState, formSentence, problemOf } from "../../../ui/forms/form.ts";
import { HiddenFields } from "../../../ui/forms/hidden.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink } from "../../../ui/menu.tsx";
import { type ScanFilterName, scanFilters } from "./filters.ts";

interface Props {
  /** The page's path. */
  readonly path: string;
  readonly form: FormState;
  /** The places and systems that the code was scanned from. */
  readonly known: { readonly country?: DimensionItems | undefined; readonly os?: DimensionItems | undefined };
  /** As in `calendar.ts`. */
  readonly today: number;
}

/** The filters besides the days, with the display text of their values. */
const choices = {
  country: countryName,
  device: deviceName,
  os: (os: string) => os,
} as const satisfies Partial<Record<ScanFilterName, (value: string) => string>>;

const choiceNames = Object.keys(choices) as (keyof typeof choices)[];

const wordFor = (name: keyof typeof choices, value: string): string =>
  value === unknownValue ? "Unknown" : choices[name](value);

/** A scan log's days, filters and download on one line. Every selection has an address. */
export function ScanControls({ path, form, known, today }: Props) {
  const { values, problems } = form;
  const offered = { country: valuesOf(known.country), device: devices, os: valuesOf(known.os) };
  const given = choiceNames.flatMap((name) => {
    const value = values.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return (
    <div class="report-controls scan-controls">
      <Days path={path} form={form} today={today} />
      {given.map(([name, value]) => (
        <Chip
          label={scanFilters[name]}
          value={wordFor(name, value)}
          removeHref={addressOf(path, without(values, [name]))}
        />
      ))}
      <Menu icon="plus" text="Filter" button="chip add" align="start">
        <form class="menu-form" method="get" action={path} data-submit-on-change="">
          <HiddenFields values={without(values, choiceNames)} />
          {choiceNames.map((name) => (
            <Choice form={form} name={name} values={offered[name]} />
          ))}
          <button class="button unscripted" type="submit">
            Apply
          </button>
        </form>
      </Menu>
      <a class="button" href={addressOf(`${path}/log.csv`, values)} download="" hx-boost="false">
        <Icon name="download" />
        Export CSV
      </a>
      {Object.entries(problems).map(([name, problem]) => (
        <p class="problem" id={`${name}-problem`} role="alert">
          {formSentence(scanFilters[name as ScanFilterName] ?? name, problem)}
        </p>
      ))}
    </div>
  );
}

const devices = ["mobile", "tablet", "desktop", "tv"];

const valuesOf = (found: DimensionItems | undefined): string[] =>
  found?.items.flatMap(({ value }) => value ?? []) ?? [];

const addressOf = (path: string, values: URLSearchParams): string =>
  values.size === 0 ? path : `${path}?${values}`;

const without = (values: URLSearchParams, names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...values].filter(([name]) => !names.includes(name)));

interface FilterProps {
  readonly form: FormState;
  readonly name: ScanFilterName;
}

/** Returns the attributes of a control, which refer to its problem. */
function attributesOf({ form, name }: FilterProps) {
  const isWrong = problemOf(form, name) !== undefined;
  return {
    class: "entry",
    id: name,
    name,
    "aria-invalid": isWrong ? "true" : undefined,
    "aria-describedby": isWrong ? `${name}-problem` : undefined,
  } as const;
}

const Filter = ({ name, children }: { readonly name: ScanFilterName; readonly children?: Child }) => (
  <label for={name}>
    <span>{scanFilters[name]}</span>
    {children}
  </label>
);

function Days({ path, form, today }: Omit<Props, "known">) {
  const { values } = form;
  const others = without(values, ["from", "to"]);
  return (
    <Menu icon="calendar" text={daysIn(values)} align="start">
      <MenuLink href={addressOf(path, others)} current={others.size === values.size}>
        All days
      </MenuLink>
      <MenuDivider />
      <DaysForm path={path} kept={others} today={today}>
        {(["from", "to"] as const).map((name) => (
          <Filter name={name}>
            <input type="date" value={values.get(name) ?? ""} {...attributesOf({ form, name })} />
          </Filter>
        ))}
      </DaysForm>
    </Menu>
  );
}

interface ChoiceProps extends FilterProps {
  readonly name: keyof typeof choices;
  readonly values: readonly string[];
}

/** A choice of a value. The address's value is included, even if this code has no such value. */
function Choice({ form, name, values }: ChoiceProps) {
  const chosen = form.values.get(name) ?? "";
  const others = chosen === "" || chosen === unknownValue || values.includes(chosen) ? [] : [chosen];
  return (
    <Filter name={name}>
      <select {...attributesOf({ form, name })}>
        <option value="">Any</option>
        {[...values, ...others, unknownValue].map((value) => (
          <option value={value} selected={value === chosen}>
            {wordFor(name, value)}
          </option>
        ))}
      </select>
    </Filter>
  );
}
