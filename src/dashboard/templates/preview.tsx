import type { Template } from "../../contract/resources/images/templates.ts";
import { drawUnsaved, type UnsavedStyle, unsavedTemplate } from "../../domain/designing/preview.ts";
import { type CodeStyle, noStyle } from "../../domain/templates/styles.ts";
import { getVersionedTemplate } from "../../domain/templates/templates.ts";
import { logoField, uploadProblem } from "../brand/upload.ts";
import { styleChanges } from "../design/fields.ts";
import { PreviewPart, pictureState } from "../design/preview.tsx";
import { type HtmxAttributes, RatingPart, rate } from "../design/score.tsx";
import type { DashboardRequest, Fragment } from "../frame/request.ts";

/** A template with the style that its form shows. */
export interface Edited {
  readonly template: Template;
  readonly style: CodeStyle;
}

/** Returns a template to edit. @throws not_found */
export async function findEdited({ deps, context }: DashboardRequest, id: string): Promise<Edited> {
  const { template, logoId } = await getVersionedTemplate(deps, context, id);
  const { colorConfig, shape, advanced } = template;
  return { template, style: { colorConfig, shape, advanced, logoId } };
}

/** Changes of `advanced`, with the logo apart: null for none, undefined for the one that is there. */
export function apart(
  advanced: Readonly<Record<string, unknown>>,
): [logo: { readonly id: string } | null | undefined, others: Readonly<Record<string, unknown>>] {
  const { logo, ...others } = advanced;
  if (logo === undefined) return [undefined, advanced];
  if (logo === null) return [null, advanced];
  const { id, ...place } = logo as { readonly id?: string };
  const placed = Object.keys(place).length === 0 ? others : { ...others, logo: place };
  return [id === undefined ? undefined : { id }, placed];
}

/** A template's style as the fields of its form say. @param file a logo that was chosen but not stored */
export function styleOf(
  { deps, context }: DashboardRequest,
  fields: URLSearchParams,
  edited: Edited | undefined,
  file?: Uint8Array<ArrayBuffer>,
): Promise<UnsavedStyle> {
  const { advanced = {}, ...changes } = styleChanges(fields, edited?.style ?? noStyle);
  const [logo, placed] = apart(advanced);
  const stored = logo === undefined ? (edited?.style.logoId ?? null) : (logo?.id ?? null);
  return unsavedTemplate(
    deps,
    context,
    edited?.template.id,
    { ...changes, ...(Object.keys(placed).length > 0 && { advanced: placed }) },
    file ?? stored,
  );
}

export const editedIn = async (request: DashboardRequest): Promise<Edited | undefined> => {
  const id = request.query.get("id") ?? "";
  return id === "" ? undefined : findEdited(request, id);
};

/** The requests of the form of a template. @param id undefined for a new one */
export function templateRequests(
  id: string | undefined,
): Record<"image" | "score" | "proof", HtmxAttributes> {
  const query = id === undefined ? "" : `?id=${id}`;
  const design = { "hx-include": "#design" };
  const withFile = { "hx-encoding": "multipart/form-data", ...design };
  return {
    image: { "hx-post": `/dashboard/templates/preview${query}`, ...withFile },
    score: { "hx-post": `/dashboard/templates/score${query}`, ...withFile },
    proof: { "hx-get": `/dashboard/templates/proof${query}`, ...design },
  };
}

/** Redraws the preview while a form is filled in. */
export async function templatePreview(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, form, files } = request;
  const file = files.get(logoField);
  const edited = await editedIn(request);
  const picture =
    file?.isCut === true
      ? { problem: `The logo ${uploadProblem(deps)}.`, pairs: [] }
      : await pictureState(form, async () =>
          drawUnsaved(deps, context, await styleOf(request, form, edited, file?.bytes)),
        );
  return { fragment: <PreviewPart picture={picture} fields={form} /> };
}

/** Measures the design while a form is filled in. */
export async function templateScore(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, form, files } = request;
  const file = files.get(logoField);
  const edited = await editedIn(request);
  const rating =
    file?.isCut === true
      ? ({ kind: "refused" } as const)
      : await rate(deps, context, () => styleOf(request, form, edited, file?.bytes), "measure");
  return { fragment: <RatingPart rating={rating} again={templateRequests(edited?.template.id).score} /> };
}
