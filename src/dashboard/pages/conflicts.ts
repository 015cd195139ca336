import type { Page } from "../../contract/resources/pages.ts";
import type { VersionedPage } from "../../domain/pages/pages.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { ChangedField } from "../../ui/forms/conflict.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { formOfPage, type PageForm } from "./form-values.ts";
import { readInput } from "./read-input.ts";

const parts = [
  ["title", "Title", ({ title }: Page) => title],
  ["intro", "Introduction", ({ intro }: Page) => intro ?? ""],
  ["language", "Language", ({ language }: Page) => language],
  ["blocks", "Blocks", ({ blocks }: Page) => formatCount(blocks.length, "block")],
  ["form", "Form", ({ form }: Page) => (form === null ? "" : formatCount(form.fields.length, "field"))],
  ["header", "Header image", ({ header }: Page) => header?.url ?? ""],
  ["look", "Look", ({ look }: Page) => look],
  ["scheme", "Colour scheme", ({ scheme }: Page) => scheme],
  [
    "colors",
    "Colours",
    ({ colors }: Page) =>
      Object.entries(colors ?? {})
        .map(([name, color]) => `${name} ${color}`)
        .join(", "),
  ],
] as const;

/**
 * Returns where a submitted form differs from a page that has changed since the form was opened; empty if the page is
 * unchanged or has the same values.
 * @param input that the form describes
 */
export function pageConflicts(
  form: PageForm,
  input: Record<string, unknown>,
  edited: VersionedPage,
): readonly ChangedField[] {
  const { page, version } = edited;
  const shown = form.single.get("version");
  if (shown === null || shown === String(version)) return [];
  const saved = readInput(formOfPage(edited), page);
  return parts.flatMap(([name, label, textOf]) =>
    sameJson(plain(input[name]), plain(saved[name])) ? [] : [{ label, saved: textOf(page) }],
  );
}

/** Normalises line breaks as they are stored. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll("\\r\\n", "\\n"));
