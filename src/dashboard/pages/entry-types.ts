import { limits } from "../../contract/limits.ts";
import type { Block, FormField } from "../../contract/resources/pages.ts";
import { imageInWords } from "../../domain/pages/stored-images.ts";
import { linesOf } from "../../lib/text/words.ts";
import type { IconName } from "../../ui/icon.tsx";

/** The lists of a page's form, with the prefix of their entries' fields. */
export const listNames = { blocks: "blocks", fields: "form.fields" } as const;
export type ListName = keyof typeof listNames;

/** An entry of a list in the form: its fields by name. */
export type Entry = Readonly<Record<string, string>>;

/**
 * A field of an entry: a line, a web address, the address of an image, text of several lines, a list with one item per
 * line, or a checkbox.
 */
interface EntryField {
  readonly input: "line" | "address" | "image" | "text" | "list" | "tick";
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  readonly required?: true;
  readonly maxLength?: number;
}

interface EntryType {
  readonly name: string;
  readonly icon: IconName;
  /** By name, in the order of the form. */
  readonly fields: Readonly<Record<string, EntryField>>;
  /**
   * The buttons that add an entry, unless it is a single one named after the type: their label, and the fields they
   * set.
   */
  readonly additions?: Readonly<Record<string, readonly [label: string, fields: Entry]>>;
}

const label: EntryField = { input: "line", label: "Label", required: true, maxLength: limits.page.label };

const formField = {
  label,
  name: { input: "line", label: "Field name", placeholder: "From the label" },
} as const;

const required = { required: { input: "tick", label: "Required" } } as const;

/** The types of blocks and form fields. The editor's form is rendered, read and filled in from this table. */
const entryTypes: {
  readonly blocks: Readonly<Record<Block["type"], EntryType>>;
  readonly fields: Readonly<Record<FormField["type"], EntryType>>;
} = {
  blocks: {
    text: {
      name: "Text",
      icon: "file-text",
      fields: {
        text: {
          input: "text",
          label: "Text",
          hint: "Leave an empty line between paragraphs",
          required: true,
        },
      },
    },
    link: {
      name: "Link",
      icon: "link",
      fields: {
        label,
        url: {
          input: "address",
          label: "Destination",
          hint: "A web address, or tel:, sms: or mailto: and a phone number or email address",
          placeholder: "example.com/programme",
          required: true,
        },
      },
    },
    image: {
      name: "Image",
      icon: "image",
      fields: {
        url: {
          input: "image",
          label: "Image URL",
          placeholder: "https://example.com/fair.jpg",
          required: true,
        },
        alt: { input: "line", label: "Alt text" },
      },
    },
  },
  fields: {
    text: {
      name: "Text",
      icon: "pencil",
      fields: { ...formField, ...required, multiline: { input: "tick", label: "Multiple lines" } },
      additions: { text: ["Short text", {}], lines: ["Long text", { multiline: "on" }] },
    },
    email: { name: "Email", icon: "mail", fields: { ...formField, ...required } },
    phone: { name: "Phone", icon: "smartphone", fields: { ...formField, ...required } },
    choice: {
      name: "Choice",
      icon: "list-checks",
      fields: {
        ...formField,
        options: { input: "list", label: "Options", hint: "One per line", required: true },
        ...required,
      },
    },
    checkbox: { name: "Checkbox", icon: "check", fields: { ...formField, ...required } },
  },
};

/** Returns an entry's type; undefined for an unknown one. */
export function entryTypeOf(list: ListName, { type = "" }: Entry): EntryType | undefined {
  const types: Readonly<Record<string, EntryType>> = entryTypes[list];
  return Object.hasOwn(types, type) ? types[type] : undefined;
}

const fieldsOf = (list: ListName, entry: Entry) => Object.entries(entryTypeOf(list, entry)?.fields ?? {});

/** Returns the entries that can be added to a list: the name of the addition, its label, and the new entry. */
export const additionsTo = (
  list: ListName,
): { name: string; label: string; icon: IconName; entry: Entry }[] =>
  Object.entries(entryTypes[list]).flatMap(([type, entryType]: [string, EntryType]) => {
    const written = fieldsOf(list, { type }).filter(([, { input }]) => input !== "tick");
    const empty = Object.fromEntries(written.map(([name]) => [name, ""]));
    return Object.entries(entryType.additions ?? { [type]: [entryType.name, {}] as const }).map(
      ([name, [text, set]]) => ({
        name,
        label: text,
        icon: entryType.icon,
        entry: { type, ...empty, ...set },
      }),
    );
  });

/** Returns the field that tells an entry from others, and its text: its own words, or else its address. */
export function summaryOf(list: ListName, entry: Entry): { readonly field: string; readonly text: string } {
  const names = fieldsOf(list, entry).map(([name]) => name);
  const field =
    ["text", "label", "alt", "url"].find((name) => names.includes(name) && entry[name]) ?? names[0] ?? "";
  return { field, text: imageInWords(entry[field] ?? "") };
}

/** Returns an entry as shown in the form. */
export function entryOf(list: ListName, stored: { readonly type: string }): Entry {
  const values = new Map<string, unknown>(Object.entries(stored));
  const texts = fieldsOf(list, { type: stored.type }).flatMap(([name]) => {
    const value = values.get(name);
    if (value === false || value === undefined) return [];
    return [[name, value === true ? "on" : Array.isArray(value) ? value.join("\n") : String(value)]];
  });
  return { type: stored.type, ...Object.fromEntries(texts) };
}

/** Returns a submitted entry's values for the schema to check: those of the fields that its type has. */
export const entryValues = (list: ListName, entry: Entry): Record<string, unknown> => ({
  type: entry.type ?? "",
  ...Object.fromEntries(
    fieldsOf(list, entry).map(([name, { input }]) => [name, readers[input](entry[name] ?? "")]),
  ),
});

const readers: Readonly<Record<EntryField["input"], (text: string) => unknown>> = {
  line: (text) => text,
  address: (text) => text.trim(),
  image: (text) => text.trim(),
  text: (text) => text,
  list: linesOf,
  tick: (text) => text === "on",
};

/** Returns the labels of all entries' fields, by name, for the list of problems. */
export const labelsOfEntries = (list: ListName, entries: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap((entry, i) =>
      fieldsOf(list, entry).map(([field, of]) => [
        `${listNames[list]}.${i}.${field}`,
        `${of.label} for ${list === "blocks" ? "block" : "field"} ${i + 1} (${entryTypeOf(list, entry)?.name.toLowerCase()})`,
      ]),
    ),
  );
