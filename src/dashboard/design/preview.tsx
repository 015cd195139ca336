import type { PropsWithChildren } from "hono/jsx";
import { asSentence } from "../../contract/issues.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { designLabels } from "./colors.ts";

/** The image of an unsaved design as SVG, or why there is none. */
export type PreviewState = { readonly svg: Uint8Array } | { readonly problem: string };

/** Draws a preview. @throws not_found, and what is no fault of the design */
export async function previewState(draw: () => Promise<Uint8Array>): Promise<PreviewState> {
  try {
    return { svg: await draw() };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "not_found") throw error;
    return { problem: words(error) };
  }
}

const fieldWords: Readonly<Record<string, string>> = {
  "colorConfig.dotsColor": "The colour of the code",
  "colorConfig.backgroundColor": "The background",
  "colorConfig.cornerColor": "The colour of the corners",
  logo: "The logo",
} satisfies Partial<Record<keyof typeof designLabels | "logo", string>>;

function words({ invalid, message }: ServiceError): string {
  const subject = invalid && fieldWords[invalid.field];
  return subject === undefined ? message : asSentence(subject, invalid?.problem ?? "");
}

interface Props {
  readonly state: PreviewState;
  /** Words below the image. */
  readonly note: string;
  /** The request that redraws the image, as attributes of htmx. */
  readonly request: Readonly<Record<`hx-${string}`, string>>;
}

/**
 * The image beside a form, which follows the fields in the element `design`; on phones, in a bar that stays in view. Without
 * scripts, a button draws it. @param children the buttons of the form
 */
export function Preview({ state, note, request, children }: PropsWithChildren<Props>) {
  return (
    <div class="preview-bar">
      <div
        class="preview-image"
        hx-trigger="input delay:200ms from:#design"
        hx-target="this"
        hx-sync="this:queue last"
        aria-live="polite"
        {...request}
      >
        <PreviewImage state={state} />
      </div>
      <p class="small quiet">{note}</p>
      <div class="preview-buttons">
        {children}
        <noscript>
          <button class="button" type="submit" name="change" value="preview">
            Preview
          </button>
        </noscript>
      </div>
    </div>
  );
}

export function PreviewImage({ state }: { state: PreviewState }) {
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
