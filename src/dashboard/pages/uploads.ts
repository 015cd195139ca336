import { invalid } from "../../domain/errors.ts";
import { imageTooLarge, storePageImage } from "../../domain/pages/image-uploads.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import { listNames } from "./entry-types.ts";
import type { ActedForm } from "./form-actions.ts";
import type { SubmittedPageForm } from "./form-values.ts";

/** The value of the button that uploads the chosen images. */
export const uploadAction = "upload";

const prefix = "file.";

/** Returns the name of the field for the file of an image. @param of the field of its address */
export const fileField = (of: string): string => `${prefix}${of}`;

/**
 * Stores the images that were chosen in the editor, and puts their addresses into its form.
 * @returns the form, with a rejection if an image can't be stored
 */
export async function storeImages(
  { deps, context, files }: DashboardRequest,
  { form, numbers }: SubmittedPageForm,
): Promise<ActedForm & { readonly rejection?: Rejection }> {
  const single = new URLSearchParams(form.single);
  const blocks = [...form.blocks];
  let focus = "";
  for (const [name, file] of files) {
    if (!name.startsWith(prefix)) continue;
    const [, number] = /^blocks\.(\d+)\.url$/.exec(name.slice(prefix.length)) ?? [];
    const at = number === undefined ? -1 : numbers.blocks.indexOf(number);
    if (number !== undefined && at === -1) continue;
    const image = number === undefined ? "header" : `${listNames.blocks}.${at}`;
    try {
      if (file.isCut) throw invalid("image", imageTooLarge);
      const { url } = await storePageImage(deps, context, file.bytes);
      if (number === undefined) single.set("header.url", url);
      else blocks[at] = { ...blocks[at], url };
      focus = `${image}.alt`;
    } catch (error) {
      const rejection = rejectionOf(error);
      const { image: problem, ...others } = rejection.problems;
      const field = fileField(`${image}.url`);
      return {
        form: { ...form, single, blocks },
        focus: field,
        rejection: { ...rejection, problems: problem === undefined ? others : { [field]: problem } },
      };
    }
  }
  return { form: { ...form, single, blocks }, focus };
}
