import type { Child } from "hono/jsx";
import type { DimensionItems } from "../../../contract/resources/analytics.ts";
import { unknownValue } from "../../../contract/resources/scan-filters.ts";
import { deviceName } from "../../analytics/labels.ts";
import { countryName } from "../../charts/format.ts";
import { fieldSentence, type FormState, problemOf } from "../../components/forms/form.ts";
import { scanFilters } from "./filters.ts";

type Name = keyof typeof scanFilters;

interface Props {
  /** The page's path. */
  readonly path: string;
  readonly form: FormState;
  /** The places and systems that the code was scanned from. */
  readonly known: { readonly country?: DimensionItems | undefined; readonly os?: DimensionItems | undefined };
}

/** The filters of a list of scans: one form, so that every selection is an address. */
export function ScanFilterForm({ path, form, known }: Props) {
  return (
    <form class="scan-filters" method="get" action={path} data-submit-on-change="">
      <DateFilter form={form} name="from" />
      <DateFilter form={form} name="to" />
      <Choice form={form} name="country" values={valuesOf(known.country)} textOf={countryName} />
      <Choice form={form} name="device" values={["mobile", "tablet", "desktop", "tv"]} textOf={deviceName} />
      <Choice form={form} name="os" values={valuesOf(known.os)} textOf={(os) => os} />
      <button class="button unscripted" type="submit">
        Apply
      </button>
      {form.values.size > 0 && (
        <p class="small">
          <a href={path}>Show all scans</a>
        </p>
      )}
    </form>
  );
}

const valuesOf = (found: DimensionItems | undefined): string[] =>
  found?.items.flatMap(({ value }) => value ?? []) ?? [];

interface FilterProps {
  readonly form: FormState;
  readonly name: Name;
}

/** The attributes of a control, which name its problem. */
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

function Filter({ form, name, children }: FilterProps & { readonly children?: Child }) {
  const problem = problemOf(form, name);
  return (
    <label for={name}>
      <span>{scanFilters[name]}</span>
      {problem !== undefined && (
        <strong class="problem small" id={`${name}-problem`}>
          {fieldSentence(scanFilters[name], problem)}
        </strong>
      )}
      {children}
    </label>
  );
}

const DateFilter = (props: FilterProps) => (
  <Filter {...props}>
    <input type="date" value={props.form.values.get(props.name) ?? ""} {...attributesOf(props)} />
  </Filter>
);

interface ChoiceProps extends FilterProps {
  readonly values: readonly string[];
  readonly textOf: (value: string) => string;
}

/** One of the values; the one in the address is among them, also if it is no value of this code. */
function Choice({ form, name, values, textOf }: ChoiceProps) {
  const chosen = form.values.get(name) ?? "";
  const others = chosen === "" || chosen === unknownValue || values.includes(chosen) ? [] : [chosen];
  return (
    <Filter form={form} name={name}>
      <select {...attributesOf({ form, name })}>
        <option value="">All</option>
        {[...values, ...others].map((value) => (
          <option value={value} selected={value === chosen}>
            {textOf(value)}
          </option>
        ))}
        <option value={unknownValue} selected={chosen === unknownValue}>
          Unknown
        </option>
      </select>
    </Filter>
  );
}
