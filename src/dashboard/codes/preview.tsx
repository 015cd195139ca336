import { Shape } from "../../contract/resources/enums.ts";
import { ServiceError } from "../../domain/errors.ts";
import { previewImage } from "../../domain/images/preview.ts";
import type { Fragment, Visit } from "../frame/visit.ts";
import { readColors } from "./read-form.ts";

/** The image of an unsaved code as SVG, or why there is none. */
export type PreviewState = { readonly svg: Uint8Array } | { readonly problem: string };

/** Draws a code as the fields of its form say. @param id of the code that is edited */
export async function drawPreview(
  { deps, owner }: Visit,
  fields: URLSearchParams,
  id?: string,
): Promise<PreviewState> {
  try {
    const style = {
      id,
      colorConfig: readColors(fields),
      shape: Shape.safeParse(fields.get("shape")).data,
      templateId: fields.get("templateId") || undefined,
    };
    return { svg: await previewImage(deps, owner, style) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "not_found") throw error;
    return { problem: words(error) };
  }
}

const fieldWords: Readonly<Record<string, string>> = {
  "colorConfig.dotsColor": "The colour of the code",
  "colorConfig.backgroundColor": "The background",
  "colorConfig.cornerColor": "The colour of the corners",
};

function words({ invalid, message }: ServiceError): string {
  const subject = invalid && fieldWords[invalid.field];
  return subject === undefined ? `${message}.` : `${subject} ${invalid?.problem}.`;
}

/** Redraws the preview while a form is filled in. */
export async function codePreview(visit: Visit): Promise<Fragment> {
  const state = await drawPreview(visit, visit.query, visit.query.get("id") || undefined);
  return { fragment: <PreviewImage state={state} /> };
}

/** The image beside a form, which follows its design. */
export function Preview({ state, id }: { state: PreviewState; id?: string | undefined }) {
  return (
    <div class="sticky">
      <div
        class="preview"
        hx-get={`/dashboard/codes/preview${id === undefined ? "" : `?id=${id}`}`}
        hx-trigger="input delay:200ms from:#design, change from:#design"
        hx-include="#design"
        hx-target="this"
        hx-sync="this:replace"
        aria-live="polite"
      >
        <PreviewImage state={state} />
      </div>
      <p class="small quiet">
        {id === undefined ? "A preview: it can't be scanned yet." : "A preview: save to apply it."}
      </p>
    </div>
  );
}

function PreviewImage({ state }: { state: PreviewState }) {
  if ("problem" in state) return <p class="problem">{state.problem}</p>;
  return (
    <img
      src={`data:image/svg+xml;base64,${state.svg.toBase64()}`}
      alt="The code as it will look"
      width="256"
      height="256"
    />
  );
}
