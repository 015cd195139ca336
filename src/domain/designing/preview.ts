import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images/images.ts";
import type { Scannability } from "../../contract/resources/images/scannability.ts";
import { mergePatch } from "../../lib/text/json.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { requireQr } from "../codes/require-code.ts";
import type { Member, WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireScannableChange } from "../images/design.ts";
import { type DesignFacts, type DrawnLogo, drawnLogo, factsOf, prepareDrawing } from "../images/images.ts";
import { measureStyle } from "../images/scannability.ts";
import { readLogoUpload } from "../logos/logos.ts";
import type { LogoPicture } from "../logos/pictures.ts";
import {
  applyStyle,
  type CodeStyle,
  loadStyleReferences,
  noStyle,
  requireTemplatesInPlan,
  type StyleInput,
} from "../templates/styles.ts";
import { requireTemplate } from "../templates/templates.ts";

/** A style as it would be saved: that of a code or a template, drawn as a code with this hash. */
export interface UnsavedStyle extends CodeStyle {
  readonly hash: string;
  /** The domain of its short link; that of the scan origin if null or missing. */
  readonly activeDomain?: string | null;
  /** A logo that is not stored; undefined for the stored one. */
  readonly logo?: DrawnLogo | undefined;
}

/** The logo of a template that has not been saved: the id of one of the workspace, or a new file; null for none. */
type LogoChoice = string | Uint8Array<ArrayBuffer> | null;

/** The short name in the image of a new code. It is reserved, so scanning the preview finds no code. */
const placeholder = "preview";

const query = ImageQuery.parse({});

/**
 * The style that saving an input would give a code.
 * @param id of the code that is changed; undefined for a new one
 * @throws invalid_input for a style that phones can't scan, or an unknown template; plan_limit; not_found
 */
export async function unsavedStyle(
  deps: Deps,
  context: WorkspaceContext,
  id: string | undefined,
  input: StyleInput,
): Promise<UnsavedStyle> {
  const before = id === undefined ? undefined : await requireQr(deps, context, id);
  const { hash, activeDomain } = before ?? { hash: placeholder, activeDomain: null };
  return { hash, activeDomain, ...(await changed(deps, context, before ?? noStyle, input)) };
}

/**
 * The style that saving an input would give a template.
 * @param id of the template that is changed; undefined for a new one
 * @throws as `unsavedStyle`; invalid_input for a logo that can't be used
 */
export async function unsavedTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string | undefined,
  input: StyleInput,
  logo: LogoChoice,
): Promise<UnsavedStyle> {
  requireTemplatesInPlan(context);
  const before = id === undefined ? noStyle : await requireTemplate(deps, context, id);
  const after = await changed(deps, context, before, input);
  if (logo === null || typeof logo === "string") return { hash: placeholder, ...after, logoId: logo };
  return { hash: placeholder, ...after, logoId: null, logo: await readUpload(deps, context, logo) };
}

async function readUpload(
  deps: Deps,
  context: WorkspaceContext,
  file: Uint8Array<ArrayBuffer>,
): Promise<DrawnLogo> {
  const { bytes, drawing, ...logo } = await readLogoUpload(deps, context, file);
  const picture: LogoPicture =
    drawing === undefined ? { kind: "png", bytes } : { kind: "drawing", drawing: JSON.parse(drawing) };
  return { ...logo, read: async () => picture };
}

async function changed(
  deps: Deps,
  context: WorkspaceContext,
  before: CodeStyle,
  input: StyleInput,
): Promise<CodeStyle> {
  const references = await loadStyleReferences(deps, context, input);
  const styled = applyStyle(context, input, references, before.advanced);
  const { templateColors, templateAdvanced, logoId = before.logoId, shape = before.shape } = styled;
  const merged = <T extends object>(old: T | null, changes: object | null | undefined): T | null =>
    changes === undefined ? old : changes && (mergePatch({ ...old }, { ...changes }) as T);
  const after = {
    colorConfig: templateColors ?? merged(before.colorConfig, input.colorConfig),
    shape,
    advanced: templateAdvanced === undefined ? merged(before.advanced, input.advanced) : templateAdvanced,
    logoId,
  };
  requireScannableChange(before, after);
  return after;
}

/** Narrower than in print, for a larger image in the same place. */
const withNarrowZone = ({ advanced, ...style }: UnsavedStyle): UnsavedStyle => ({
  ...style,
  advanced: { quietZone: 2, ...advanced },
});

const logoOf = async (deps: Deps, context: WorkspaceContext, { logo, logoId }: UnsavedStyle) =>
  logo ?? drawnLogo(deps, { ...ownerOf(context), logoId });

const ownerOf = ({ workspaceId, plan }: WorkspaceContext) => ({ workspaceId, plan });

/** A style that is not saved as SVG. @throws invalid_input for one that phones can't scan */
export async function drawUnsaved(
  deps: Deps,
  context: WorkspaceContext,
  style: UnsavedStyle,
): Promise<Uint8Array> {
  const logo = await logoOf(deps, context, style);
  const code = { ...withNarrowZone(style), ...ownerOf(context) };
  return (await prepareDrawing(deps, code, query, logo)).draw();
}

/** Returns facts about an unsaved style that need no measurement. @throws invalid_input for one that phones can't scan */
export const unsavedFacts = async (
  deps: Deps,
  context: WorkspaceContext,
  style: UnsavedStyle,
): Promise<DesignFacts> =>
  factsOf(deps, { ...style, ...ownerOf(context) }, await logoOf(deps, context, style));

/**
 * How well codes of a style that is not saved can be scanned.
 * @throws rate_limited; internal (503) without the images Worker; invalid_input
 */
export async function measureUnsaved(
  deps: Deps,
  context: Member,
  style: UnsavedStyle,
): Promise<Scannability> {
  const { designing } = limits.scannability;
  return measureStyle(deps, context, measuredCode(style), designing, style.logo);
}

/** Returns a style with a hash of the length that its code will have. */
export const measuredCode = (style: UnsavedStyle): UnsavedStyle =>
  style.hash === placeholder ? { ...style, hash: "x".repeat(limits.scannability.hashLength.default) } : style;

/** A sample code in the design of a saved template. @throws not_found */
export async function getTemplateSample(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<DrawnFile> {
  const { colorConfig, shape, advanced, logoId } = await requireTemplate(deps, context, id);
  const style = withNarrowZone({ hash: placeholder, colorConfig, shape, advanced, logoId });
  const code = { ...style, ...ownerOf(context) };
  return prepareDrawing(deps, code, query, await drawnLogo(deps, code));
}
