import type { Advanced } from "../../contract/resources/design.ts";
import type { ColorChanges, ColorConfig } from "../../contract/resources/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import { ImageQuery } from "../../contract/resources/images.ts";
import { requireQr } from "../codes/require-code.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { drawnLogo, prepareDrawing, prepareImage } from "./images.ts";
import { readLogoUpload } from "../templates/logos.ts";
import { applyStyle, findStyleLookups, requireTemplatesInPlan, type Styled } from "../templates/styles.ts";
import { requireTemplate } from "../templates/templates.ts";

/** A design that has not been saved. */
interface UnsavedDesign {
  readonly colorConfig: ColorConfig | undefined;
  readonly shape: Shape | undefined;
  readonly advanced?: Advanced | null | undefined;
}

/** The style of a code that has not been saved. */
export interface UnsavedStyle extends UnsavedDesign {
  /** The code that is edited; undefined for a new one. */
  readonly id?: string | undefined;
  /** A template that saving would apply, and values that take precedence over its own. */
  readonly template: TemplateChoice | undefined;
}

interface TemplateChoice {
  readonly templateId: string;
  readonly colorConfig?: ColorChanges | undefined;
  readonly shape?: Shape | null | undefined;
  readonly advanced?: Advanced | null | undefined;
}

/** The design of a template that has not been saved. */
export interface UnsavedTemplate extends UnsavedDesign {
  /** The id of a logo of the workspace, or a new file; null for none. */
  readonly logo: string | Uint8Array<ArrayBuffer> | null;
}

/** Stands in the image of a new code. It is a name of the service, so that a scan of the preview finds no code. */
const placeholder = "preview";

const query = ImageQuery.parse({});

/** Narrower than in print, for a larger image in the same place. */
const withNarrowZone = (advanced: Advanced | null | undefined): Advanced => ({ quietZone: 2, ...advanced });

/**
 * The image as it would be with an unsaved style, as SVG.
 * @throws invalid_input for a style that phones can't scan, or an unknown template; plan_limit; not_found
 */
export async function previewImage(
  deps: Deps,
  context: WorkspaceContext,
  style: UnsavedStyle,
): Promise<Uint8Array> {
  const { id, colorConfig, shape, template } = style;
  const row = id === undefined ? undefined : await requireQr(deps, context, id);
  const advanced = style.advanced === undefined ? (row?.advanced ?? null) : style.advanced;
  const styled: Partial<Styled<TemplateChoice>> =
    template === undefined
      ? {}
      : applyStyle(context, template, await findStyleLookups(deps, context, [template]), advanced);
  const file = await prepareImage(
    deps,
    {
      workspaceId: context.workspaceId,
      plan: context.plan,
      hash: row?.hash ?? placeholder,
      colorConfig: styled.templateColors ?? colorConfig ?? null,
      shape: (styled.shape === undefined ? shape : styled.shape) ?? null,
      advanced: withNarrowZone(styled.templateAdvanced === undefined ? advanced : styled.templateAdvanced),
      logoId: styled.logoId === undefined ? (row?.logoId ?? null) : styled.logoId,
    },
    query,
  );
  return file.draw();
}

/** A sample code in the design of a saved template. @throws not_found */
export async function getTemplateSample(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<DrawnFile> {
  const { colorConfig, shape, advanced, logoId } = await requireTemplate(deps, context, id);
  const { workspaceId, plan } = context;
  const style = { colorConfig, shape, advanced: withNarrowZone(advanced), logoId };
  return prepareImage(deps, { workspaceId, plan, hash: placeholder, ...style }, query);
}

/**
 * A sample code in the design of a template, as SVG.
 * @throws plan_limit on a plan without templates; invalid_input for a design that phones can't scan, and a logo that can't
 *   be used
 */
export async function previewTemplate(
  deps: Deps,
  context: WorkspaceContext,
  { colorConfig, shape, advanced, logo }: UnsavedTemplate,
): Promise<Uint8Array> {
  requireTemplatesInPlan(context);
  const { workspaceId, plan } = context;
  const design = {
    colorConfig: colorConfig ?? null,
    shape: shape ?? null,
    advanced: withNarrowZone(advanced),
  };
  const code = { workspaceId, plan, hash: placeholder, ...design };
  const drawn =
    logo === null || typeof logo === "string"
      ? await drawnLogo(deps, { workspaceId, plan, logoId: logo })
      : await readLogoUpload(deps, logo).then(({ bytes, ...file }) => ({ ...file, read: async () => bytes }));
  return (await prepareDrawing(deps, code, query, drawn)).draw();
}
