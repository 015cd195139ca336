import { limits } from "../../contract/limits.ts";
import type {
  Brand,
  BrandColor,
  BrandColorInput,
  BrandUpdate,
} from "../../contract/resources/images/brand.ts";
import { changesBetween } from "../../lib/changes.ts";
import { listBrandLogos } from "../../store/logos/logos.ts";
import { findBrandColors, storeBrandColors } from "../../store/workspaces/brand-colors.ts";
import { retryOnConflict } from "../conflicts.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { newEntry } from "../history/entries.ts";

/** Returns the colours and logos of the workspace's brand. */
export async function brandOf(deps: Deps, { workspaceId }: WorkspaceContext): Promise<Brand> {
  const [colors, logos] = await Promise.all([
    findBrandColors(deps.db, workspaceId),
    listBrandLogos(deps.db, workspaceId),
  ]);
  return { colors: [...(colors ?? [])], logos };
}

/** Returns the logos of the workspace's brand, oldest first. */
export const logosOfBrand = (deps: Deps, { workspaceId }: WorkspaceContext): Promise<Brand["logos"]> =>
  listBrandLogos(deps.db, workspaceId);

/** Changes the colours, if given. */
export async function changeBrand(
  deps: Deps,
  context: WorkspaceContext,
  { colors }: BrandUpdate,
): Promise<Brand> {
  if (colors !== undefined) await editColors(deps, context, () => colors.map(asColor));
  return brandOf(deps, context);
}

/** Appends a colour, or updates the name of an existing one. @throws invalid_input at the limit */
export async function addColor(deps: Deps, context: WorkspaceContext, input: BrandColorInput): Promise<void> {
  const color = asColor(input);
  await editColors(deps, context, (colors) => {
    const known = colors.findIndex(({ hex }) => hex === color.hex);
    if (known !== -1) return colors.with(known, color);
    const { colors: cap } = limits.brand;
    if (colors.length >= cap) {
      throw invalid("hex", `can't be added: a brand can have at most ${cap} colors. Remove one first.`);
    }
    return [...colors, color];
  });
}

/** Removes a colour, if present. */
export const removeColor = (deps: Deps, context: WorkspaceContext, hex: string): Promise<void> =>
  editColors(deps, context, (colors) => colors.filter((color) => color.hex !== hex));

const asColor = ({ hex, name = null }: BrandColorInput): BrandColor => ({ hex, name });

async function editColors(
  deps: Deps,
  context: WorkspaceContext,
  edit: (colors: readonly BrandColor[]) => readonly BrandColor[],
): Promise<void> {
  requirePermission(context, "settings");
  const { workspaceId } = context;
  await retryOnConflict(deps, "brand", async (note) => {
    const before = note(await findBrandColors(deps.db, workspaceId));
    const after = edit(before ?? []);
    const changes = changesBetween({ colors: before ?? [] }, { colors: after });
    if (Object.keys(changes).length === 0) return undefined;
    const entry = newEntry(deps, context, "brand.updated", { id: workspaceId, name: "Brand", changes });
    const stored = after.length === 0 ? null : after;
    const isStored = await storeBrandColors(deps.db, workspaceId, before, stored, entry);
    return isStored ? undefined : "conflict";
  });
}
