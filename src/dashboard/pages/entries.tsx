import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import { Checkbox, TextArea, TextField } from "../components/forms/field.tsx";
import { type FormState, problemOf } from "../components/forms/form.ts";
import { type Entry, listNames, type ListName } from "./form-values.ts";

/** The names of the entries by their types. */
const entryNames: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  blocks: { text: "Text", link: "Link", image: "Image" },
  fields: { text: "Text", email: "E-mail", phone: "Phone", choice: "Choice", checkbox: "Checkbox" },
};

/** The buttons that add an entry, by what they add. */
const additions: Readonly<Record<ListName, readonly (readonly [what: string, name: string])[]>> = {
  blocks: [
    ["text", "Text"],
    ["link", "Link"],
    ["image", "Image"],
  ],
  fields: [
    ["text", "Line of text"],
    ["lines", "Longer text"],
    ["email", "E-mail"],
    ["phone", "Phone"],
    ["choice", "Choice"],
    ["checkbox", "Checkbox"],
  ],
};

interface ListProps {
  readonly form: FormState;
  readonly list: ListName;
  readonly entries: readonly Entry[];
  /** The address of the page, which answers what the buttons do. */
  readonly path: string;
}

/** Blocks or form fields, with buttons to add, move and remove them. Nothing is stored by them. */
export function EntryList({ form, list, entries, path }: ListProps) {
  const problem = form.problems[listNames[list]];
  return (
    <>
      {problem !== undefined && (
        <p class="problem" id={listNames[list]}>
          The list {problem}
        </p>
      )}
      <ol class="plain entries" data-entries="">
        {entries.map((entry, i) => (
          <li data-entry="">
            <EntryHead form={form} list={list} entry={entry} at={i} path={path} />
            {list === "blocks" ? (
              <BlockFields form={form} entry={entry} name={`blocks.${i}`} />
            ) : (
              <FieldFields form={form} entry={entry} name={`form.fields.${i}`} />
            )}
          </li>
        ))}
      </ol>
      <div class="buttons additions">
        <span class="quiet">Add:</span>
        {additions[list].map(([what, name], i) => (
          <ActionButton
            action={`${list}.add.${what}`}
            id={i === 0 ? `${list}.add` : undefined}
            path={path}
            form={form}
          >
            <span aria-hidden="true">+ </span>
            <span class="visually-hidden">Add: </span>
            {name}
          </ActionButton>
        ))}
      </div>
    </>
  );
}

interface HeadProps extends Pick<ListProps, "form" | "list" | "path"> {
  readonly entry: Entry;
  readonly at: number;
}

function EntryHead({ form, list, entry, at, path }: HeadProps) {
  const name = entryNames[list][entry.type ?? ""] ?? "Unknown";
  const number = <span data-number="">{at + 1}</span>;
  const button = (verb: "up" | "down" | "remove", sign: string, before: string, after: string) => (
    <ActionButton
      action={`${list}.${verb}.${at}`}
      id={`${listNames[list]}.${at}.${verb}`}
      path={path}
      form={form}
      move={verb}
    >
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">
        {before} {name} {number}
        {after}
      </span>
    </ActionButton>
  );
  return (
    <div class="entry-head">
      <span class="handle" data-handle="" aria-hidden="true">
        ⠿
      </span>
      <h3 data-name={name}>
        {number}. {name}
      </h3>
      <input type="hidden" name={`${listNames[list]}.${at}.type`} value={entry.type ?? ""} />
      {button("up", "↑", "Move", " up")}
      {button("down", "↓", "Move", " down")}
      {button("remove", "✕", "Remove", "")}
    </div>
  );
}

interface ButtonProps {
  /** What the button does. */
  readonly action: string;
  readonly id?: string | undefined;
  readonly path: string;
  readonly form: FormState;
  readonly move?: string;
  readonly children?: Child;
}

/** A button that answers the form with a change of its lists. With scripts, only the form's content is replaced. */
function ActionButton({ action, id, path, form, move, children }: ButtonProps) {
  return (
    <button
      class="button"
      type="submit"
      name="do"
      value={action}
      id={id}
      autofocus={id !== undefined && form.focus === id}
      data-move={move === "up" || move === "down" ? move : undefined}
      hx-post={path}
    >
      {children}
    </button>
  );
}

interface FieldsProps {
  readonly form: FormState;
  readonly entry: Entry;
  /** Of the entry in the form. */
  readonly name: string;
}

const size = limits.page;

/** The labels of an entry's fields, by name. */
const entryLabels: Readonly<Record<ListName, Readonly<Record<string, string>>>> = {
  blocks: { text: "Text", label: "Label", url: "Address", alt: "Alternative text" },
  fields: { label: "Label", name: "Field name", options: "Options" },
};

/** The labels of the fields of all entries, by name, for the list of problems. */
export const labelsOfEntries = (list: ListName, entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(({ type = "" }, i) =>
      Object.entries(entryLabels[list]).map(([field, label]) => [
        `${listNames[list]}.${i}.${field}`,
        `${i + 1}. ${entryNames[list][type] ?? "Unknown"}: ${label}`,
      ]),
    ),
  );

function BlockFields({ form, entry, name }: FieldsProps) {
  switch (entry.type) {
    case "text":
      return (
        <TextArea
          form={form}
          name={`${name}.text`}
          label="Text"
          hint="An empty line begins a new paragraph."
          required
        />
      );
    case "link":
      return (
        <div class="pair">
          <TextField form={form} name={`${name}.label`} label="Label" required maxLength={size.label} />
          <TextField
            form={form}
            name={`${name}.url`}
            label="Address"
            inputMode="url"
            placeholder="example.com/programme"
            required
          />
        </div>
      );
    case "image":
      return (
        <div class="pair">
          <TextField
            form={form}
            name={`${name}.url`}
            label="Address"
            inputMode="url"
            placeholder="https://example.com/fair.jpg"
            required
          />
          <TextField form={form} name={`${name}.alt`} label="Alternative text" />
        </div>
      );
    default:
      return <p class="problem">{problemOf(form, name) ?? "This block has no known type. Remove it."}</p>;
  }
}

function FieldFields({ form, entry, name }: FieldsProps) {
  return (
    <>
      <div class="pair">
        <TextField form={form} name={`${name}.label`} label="Label" required maxLength={size.label} />
        <TextField form={form} name={`${name}.name`} label="Field name" placeholder="from the label" />
      </div>
      {entry.type === "choice" && (
        <TextArea form={form} name={`${name}.options`} label="Options" hint="One on each line." required />
      )}
      <div class="buttons">
        <Checkbox form={form} name={`${name}.required`} label="Required" />
        {entry.type === "text" && <Checkbox form={form} name={`${name}.multiline`} label="Several lines" />}
      </div>
    </>
  );
}
