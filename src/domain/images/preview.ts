import type { ColorConfig } from "../../contract/resources/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import { ImageQuery } from "../../contract/resources/images.ts";
import { requireQr } from "../codes/codes.ts";
import type { Deps } from "../deps.ts";
import type { Owner } from "../identity/caller.ts";
import { prepareImage } from "./images.ts";
import { applyTemplate, findAppliedTemplates } from "./templates.ts";

/** The style of a code that has not been saved. */
export interface UnsavedStyle {
  /** The code that is edited; undefined for a new one. */
  readonly id?: string | undefined;
  readonly colorConfig: ColorConfig | undefined;
  readonly shape: Shape | undefined;
  /** A template to apply; undefined if none was chosen, or it has been applied before. */
  readonly templateId: string | undefined;
}

/** Stands in the image of a new code. It is a name of the service, so that a scan of the preview finds no code. */
const placeholder = "preview";

const query = ImageQuery.parse({ margin: "2" });

/**
 * The image as it would be with an unsaved style, as SVG.
 * @throws invalid_input for a style that phones can't scan, or an unknown template; plan_limit; not_found
 */
export async function previewImage(deps: Deps, owner: Owner, style: UnsavedStyle): Promise<Uint8Array> {
  const { id, colorConfig, shape, templateId } = style;
  const row = id === undefined ? undefined : await requireQr(deps, owner, id);
  const input = { colorConfig, shape, templateId };
  const styled = applyTemplate(owner, input, await findAppliedTemplates(deps, owner, [input]));
  const file = await prepareImage(
    deps,
    {
      workspaceId: owner.workspaceId,
      plan: owner.plan,
      hash: row?.hash ?? placeholder,
      colorConfig: styled.templateColors ?? colorConfig ?? null,
      shape: styled.shape ?? null,
      logoId: styled.logoId === undefined ? (row?.logoId ?? null) : styled.logoId,
    },
    query,
  );
  return file.draw();
}
