import type { Child, PropsWithChildren } from "hono/jsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { Menu } from "../../ui/menu.tsx";

interface MenuProps {
  /** The page's path. */
  readonly path: string;
  /** Parameters of the address that are kept. */
  readonly kept: Iterable<readonly [name: string, value: string]>;
  /** Items above the fields. */
  readonly items?: Child;
}

/** A menu of a list's or report's filters, which its button applies together. */
export const FilterMenu = ({ path, kept, items, children }: PropsWithChildren<MenuProps>) => (
  <Menu icon="plus" text="Filter" button="chip add" align="start">
    {items}
    {children !== undefined && (
      <form class="menu-fields" method="get" action={path}>
        <HiddenFields values={kept} />
        {children}
        <button class="button primary" type="submit">
          Apply
        </button>
      </form>
    )}
  </Menu>
);

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  /** The id of the problem of its value. */
  readonly problem?: string | undefined;
  /** Further attributes of the control. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Returns the attributes of a filter's control. */
const attributesOf = ({ name, problem, more }: FieldProps) =>
  ({
    ...more,
    class: "entry",
    id: idOf(name),
    name,
    "aria-invalid": problem === undefined ? undefined : "true",
    "aria-describedby": problem,
  }) as const;

const idOf = (name: string): string => `filter-${name}`;

const Labelled = ({ name, label, children }: PropsWithChildren<FieldProps>) => (
  <div class="field">
    <label for={idOf(name)}>{label}</label>
    {children}
  </div>
);

/** A filter that is typed, or a day. */
export const FilterInput = (props: FieldProps & { readonly type?: "date"; readonly required?: boolean }) => (
  <Labelled {...props}>
    <input
      type={props.type}
      {...attributesOf(props)}
      value={props.value}
      required={props.required}
      autocomplete="off"
    />
  </Labelled>
);

/** Something to choose: the value of a filter, and its text. */
export type Choice = readonly [value: string, text: string];

interface SelectProps extends FieldProps {
  readonly choices: readonly Choice[];
  /** The first choice, which is no filter; "Any" by default. */
  readonly none?: string | undefined;
}

/** A filter that is chosen. Its value may be written in another case, as in a search. */
export const FilterSelect = ({ choices, none = "Any", ...props }: SelectProps) => (
  <Labelled {...props}>
    <select {...attributesOf(props)}>
      <option value="">{none}</option>
      {choices.map(([value, text]) => (
        <option value={value} selected={value.toLowerCase() === props.value?.toLowerCase()}>
          {text}
        </option>
      ))}
    </select>
  </Labelled>
);
