import type { Qr } from "../../contract/resources/qr.ts";
import { qrFields, type SettableField } from "../../contract/resources/qr-fields.ts";
import { destinationOf } from "../../domain/codes/titles.ts";
import { type Names, nameIn, shapeNames } from "./change-facts.tsx";

/** The differences between a code before and after a change. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The texts of fields that are not shown as they are. */
const texts: { readonly [Name in SettableField]?: (qr: Qr, names: Names) => string } = {
  data: ({ data }) => destinationOf(data),
  folderId: ({ folderId }, names) => nameIn(names.folders, folderId),
  status: ({ status }) => (status === "active" ? "Active" : "Paused"),
  templateId: ({ templateId }, names) => nameIn(names.templates, templateId),
  shape: ({ shape }) => shapeNames[shape ?? ""],
  colorConfig: ({ colorConfig }) =>
    [colorConfig?.dotsColor, colorConfig?.backgroundColor, colorConfig?.cornerColor]
      .map((color) => color ?? "default")
      .join(", "),
};

/** The differences that a change makes to a code. */
export function differencesOf(before: Qr, after: Qr, names: Names): readonly Difference[] {
  const differences = Object.entries(qrFields).flatMap(([key, described]) => {
    if (described === null) return [];
    const field = key as SettableField;
    const text = texts[field] ?? ((qr) => plainText(qr[field]));
    const [old, next] = [text(before, names), text(after, names)];
    if (old === next) return [];
    return [{ name: described.label, before: old || "None", after: next || "None" }];
  });
  const [old, next] = [before, after].map(({ data }) => JSON.stringify(addressesOf(data)));
  if (old === next) return differences;
  return [...differences, { name: "Other addresses", before: "as they are", after: "replaced" }];
}

function plainText(value: Qr[SettableField]): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? "");
}

/** The data of a code without what `destinationOf` says of it. */
const addressesOf = (data: Qr["data"]): object => {
  if (data.type === "url") return {};
  if (data.type !== "applink") return data;
  const { fallback: _, ...others } = data;
  return others;
};
