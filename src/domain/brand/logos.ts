import { limits } from "../../contract/limits.ts";
import type { BrandLogo, BrandLogoInput } from "../../contract/resources/images/brand.ts";
import { presentLogo } from "../../store/logos/logos.ts";
import { type LogoUses, listLogoUses } from "../../store/logos/uses.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { notInPlanError, planOf } from "../context/plan.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound } from "../errors.ts";
import { nameLogo, readLogoUpload, saveLogo, storeLogo } from "../logos/logos.ts";

/*
 * A workspace has one list of logos: those of its brand, which have a name and stay until they are deleted, and those
 * that came with a template, which stay while a template or code uses them.
 */

export type { LogoUses };

/** Returns the workspace's logos and what uses them, the brand's first. Counts codes up to `limits.countedCodes`. */
export const listLogos = (deps: Deps, { workspaceId }: WorkspaceContext): Promise<LogoUses[]> =>
  listLogoUses(deps.db, workspaceId, limits.countedCodes);

/** Returns a logo and what uses it. @throws not_found */
export async function getLogoUses(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<LogoUses> {
  const [logo] = await listLogoUses(deps.db, workspaceId, limits.countedCodes, id);
  return requireFound(logo, "Logo");
}

/**
 * Adds a logo to the brand, or names an existing one.
 * @throws plan_limit on a plan without logos; invalid_input naming `logo`; internal (503) if it can't be stored
 */
export async function addLogo(
  deps: Deps,
  context: WorkspaceContext,
  { name, logo }: BrandLogoInput,
): Promise<BrandLogo> {
  requirePermission(context, "settings");
  requireLogosInPlan(context);
  return presentLogo(await saveLogo(deps, context, logo, name));
}

/** The same for an uploaded file. */
export async function uploadLogo(
  deps: Deps,
  context: WorkspaceContext,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<BrandLogo> {
  requirePermission(context, "settings");
  requireLogosInPlan(context);
  return presentLogo(await storeLogo(deps, context, await readLogoUpload(deps, context, bytes), name));
}

/**
 * Renames a logo of the brand, or adds a template's or code's logo to the brand.
 * @throws plan_limit, not_found; invalid_input if the brand is full
 */
export async function renameLogo(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  name: string,
): Promise<BrandLogo> {
  requirePermission(context, "settings");
  requireLogosInPlan(context);
  const renamed = await nameLogo(deps, context, id, ({ isListed }) => {
    if (isListed === 0) throw notFound("Logo");
    return name;
  });
  return presentLogo(renamed);
}

/**
 * Deletes a logo from the brand. Codes and templates keep it, so that no image changes; once nothing uses it, the sweep
 * deletes its file. @throws not_found
 */
export async function deleteLogo(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "settings");
  await nameLogo(deps, context, id, ({ name }) => {
    if (name === null) throw notFound("Logo");
    return null;
  });
  return { success: true };
}

/** @throws plan_limit on a plan without logos */
function requireLogosInPlan(context: WorkspaceContext): void {
  if (!planOf(context).fullDesign) throw notInPlanError(context, "logos", "Upgrade to use them.");
}
