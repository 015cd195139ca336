import { limits } from "../../contract/limits.ts";
import { type BrandLogo, BrandLogoUpdate } from "../../contract/resources/images/brand.ts";
import { uploadLogo } from "../../domain/brand/logos.ts";
import type { Deps } from "../../domain/deps.ts";
import { maxLogoBytes } from "../../domain/logos/files.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Outcome, rejectionOf } from "../frame/submit-form.ts";

/** The field with a logo's file: its name and its label. */
export const logoField = "logo";
export const logoLabel = "Logo file";

/** The problem of a file that exceeds a form's limit. */
export const uploadProblem = (deps: Deps): string => `can have at most ${maxLogoBytes(deps) / 1024} KiB`;

/** Adds a form's logo to the brand, named after its file; undefined if no file was chosen. */
export async function keepUpload({
  deps,
  context,
  files,
}: DashboardRequest): Promise<Outcome<BrandLogo> | undefined> {
  const file = files.get(logoField);
  if (file === undefined) return undefined;
  if (file.isCut) return { rejection: { problems: { [logoField]: uploadProblem(deps) }, status: 400 } };
  try {
    return { done: await uploadLogo(deps, context, nameOf(file.name), file.bytes) };
  } catch (error) {
    return { rejection: rejectionOf(error) };
  }
}

/** Derives a logo's name from a file name. */
function nameOf(fileName: string): string {
  const name = fileName.replace(/\.[^.]{1,5}$/, "").slice(0, limits.brand.name);
  return BrandLogoUpdate.safeParse({ name }).data?.name ?? "Logo";
}
