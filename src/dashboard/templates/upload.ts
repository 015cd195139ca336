import { limits } from "../../contract/limits.ts";
import { uploadLogo } from "../../domain/templates/logo-library.ts";
import type { SavedLogo } from "../../domain/templates/logos.ts";
import { type Outcome, rejectionOf } from "../frame/submit-form.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** The field with a logo's file: its name and its label. */
export const logoField = "logo";
export const logoLabel = "Logo file";

/** The problem of a file that is larger than a form may be. */
export const uploadProblem = `can have at most ${limits.logo.bytes / 1024} KiB`;

/** Stores the logo that a form brought; undefined if no file was chosen. */
export async function keepUpload({
  deps,
  context,
  files,
}: DashboardRequest): Promise<Outcome<SavedLogo> | undefined> {
  const file = files.get(logoField);
  if (file === undefined) return undefined;
  if (file.isCut) return { rejection: { problems: { [logoField]: uploadProblem }, status: 400 } };
  try {
    return { done: await uploadLogo(deps, context, file.bytes) };
  } catch (error) {
    return { rejection: rejectionOf(error) };
  }
}
