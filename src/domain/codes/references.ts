import { findIdHolders, type IdHolder } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { findFolderStates } from "../../store/folders/folders.ts";
import { keepLogos } from "../../store/logos/logos.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import type { Linked } from "../destinations/addresses.ts";
import { invalid, type ServiceError } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import { findStyleLookups, logoIdIn, type StyleInput, type StyleLookups } from "../templates/styles.ts";
import { type Addressed, type AddressLookups, findAddressLookups, takenAddress } from "./addresses.ts";
import { refusalOfMore } from "./caps.ts";
import { findReferences, type References, unknownPage } from "./data.ts";

/** The parts of a code, or of a change of one, that refer to other rows. */
type Referring = Linked &
  Omit<StyleInput, "shape"> &
  Addressed & {
    readonly [Key in "folderId" | "deletedFolderId" | "logoId" | "externalId"]?: string | null | undefined;
  };

/** Folders of the workspace, present or deleted, by id. Those that are gone for good are missing. */
type FolderStates = ReadonlyMap<string, "present" | "deleted">;

/** The rows that codes refer to, and what else their rules need to know. */
export interface CodeReferences {
  readonly styles: StyleLookups;
  readonly references: References;
  readonly folders: FolderStates;
  /** The codes that have the own ids, by own id. */
  readonly holders: ReadonlyMap<string, IdHolder>;
  readonly addresses: AddressLookups;
  /** Why no more codes can be created or restored. Known only where it was asked for. */
  readonly refusal: ServiceError | undefined;
}

/**
 * Looks up what several codes or changes refer to.
 * @param options `additions`: whether codes are created or restored; `earlier`: whether they are values of the history,
 * whose logos may have left the list and whose templates aren't applied again
 */
export async function loadReferences(
  deps: Deps,
  context: WorkspaceContext,
  all: readonly Referring[],
  { additions = false, earlier = false }: { additions?: boolean; earlier?: boolean } = {},
): Promise<CodeReferences> {
  const folderIds = all.flatMap(({ folderId, deletedFolderId }) => folderId || deletedFolderId || []);
  const logoIds = earlier
    ? all.flatMap(({ logoId, advanced }) => [logoId ?? [], logoIdIn(advanced) ?? []].flat())
    : [];
  const styled = earlier ? all.map(({ advanced }) => ({ advanced })) : all;
  const externalIds = all.flatMap(({ externalId }) => externalId ?? []);
  const [styles, references, folders, holders, addresses, logos, refusal] = await Promise.all([
    findStyleLookups(deps, context, styled),
    findReferences(deps, context, all),
    findFolderStates(deps.db, context.workspaceId, [...new Set(folderIds)]),
    findIdHolders(deps.db, context.workspaceId, [...new Set(externalIds)]),
    findAddressLookups(deps, context, all),
    keepLogos(deps.db, context.workspaceId, [...new Set(logoIds)], deps.now(), "stored"),
    additions ? refusalOfMore(deps, context) : undefined,
  ]);
  const stored = new Map(logos.map((logo) => [logo.id, logo]));
  const found = { references, folders, holders, addresses, refusal };
  return { styles: earlier ? { ...styles, logos: stored } : styles, ...found };
}

/** Returns the columns of a code's place: in a folder, outside of it while the folder is deleted, or in none. */
export function folderColumns(
  folderId: string | null,
  folders: FolderStates,
): Pick<QrRow, "folderId" | "deletedFolderId"> {
  const state = folderId === null ? undefined : folders.get(folderId);
  return {
    folderId: state === "present" ? folderId : null,
    deletedFolderId: state === "deleted" ? folderId : null,
  };
}

/** Returns the error of an own id that another code has; undefined if none does. */
export function takenId(
  { id, externalId }: Pick<QrRow, "id" | "externalId">,
  { holders }: Pick<CodeReferences, "holders">,
): ServiceError | undefined {
  const holder = externalId === null ? undefined : holders.get(externalId);
  return holder === undefined || holder.id === id ? undefined : takenIdError(holder);
}

/** The error of an own id that a code has. */
export const takenIdError = ({ id, isDeleted }: IdHolder): ServiceError =>
  invalid(
    "externalId",
    isDeleted
      ? `is held by the deleted QR code ${id}. Restore it or erase it first`
      : `is used by the QR code ${id}`,
    409,
  );

/**
 * Returns the error of a code whose folder or page doesn't exist any more, or whose own id or address another has;
 * undefined if neither.
 */
export function unlinked(
  code: Pick<QrRow, "id" | "externalId" | "folderId" | "data" | "hashFolded" | "aliases" | "aliasAddresses">,
  lookups: CodeReferences,
): ServiceError | undefined {
  const { folderId, data } = code;
  const { folders, references } = lookups;
  const taken = takenId(code, lookups) ?? takenAddress(code, lookups.addresses);
  if (taken !== undefined) return taken;
  if (folderId !== null && folders.get(folderId) !== "present") return unknownFolder();
  return data.type === "servicepage" && !references.pages.has(data.pageId) ? unknownPage() : undefined;
}
