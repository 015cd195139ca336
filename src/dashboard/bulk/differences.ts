import type { Qr } from "../../contract/resources/codes/qr.ts";
import { addressFields, qrFields, type SettableField } from "../../contract/resources/codes/qr-fields.ts";
import { allAddressesOf } from "../../domain/destinations/addresses.ts";
import { queryNames } from "../codes/query-names.ts";
import { designText, type Names, nameIn, shapeNames } from "./change-facts.tsx";

/** A change to a field of a code. */
export interface Difference {
  readonly name: string;
  /** Whether it is an address. */
  readonly isAddress: boolean;
  /** The values before and after, piece by piece. */
  readonly pieces: readonly Piece[];
}

interface Piece {
  readonly kind: "kept" | "removed" | "added";
  readonly text: string;
}

/**
 * How to describe fields that are not shown as they are; undefined for those whose addresses are compared individually.
 */
const texts: { readonly [Name in SettableField]?: ((qr: Qr, names: Names) => string) | undefined } = {
  folderId: ({ folderId }, names) => nameIn(names.folders, folderId),
  status: ({ status }) => (status === "active" ? "Active" : "Paused"),
  templateId: ({ templateId }, names) => nameIn(names.templates, templateId),
  query: ({ query }) => queryNames[query],
  shape: ({ shape }) => shapeNames[shape ?? ""],
  advanced: ({ advanced }) => designText(advanced),
  colorConfig: ({ colorConfig }) =>
    [colorConfig?.dotsColor, colorConfig?.backgroundColor, colorConfig?.cornerColor]
      .map((color) => color ?? "default")
      .join(", "),
};

/** Returns the differences between a code before and after a change, addresses first. */
export function differencesOf(before: Qr, after: Qr, names: Names): readonly Difference[] {
  const others = Object.entries(qrFields).flatMap(([key, described]) => {
    const field = key as SettableField;
    if (described === null || field === "data" || "address" in described) return [];
    if (field === "tags") return differenceOf(described.label, tagPieces(before.tags, after.tags));
    const text = texts[field] ?? ((qr) => plainText(qr[field]));
    return differenceOf(described.label, wholePieces(text(before, names), text(after, names)));
  });
  return [...addressDifferences(before, after), ...others];
}

function differenceOf(name: string, pieces: readonly Piece[], isAddress = false): Difference[] {
  return pieces.every(({ kind }) => kind === "kept") ? [] : [{ name, isAddress, pieces }];
}

/** A replacement changes addresses, but neither adds nor removes any. */
function addressDifferences(before: Qr, after: Qr): Difference[] {
  const next = new Map(allAddressesOf(after).map(({ field, address }) => [field, address]));
  return allAddressesOf(before).flatMap(({ field, address }) =>
    differenceOf(addressLabel(field), addressPieces(address, next.get(field) ?? address), true),
  );
}

function addressLabel(field: string): string {
  const described = addressFields.find((each) => each === field);
  if (described !== undefined) return qrFields[described].label;
  if (field === "data.ios") return "iPhone";
  if (field === "data.android") return "Android";
  return field.startsWith("data.urls") ? "Website" : qrFields.data.label;
}

/** Splits an address into parts that can be compared individually. */
const addressPart = /[^./?#&=:@-]+|./g;

/** Compares two addresses, marking only the parts that differ. */
function addressPieces(before: string, after: string): Piece[] {
  const [old, next] = [before.match(addressPart) ?? [], after.match(addressPart) ?? []];
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const between = (parts: readonly string[]) => parts.slice(start, parts.length - end).join("");
  const pieces: Piece[] = [
    { kind: "kept", text: old.slice(0, start).join("") },
    { kind: "removed", text: between(old) },
    { kind: "added", text: between(next) },
    { kind: "kept", text: old.slice(old.length - end).join("") },
  ];
  return pieces.filter(({ text }) => text !== "");
}

function tagPieces(before: readonly string[], after: readonly string[]): Piece[] {
  const added = after.filter((tag) => !before.includes(tag));
  return [
    ...before.map((text): Piece => ({ kind: after.includes(text) ? "kept" : "removed", text })),
    ...added.map((text): Piece => ({ kind: "added", text })),
  ];
}

const wholePieces = (before: string, after: string): Piece[] =>
  before === after
    ? []
    : [
        { kind: "removed", text: before || "None" },
        { kind: "added", text: after || "None" },
      ];

function plainText(value: Qr[SettableField]): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? "");
}
