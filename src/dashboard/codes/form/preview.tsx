import { limits } from "../../../contract/limits.ts";
import { getVersionedQr, type VersionedQr } from "../../../domain/codes/codes.ts";
import { drawUnsaved, unsavedStyle, type UnsavedStyle } from "../../../domain/designing/preview.ts";
import { type PictureState, pictureState, PreviewPart, type PreviewState } from "../../design/preview.tsx";
import { rate, RatingPart } from "../../design/score.tsx";
import type { Fragment, DashboardRequest } from "../../frame/request.ts";
import { baseStyle, ownStyle, readStyle } from "./design.ts";

/** A code's style as the fields of its form say. */
async function styleOf(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<UnsavedStyle> {
  const { deps, context } = request;
  const base = await baseStyle(request, fields, ownStyle(edited));
  const input = readStyle(fields, base, edited?.qr.templateId ?? null);
  return unsavedStyle(deps, context, edited?.qr.id, input);
}

/** The same with the short name of a new code, whose length the size of the code depends on. */
async function measuredStyle(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<UnsavedStyle> {
  const style = await styleOf(request, fields, edited);
  const { length } = (fields.get("hash") ?? "").trim();
  const { min, max } = limits.scannability.hashLength;
  return edited === undefined && length >= min && length <= max
    ? { ...style, hash: "x".repeat(length) }
    : style;
}

function draw(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
): Promise<PictureState> {
  const { deps, context } = request;
  return pictureState(fields, async () => drawUnsaved(deps, context, await styleOf(request, fields, edited)));
}

/**
 * The design as shown by the form of a code.
 * @param edited the code that is edited
 * @param mode whether to measure it
 */
export async function previewOf(
  request: DashboardRequest,
  fields: URLSearchParams,
  edited: VersionedQr | undefined,
  mode: "measure" | "at once",
): Promise<PreviewState> {
  const { deps, context } = request;
  const [picture, rating] = await Promise.all([
    draw(request, fields, edited),
    rate(deps, context, () => measuredStyle(request, fields, edited), mode),
  ]);
  return { picture, rating };
}

async function editedCode({ deps, context, query }: DashboardRequest): Promise<VersionedQr | undefined> {
  const id = query.get("id") ?? "";
  return id === "" ? undefined : getVersionedQr(deps, context, id);
}

/** Redraws the preview while a form is filled in. */
export async function codePreview(request: DashboardRequest): Promise<Fragment> {
  const edited = await editedCode(request);
  const picture = await draw(request, request.query, edited);
  return { fragment: <PreviewPart picture={picture} fields={request.query} /> };
}

/** The requests of the form of a code. */
export function previewRequests(edited: VersionedQr | undefined) {
  const query = edited === undefined ? "" : `?id=${edited.qr.id}`;
  const include = { "hx-include": "#design, [name=hash]" };
  return {
    image: { "hx-get": `/dashboard/codes/preview${query}`, ...include },
    score: { "hx-get": `/dashboard/codes/score${query}`, ...include },
  };
}

/** Measures the design while a form is filled in. */
export async function codeScore(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const edited = await editedCode(request);
  const rating = await rate(deps, context, () => measuredStyle(request, query, edited), "measure");
  return { fragment: <RatingPart rating={rating} again={previewRequests(edited).score} /> };
}
