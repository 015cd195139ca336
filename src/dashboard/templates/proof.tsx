import { picturesOfUnsaved, proofOfUnsaved } from "../../domain/designing/proof.ts";
import { logoField } from "../brand/upload.ts";
import { proofPicturesResponse } from "../design/proof-pictures.ts";
import { proofState, type ProofState, ProofStrip } from "../design/proof-strip.tsx";
import type { DashboardRequest, Fragment } from "../frame/request.ts";
import { editedIn, styleOf, templateRequests } from "./preview.tsx";

/** The disturbed pictures of the design in the form of a template, with the result of each. */
export async function proofOfTemplate(request: DashboardRequest): Promise<Fragment> {
  const { deps, context, query } = request;
  const edited = await editedIn(request);
  const measure = async () => proofOfUnsaved(deps, context, await styleOf(request, query, edited));
  const [state, timeZone] = await Promise.all([
    // The address of a picture can't carry a file.
    query.has(logoField) ? ({ kind: "unsaved" } satisfies ProofState) : proofState(measure),
    request.timeZone(),
  ]);
  const fields = new URLSearchParams(query);
  if (state.kind === "measured") fields.set("of", state.proof.picturesTag);
  return {
    fragment: (
      <ProofStrip
        state={state}
        pictures={`/dashboard/templates/proof.png?${fields}`}
        timeZone={timeZone}
        again={templateRequests(edited?.template.id).proof}
      />
    ),
  };
}

/** The pictures themselves. */
export async function picturesOfTemplate(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const style = await styleOf(request, query, await editedIn(request));
  return proofPicturesResponse(await picturesOfUnsaved(deps, context, style), query);
}
