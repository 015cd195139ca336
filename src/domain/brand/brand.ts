import { limits } from "../../contract/limits.ts";
import type {
  Brand,
  BrandColor,
  BrandColorInput,
  BrandUpdate,
} from "../../contract/resources/images/brand.ts";
import { listBrandLogos } from "../../store/logos/logos.ts";
import { findCurrent } from "../../store/resources/find.ts";
import { type SettingsRow, settingsKind } from "../../store/workspaces/settings.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { changeResource } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";

/** Returns the colours and logos of the workspace's brand. */
export async function brandOf(deps: Deps, { workspaceId }: WorkspaceContext): Promise<Brand> {
  const [settings, logos] = await Promise.all([
    findCurrent(deps.db, settingsKind, workspaceId, workspaceId),
    listBrandLogos(deps.db, workspaceId),
  ]);
  return { colors: [...(settings?.row.brandColors ?? [])], logos };
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

/** The colours of a brand as a resource. Its logos are resources of their own. */
const brandResource: Resource<SettingsRow> = {
  kind: settingsKind,
  object: "brand",
  noun: "Brand",
  nameOf: () => "Brand",
  fieldsOf: ({ brandColors }) => ({ colors: brandColors ?? [] }),
};

async function editColors(
  deps: Deps,
  context: WorkspaceContext,
  edit: (colors: readonly BrandColor[]) => readonly BrandColor[],
): Promise<void> {
  requirePermission(context, "settings");
  await changeResource(deps, context, brandResource, context.workspaceId, (before) => {
    const colors = edit(before.brandColors ?? []);
    return { ...before, brandColors: colors.length === 0 ? null : colors };
  });
}
