import { listLogoUses, type LogoUses, removeLogoFromTemplates } from "../../store/templates/logo-uses.ts";
import { limits } from "../../contract/limits.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { readLogoUpload, storeLogo, type SavedLogo } from "./logos.ts";
import { requireTemplatesInPlan } from "./styles.ts";

export type { LogoUses };

/** The logos of the workspace with what uses them, newest first. Codes are counted up to `limits.countedCodes`. */
export const listLogos = (deps: Deps, { workspaceId }: WorkspaceContext): Promise<LogoUses[]> =>
  listLogoUses(deps.db, workspaceId, limits.countedCodes);

/** A logo with what uses it. @throws not_found */
export async function getLogoUses(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<LogoUses> {
  const [logo] = await listLogoUses(deps.db, workspaceId, limits.countedCodes, id);
  return requireFound(logo, "Logo");
}

/**
 * Stores an uploaded logo for a template that is about to be saved. Until something uses it, the sweep may delete it.
 * @throws plan_limit on a plan without templates; invalid_input naming `logo`; internal (503) if it can't be stored
 */
export async function uploadLogo(
  deps: Deps,
  context: WorkspaceContext,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<SavedLogo> {
  requireTemplatesInPlan(context);
  return storeLogo(deps, context, await readLogoUpload(deps, bytes));
}

/** Takes a logo from all templates. Codes keep it; once nothing uses it, the sweep deletes it. @throws not_found */
export async function removeLogo(deps: Deps, context: WorkspaceContext, id: string): Promise<void> {
  await getLogoUses(deps, context, id);
  await removeLogoFromTemplates(deps.db, context.workspaceId, id);
}
