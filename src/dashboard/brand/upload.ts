import { limits } from "../../contract/limits.ts";
import { type BrandLogo, BrandLogoUpdate } from "../../contract/resources/brand.ts";
import { uploadLogo } from "../../domain/brand/logos.ts";
import { type Outcome, rejectionOf } from "../frame/submit-form.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** The field with a logo's file: its name and its label. */
export const logoField = "logo";
export const logoLabel = "Logo file";

/** The problem of a file that is larger than a form may be. */
export const uploadProblem = `can have at most ${limits.logo.bytes / 1024} KiB`;

/** Adds the logo that a form brought to the brand, under the name of its file; undefined if no file was chosen. */
export async function keepUpload({
  deps,
  context,
  files,
}: DashboardRequest): Promise<Outcome<BrandLogo> | undefined> {
  const file = files.get(logoField);
  if (file === undefined) return undefined;
  if (file.isCut) return { rejection: { problems: { [logoField]: uploadProblem }, status: 400 } };
  try {
    return { done: await uploadLogo(deps, context, nameOf(file.name), file.bytes) };
  } catch (error) {
    return { rejection: rejectionOf(error) };
  }
}

/** The name of a logo in a file of this name. */
function nameOf(fileName: string): string {
  const name = fileName.replace(/\.[^.]{1,5}$/, "").slice(0, limits.brand.name);
  return BrandLogoUpdate.safeParse({ name }).data?.name ?? "Logo";
}
