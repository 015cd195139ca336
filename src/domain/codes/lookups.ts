import type { QrRow } from "../../store/codes/columns.ts";
import { findFolderStates } from "../../store/folders/folders.ts";
import { keepLogos } from "../../store/logos/logos.ts";
import type { Deps } from "../deps.ts";
import type { ServiceError } from "../errors.ts";
import { unknownFolder } from "../folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { findStyleLookups, logoIdIn, type StyleInput, type StyleLookups } from "../templates/styles.ts";
import type { Linked } from "../destinations/addresses.ts";
import { refusalOfMore } from "./caps.ts";
import { findReferences, type References, unknownPage } from "./data.ts";

/** The parts of a code, or of a change of one, that refer to other rows. */
type Referring = Linked &
  Omit<StyleInput, "shape"> & {
    readonly [Key in "folderId" | "deletedFolderId" | "logoId"]?: string | null | undefined;
  };

/** Folders of the workspace, present or deleted, by id. Those that are gone for good are missing. */
type FolderStates = ReadonlyMap<string, "present" | "deleted">;

/** The rows that codes refer to, and what else their rules need to know. */
export interface CodeLookups {
  readonly styles: StyleLookups;
  readonly references: References;
  readonly folders: FolderStates;
  /** Why no more codes can be created or restored. Known only where it was asked for. */
  readonly refusal: ServiceError | undefined;
}

/**
 * Looks up what several codes or changes refer to.
 * @param options `additions`: whether codes are created or restored; `earlier`: whether they are values of the history,
 * whose logos may have left the list and whose templates aren't applied again
 */
export async function findLookups(
  deps: Deps,
  context: WorkspaceContext,
  all: readonly Referring[],
  { additions = false, earlier = false }: { additions?: boolean; earlier?: boolean } = {},
): Promise<CodeLookups> {
  const folderIds = all.flatMap(({ folderId, deletedFolderId }) => folderId || deletedFolderId || []);
  const logoIds = earlier
    ? all.flatMap(({ logoId, advanced }) => [logoId ?? [], logoIdIn(advanced) ?? []].flat())
    : [];
  const styled = earlier ? all.map(({ advanced }) => ({ advanced })) : all;
  const [styles, references, folders, logos, refusal] = await Promise.all([
    findStyleLookups(deps, context, styled),
    findReferences(deps, context, all),
    findFolderStates(deps.db, context.workspaceId, [...new Set(folderIds)]),
    keepLogos(deps.db, context.workspaceId, [...new Set(logoIds)], deps.now(), "stored"),
    additions ? refusalOfMore(deps, context) : undefined,
  ]);
  const stored = new Map(logos.map((logo) => [logo.id, logo]));
  return { styles: earlier ? { ...styles, logos: stored } : styles, references, folders, refusal };
}

/** Returns the columns of a code's place: in a folder, outside of it while the folder is deleted, or in none. */
export function placeIn(
  folderId: string | null,
  folders: FolderStates,
): Pick<QrRow, "folderId" | "deletedFolderId"> {
  const state = folderId === null ? undefined : folders.get(folderId);
  return {
    folderId: state === "present" ? folderId : null,
    deletedFolderId: state === "deleted" ? folderId : null,
  };
}

/** Returns the error of a code whose folder or page doesn't exist any more; undefined if both do. */
export function unlinked(
  { folderId, data }: Pick<QrRow, "folderId" | "data">,
  { folders, references }: CodeLookups,
): ServiceError | undefined {
  if (folderId !== null && folders.get(folderId) !== "present") return unknownFolder();
  return data.type === "servicepage" && !references.pages.has(data.pageId) ? unknownPage() : undefined;
}
