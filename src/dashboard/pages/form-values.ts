import type { PageColors } from "../../contract/resources/pages.ts";
import type { PageDraftContent } from "../../domain/pages/drafts.ts";
import { readOpaqueColor, resolvePalette } from "../../domain/pages/palette.ts";
import { languages } from "../../ui/visitors/texts/catalogue.ts";
import { type Entry, entryOf, type ListName, listNames } from "./entry-types.ts";

/** The editor's fields outside its lists, in the order of the form. */
export const pageLabels = {
  title: "Title",
  intro: "Introduction",
  language: "Language",
  otherLanguage: "Other language",
  "form.button": "Button label",
  "form.thanks": "Thank-you message",
  "header.url": "Image URL",
  "header.alt": "Alt text",
  look: "Look",
  scheme: "Colour scheme",
  "colors.background": "Background",
  "colors.text": "Text",
  "colors.accent": "Buttons",
} as const;

/** A page's form: its lists and its other fields. */
export interface PageForm {
  readonly single: URLSearchParams;
  readonly blocks: readonly Entry[];
  readonly fields: readonly Entry[];
}

/** The colours offered by the form. */
export const colorNames = ["background", "text", "accent"] as const;

/** Returns the colours that were entered in a form. */
export const colorsIn = (values: URLSearchParams): PageColors =>
  Object.fromEntries(
    colorNames.flatMap((name) => {
      const color = values.get(`colors.${name}`);
      return color === null ? [] : [[name, color]];
    }),
  );

/** Returns a page's colours in hex, which colour pickers require. */
export function hexColors(colors: PageColors | null): Record<(typeof colorNames)[number], string> {
  const { background, text, accent } = resolvePalette(colors);
  return { background, text, accent };
}

/** Returns the form of a new page. */
export const newPageForm = (): PageForm => ({
  single: new URLSearchParams({
    title: "",
    intro: "",
    language: "en",
    look: "plain",
    scheme: "auto",
    ...colorFields(null),
  }),
  blocks: [],
  fields: [],
});

/** The versions of a page and its draft that an editor was opened with. */
export interface SeenVersions {
  readonly page: number;
  /** Null if there was no draft. */
  readonly draft: number | null;
}

/** Returns the form of an existing page, or of its draft. */
export function formOfPage(content: PageDraftContent, versions: SeenVersions): PageForm {
  const { title, intro, language, header, look, scheme, form, colors, blocks } = content;
  const isListed = languages.includes(language);
  return {
    single: new URLSearchParams({
      title,
      intro: intro ?? "",
      language: isListed ? language : "",
      otherLanguage: isListed ? "" : language,
      "header.url": header?.url ?? "",
      "header.alt": header?.alt ?? "",
      look,
      scheme,
      "form.button": form?.button ?? "",
      "form.thanks": form?.thanks ?? "",
      ...colorFields(colors),
      version: writeVersions(versions),
    }),
    blocks: blocks.map((block) => entryOf("blocks", block)),
    fields: form?.fields.map((field) => entryOf("fields", field)) ?? [],
  };
}

/** An invalid colour, which only drafts have, is shown as it was entered. */
const colorFields = (colors: PageColors | null) =>
  Object.fromEntries(
    Object.entries(hexColors(colors)).map(([name, hex]) => {
      const own = colors?.[name as keyof PageColors];
      return [`colors.${name}`, own === undefined || readOpaqueColor(own) !== null ? hex : own];
    }),
  );

/** Returns versions as a form carries them. */
export const writeVersions = ({ page, draft }: SeenVersions): string =>
  draft === null ? String(page) : `${page}.${draft}`;

/** Reads them; null for a form that carries none, or others. */
export function readVersions({ single }: PageForm): SeenVersions | null {
  const [, page, draft] = /^(\d+)(?:\.(\d+))?$/.exec(single.get("version") ?? "") ?? [];
  return page === undefined
    ? null
    : { page: Number(page), draft: draft === undefined ? null : Number(draft) };
}

/** A submitted form. */
export interface SubmittedPageForm {
  readonly form: PageForm;
  /** The numbers of the form's entries, in order. */
  readonly numbers: Readonly<Record<ListName, readonly string[]>>;
}

/**
 * Reads a form. The order of entries is that of the form; their numbers don't matter, because moving an entry in the
 * browser doesn't rename it.
 */
export function readPageForm(submitted: URLSearchParams): SubmittedPageForm {
  const single = new URLSearchParams();
  const blocks = new Map<string, Record<string, string>>();
  const fields = new Map<string, Record<string, string>>();
  for (const [name, value] of submitted) {
    const [, list, number = "", field = ""] = /^(blocks|form\.fields)\.(\d+)\.(\w+)$/.exec(name) ?? [];
    if (list === undefined) {
      single.set(name, value);
      continue;
    }
    const entries = list === "blocks" ? blocks : fields;
    const entry = entries.get(number) ?? {};
    entry[field] = value;
    entries.set(number, entry);
  }
  return {
    form: { single, blocks: [...blocks.values()], fields: [...fields.values()] },
    numbers: { blocks: [...blocks.keys()], fields: [...fields.keys()] },
  };
}

/** Returns the form's fields, with entries numbered in order. */
export function writePageForm({ single, ...lists }: PageForm): URLSearchParams {
  const values = new URLSearchParams(single);
  for (const list of ["blocks", "fields"] as const) {
    lists[list].forEach((entry, i) => {
      for (const [field, value] of Object.entries(entry))
        values.set(`${listNames[list]}.${i}.${field}`, value);
    });
  }
  return values;
}
