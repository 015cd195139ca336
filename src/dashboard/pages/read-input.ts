import type { PageColors } from "../../contract/resources/pages.ts";
import { type Entry, entryValues } from "./entry-types.ts";
import { colorNames, hexColors, type PageForm } from "./form-values.ts";

/** Returns a field's text; null if it is empty. */
const textOrNull = (text: string | null | undefined): string | null =>
  text === null || text === undefined || text.trim() === "" ? null : text;

/** The stored content that is being edited. */
type Before = { readonly colors: PageColors | null };

/**
 * Reads a form as the content of a page, for the schema to check. @param before the page or draft being edited
 * @param purpose form fields of a draft keep an empty name, because their labels may still change
 */
export function readInput(
  { single, blocks, fields }: PageForm,
  before?: Before,
  purpose: "page" | "draft" = "page",
): Record<string, unknown> {
  const button = textOrNull(single.get("form.button"));
  const thanks = textOrNull(single.get("form.thanks"));
  return {
    title: single.get("title") ?? "",
    intro: textOrNull(single.get("intro")),
    language: textOrNull(single.get("language")) ?? single.get("otherLanguage")?.trim() ?? "",
    blocks: blocks.map((entry) => entryValues("blocks", entry)),
    form:
      fields.length === 0
        ? null
        : {
            fields:
              purpose === "page" ? readFields(fields) : fields.map((entry) => entryValues("fields", entry)),
            button,
            thanks,
          },
    header: readHeader(single),
    colors: readPageColors(single, before),
    look: single.get("look") ?? undefined,
    scheme: single.get("scheme") ?? undefined,
  };
}

/** An alternative text without an image is kept, so that the schema asks for the address. */
function readHeader(form: URLSearchParams): object | null {
  const [url, alt] = [form.get("header.url")?.trim() ?? "", form.get("header.alt") ?? ""];
  return url === "" && alt.trim() === "" ? null : { url, alt };
}

function readFields(fields: readonly Entry[]): object[] {
  const given = fields.map(({ name = "" }) => name.trim());
  const nextName = namesBeside(given);
  return fields.map((entry, i) => ({
    ...entryValues("fields", entry),
    name: given[i] || nextName(entry.label ?? ""),
  }));
}

const maxNameLength = 40;

/**
 * Returns a function that derives a name from each label, different from the given names and those it has already
 * returned.
 */
function namesBeside(given: readonly string[]): (label: string) => string {
  const taken = new Set(given);
  const numbers = new Map<string, number>();
  return (label) => {
    const name = nameFrom(label);
    // Numbers below the last one for this name are taken.
    for (let number = numbers.get(name) ?? 1; ; number += 1) {
      const candidate = number === 1 ? name : `${name}_${number}`;
      if (taken.has(candidate)) continue;
      taken.add(candidate);
      numbers.set(name, number);
      return candidate;
    }
  };
}

/** Derives a field's name from its label: letters, digits and underscores. */
function nameFrom(label: string): string {
  const words =
    label
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      // To upper case first, because that turns ß into ss.
      .toUpperCase()
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const joined = words
    .join("_")
    .replace(/^\d+_?/, "")
    .slice(0, maxNameLength);
  // `id` and `submittedAt` are columns of the export.
  return joined === "" || joined === "id" ? "field" : joined;
}

/** Reads the colours of a form. An unchanged colour keeps its stored notation, and defaults are not stored. */
function readPageColors(form: URLSearchParams, before: Before | undefined): Record<string, string> | null {
  const stored = before?.colors ?? null;
  const [shown, defaults] = [hexColors(stored), hexColors(null)];
  const colors = colorNames.flatMap((name) => {
    const given = form.get(`colors.${name}`) ?? shown[name];
    const own = stored?.[name];
    if (given === shown[name] && own !== undefined) return [[name, own] as const];
    return given === defaults[name] ? [] : [[name, given] as const];
  });
  if (colors.length > 0) return Object.fromEntries(colors);
  // An explicitly stored empty object looks the same, so it is kept.
  return stored !== null && Object.keys(stored).length === 0 ? {} : null;
}
