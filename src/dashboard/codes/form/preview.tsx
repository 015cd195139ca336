import { Shape } from "../../../contract/resources/enums.ts";
import type { Qr } from "../../../contract/resources/qr.ts";
import { getQr } from "../../../domain/codes/codes.ts";
import { previewImage } from "../../../domain/images/preview.ts";
import { colorChanges, readColors } from "../../design/colors.ts";
import { PreviewImage, type PreviewState, previewState } from "../../design/preview.tsx";
import type { Fragment, DashboardRequest } from "../../frame/request.ts";
import { isChanged } from "./read-form.ts";

/** Draws a code as the fields of its form say. @param qr the code that is edited */
export function drawPreview(
  { deps, context }: DashboardRequest,
  fields: URLSearchParams,
  qr?: Qr,
): Promise<PreviewState> {
  const colorConfig = readColors(fields);
  const shape = Shape.safeParse(fields.get("shape")).data;
  const chosen = isChanged(fields, "templateId", qr?.templateId ?? null) && fields.get("templateId");
  const isOwnShape = isChanged(fields, "shape", qr?.shape ?? null);
  // A template gives what the form does not change.
  const template = chosen
    ? {
        templateId: chosen,
        colorConfig: qr === undefined ? colorConfig : colorChanges(fields, qr),
        shape: isOwnShape ? (shape ?? null) : undefined,
      }
    : undefined;
  return previewState(() => previewImage(deps, context, { id: qr?.id, colorConfig, shape, template }));
}

/** Redraws the preview while a form is filled in. */
export async function codePreview(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const id = query.get("id") || undefined;
  const qr = id === undefined ? undefined : await getQr(deps, context, id);
  return { fragment: <PreviewImage state={await drawPreview(request, query, qr)} /> };
}
