import type { PageDraftContent, SavedDraft } from "../../domain/pages/drafts.ts";
import type { VersionedPage } from "../../domain/pages/pages.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { ChangedField } from "../../ui/forms/conflict.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { formOfPage, type PageForm, readVersions } from "./form-values.ts";
import { readInput } from "./read-input.ts";

type Content = PageDraftContent;

const parts = [
  ["title", "Title", ({ title }: Content) => title],
  ["intro", "Introduction", ({ intro }: Content) => intro ?? ""],
  ["language", "Language", ({ language }: Content) => language],
  ["blocks", "Blocks", ({ blocks }: Content) => formatCount(blocks.length, "block")],
  ["form", "Form", ({ form }: Content) => (form === null ? "" : formatCount(form.fields.length, "field"))],
  ["header", "Header image", ({ header }: Content) => header?.url ?? ""],
  ["look", "Look", ({ look }: Content) => look],
  ["scheme", "Colour scheme", ({ scheme }: Content) => scheme],
  [
    "colors",
    "Colours",
    ({ colors }: Content) =>
      Object.entries(colors ?? {})
        .map(([name, color]) => `${name} ${color}`)
        .join(", "),
  ],
] as const;

/** Returns where a form differs from stored content, with the stored values. */
export function differences(form: PageForm, stored: Content): readonly ChangedField[] {
  // As drafts, in which nothing is derived.
  const [own, other] = [form, formOfPage(stored, { page: 0, draft: null })].map((each) =>
    readInput(each, stored, "draft"),
  );
  return parts.flatMap(([name, label, textOf]) =>
    sameJson(plain(own?.[name]), plain(other?.[name])) ? [] : [{ label, saved: textOf(stored) }],
  );
}

/** The changes that others have saved since a form was opened, as far as the form differs from them. */
export interface Conflicts {
  readonly page: readonly ChangedField[];
  readonly draft: readonly ChangedField[];
}

/** Returns what a form would replace that its person hasn't seen. A form without versions replaces everything. */
export function conflictsOf(form: PageForm, edited: VersionedPage, draft: SavedDraft | undefined): Conflicts {
  const seen = readVersions(form);
  const isSeen = seen === null || draft === undefined || seen.draft === draft.version;
  return {
    page: seen === null || seen.page === edited.version ? [] : differences(form, edited.page),
    draft: isSeen ? [] : differences(form, draft.content),
  };
}

/** Normalises line breaks as they are stored. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll("\\r\\n", "\\n"));
