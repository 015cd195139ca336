import type { Qr } from "../../contract/resources/qr.ts";
import { destinationOf } from "../codes/form/types.ts";
import { type Names, nameIn, shapeNames } from "./change-facts.tsx";

/** What differs between two states of a code. */
export interface Difference {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** What a change makes of a code. */
export function differencesOf(before: Qr, after: Qr, names: Names): readonly Difference[] {
  const parts: readonly (readonly [name: string, text: (qr: Qr) => string])[] = [
    ["Destination", ({ data }) => destinationOf(data)],
    ["Other addresses", ({ data, fallbackUrl }) => JSON.stringify(addressesOf(data)) + (fallbackUrl ?? "")],
    ["Tags", ({ tags }) => tags.join(", ")],
    ["Folder", ({ folderId }) => nameIn(names.folders, folderId)],
    ["State", ({ status }) => (status === "active" ? "Active" : "Paused")],
    ["Template", ({ templateId }) => nameIn(names.templates, templateId)],
    ["Shape", ({ shape }) => shapeNames[shape ?? ""]],
    ["Colours", colorsText],
  ];
  return parts.flatMap(([name, text]) => {
    const [old, next] = [text(before), text(after)];
    if (old === next) return [];
    if (name === "Other addresses") return [{ name, before: "as they are", after: "replaced" }];
    return [{ name, before: old === "" ? "None" : old, after: next === "" ? "None" : next }];
  });
}

/** The data of a code without what `destinationOf` says of it. */
const addressesOf = (data: Qr["data"]): object => {
  if (data.type === "url") return {};
  if (data.type !== "applink") return data;
  const { fallback: _, ...others } = data;
  return others;
};

const colorsText = ({ colorConfig }: Qr): string =>
  [colorConfig?.dotsColor, colorConfig?.backgroundColor, colorConfig?.cornerColor]
    .map((color) => color ?? "default")
    .join(", ");
