import { picturesOfUnsaved, proofOfUnsaved } from "../../../domain/designing/proof.ts";
import { proofOfDesign } from "../../design/proof-of-form.tsx";
import { proofPicturesResponse } from "../../design/proof-pictures.ts";
import { proofState } from "../../design/proof-strip.tsx";
import type { DashboardRequest, Fragment } from "../../frame/request.ts";
import { editedCode, previewRequests, styleOf } from "./preview.tsx";

/** The disturbed pictures of the design in the form of a code, with the result of each. */
export async function proofOfForm(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const edited = await editedCode(request);
  const state = proofState(async () => proofOfUnsaved(deps, context, await styleOf(request, query, edited)));
  return proofOfDesign(request, "/dashboard/codes/proof", state, previewRequests(edited).proof);
}

/** The pictures themselves. */
export async function picturesOfForm(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const style = await styleOf(request, query, await editedCode(request));
  return proofPicturesResponse(await picturesOfUnsaved(deps, context, style), query);
}
