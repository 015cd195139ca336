import type { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import { qrFields } from "../../contract/resources/codes/qr-fields.ts";
import { findFolders } from "../../domain/folders/folders.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { Facts, type FactsItem } from "../../ui/values/facts.tsx";
import { queryNames } from "../codes/query-names.ts";
import { eyeNames, frameNames, moduleNames } from "../design/part-tiles.tsx";
import type { DashboardRequest } from "../frame/request.ts";

/** The names of resources that codes refer to, by id. */
export interface Names {
  readonly folders: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, string>;
}

/** Reads the names of folders and of the workspace's templates. @param folderIds null for none */
export async function readNames(
  { deps, context }: DashboardRequest,
  folderIds: readonly (string | null | undefined)[],
): Promise<Names> {
  const ids = new Set(folderIds.flatMap((id) => id ?? []));
  const [folders, { templates }] = await Promise.all([
    findFolders(deps, context, [...ids]),
    listTemplates(deps, context),
  ]);
  return {
    folders: new Map(folders.map(({ id, name }) => [id, name])),
    templates: new Map(templates.map(({ id, name }) => [id, name])),
  };
}

/** Describes the changes of a bulk update. */
export const ChangeFacts = ({ change, names }: { change: BulkChange; names: Names }) => (
  <Facts items={factsOfChange(change, names)} />
);

/** The same as items of a longer list. */
export function factsOfChange(change: BulkChange, names: Names): readonly FactsItem[] {
  const {
    addTags,
    removeTags,
    folderId,
    status,
    templateId,
    colorConfig,
    shape,
    advanced,
    domain,
    query,
    replace,
  } = change;
  const [kind, part] = replace?.host
    ? (["host", replace.host] as const)
    : (["prefix", replace?.prefix] as const);
  return [
    ["Tags added", addTags?.join(", ") ?? null],
    ["Tags removed", removeTags?.join(", ") ?? null],
    ["Folder", folderId === undefined ? null : nameIn(names.folders, folderId)],
    ["Status", status === undefined ? null : statusNames[status]],
    ["Template", templateId === undefined ? null : nameIn(names.templates, templateId)],
    ["Colours", colorConfig === undefined ? null : colorsText(colorConfig)],
    ["Shape", shape === undefined ? null : shapeNames[shape ?? ""]],
    ["Design", advanced === undefined ? null : designText(advanced) || null],
    [qrFields.domain.label, domain === undefined ? null : (domain ?? "None: the usual host")],
    [qrFields.query.label, query === undefined ? null : queryNames[query]],
    [
      kind === "host" ? "Host of destinations" : "Beginning of destinations",
      part === undefined ? null : `${part.from} → ${part.to}`,
    ],
    ["Deletion", change.delete === true ? "All of these codes will be deleted" : null],
  ];
}

const statusNames = { active: "Active", paused: "Paused" } as const;

/** The shapes by their name in a form; the empty name is the default. */
export const shapeNames = { "": "Standard", square: "Squares", circle: "Dots" } as const;

const partNames = {
  modules: ["modules", moduleNames],
  eyeFrame: ["eyes", eyeNames],
  eyeCenter: ["eye centres", eyeNames],
  frame: ["frame", frameNames],
  logo: ["logo", {}],
} as const;

/** Describes a design, or changes of one, beyond colours and shape. Other properties are shown as they are. */
export function designText(advanced: Readonly<Record<string, unknown>> | null): string {
  const parts = Object.entries(advanced ?? {}).flatMap(([name, value]) => {
    // Squares and dots are named by the shape.
    if (name === "modules" && value === null) return [];
    const [noun, names]: readonly [string, Readonly<Record<string, string>>] = partNames[
      name as keyof typeof partNames
    ] ?? [name, {}];
    const {
      style = value,
      text,
      id,
    } = { ...(typeof value === "object" && (value as Record<string, unknown>)) };
    if (id !== undefined) return [`${noun} …${String(id).slice(-6)}`];
    const known = typeof style === "string" ? (names[style] ?? style) : JSON.stringify(style);
    const shown = value === null ? (name.startsWith("eye") ? "Square" : "None") : known;
    return [`${noun} ${shown}${typeof text === "string" ? ` “${text}”` : ""}`];
  });
  return parts.join(", ");
}

/** Returns the name of a code's folder or template. */
export function nameIn(names: ReadonlyMap<string, string>, id: string | null): string {
  return id === null ? "None" : (names.get(id) ?? "A deleted one");
}

const colorsText = (colors: NonNullable<BulkChange["colorConfig"]> | null): string =>
  colors === null
    ? "The defaults"
    : [
        ["code", colors.dotsColor],
        ["background", colors.backgroundColor],
        ["corners", colors.cornerColor],
      ]
        .flatMap(([part, color]) => (color === undefined ? [] : [`${part} ${color ?? "as the default"}`]))
        .join(", ");
