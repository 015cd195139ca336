import { brandOf } from "../../domain/brand/brand.ts";
import { listLogos } from "../../domain/brand/logos.ts";
import { getVersionedQr } from "../../domain/codes/codes.ts";
import { planOf } from "../../domain/context/plan.ts";
import { keepUpload } from "../brand/upload.ts";
import { looksOf, showsLook, valuesOfLook } from "../design/looks.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { showEditedCode } from "./edit.tsx";
import { showNewCode, typeOf } from "./new.tsx";

/** Adds a logo to the brand from the form of a code, and shows the form with it. */
export async function addLogoToCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form, query } = request;
  const outcome = await keepUpload(request);
  const rejection = outcome !== undefined && "rejection" in outcome ? outcome.rejection : undefined;
  const values = outcome !== undefined && "done" in outcome ? await withLogo(request, outcome.done.id) : form;
  const id = query.get("id");
  if (id === null) return showNewCode(request, typeOf(form.get("type")), values, rejection);
  return showEditedCode(request, await getVersionedQr(deps, context, id), values, rejection);
}

/** Returns a form with a logo. The plain look, which has none, becomes the first one. */
async function withLogo({ deps, context, form }: DashboardRequest, id: string): Promise<URLSearchParams> {
  const [{ colors }, logos] = await Promise.all([brandOf(deps, context), listLogos(deps, context)]);
  const looks = looksOf({ plan: planOf(context), colors, logos }, id);
  const [first] = looks;
  const plain = looks.at(-1);
  const isPlain = plain !== undefined && showsLook(form, plain);
  const look = isPlain && first !== undefined ? valuesOfLook(first) : {};
  return new URLSearchParams({ ...Object.fromEntries(form), ...look, "advanced.logo.id": id });
}
