import { getVersionedQr } from "../../domain/codes/codes.ts";
import { keepUpload } from "../brand/upload.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { showEditedCode } from "./edit.tsx";
import { showNewCode, typeOf } from "./new.tsx";

/** Adds a logo to the brand from the form of a code, and shows the form with it. */
export async function addLogoToCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form, query } = request;
  const outcome = await keepUpload(request);
  const values = new URLSearchParams(form);
  const rejection = outcome !== undefined && "rejection" in outcome ? outcome.rejection : undefined;
  if (outcome !== undefined && "done" in outcome) values.set("advanced.logo.id", outcome.done.id);
  const id = query.get("id");
  if (id === null) return showNewCode(request, typeOf(form.get("type")), values, rejection);
  return showEditedCode(request, await getVersionedQr(deps, context, id), values, rejection);
}
