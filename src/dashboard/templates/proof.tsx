import { picturesOfUnsaved, proofOfUnsaved } from "../../domain/designing/proof.ts";
import { logoField } from "../brand/upload.ts";
import { proofOfDesign } from "../design/proof-of-form.tsx";
import { proofPicturesResponse } from "../design/proof-pictures.ts";
import { type ProofState, proofState } from "../design/proof-strip.tsx";
import type { DashboardRequest, Fragment } from "../frame/request.ts";
import { editedIn, styleOf, templateRequests } from "./preview.tsx";

/** The disturbed pictures of the design in the form of a template, with the result of each. */
export async function proofOfTemplate(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const edited = await editedIn(request);
  // The address of a picture can't carry a file.
  const state: ProofState | Promise<ProofState> = query.has(logoField)
    ? { kind: "unsaved" }
    : proofState(async () => proofOfUnsaved(deps, context, await styleOf(request, query, edited)));
  const again = templateRequests(edited?.template.id).proof;
  return proofOfDesign(request, "/dashboard/templates/proof", state, again);
}

/** The pictures themselves. */
export async function picturesOfTemplate(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const style = await styleOf(request, query, await editedIn(request));
  return proofPicturesResponse(await picturesOfUnsaved(deps, context, style), query);
}
