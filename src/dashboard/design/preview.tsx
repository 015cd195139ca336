import type { PropsWithChildren } from "hono/jsx";
import { asSentence } from "../../contract/sentences.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { FormState } from "../../ui/forms/form.ts";
import { type FaintPair, faintPairs } from "./contrast.ts";
import { designLabels } from "./fields.ts";
import { fillValue } from "./fill.ts";
import { Checks, type HtmxAttributes, type Rating, Score } from "./score.tsx";
import { designStates } from "./states.ts";

/** The image of an unsaved design as SVG, or why there is none. */
export type PictureState =
  | { readonly svg: Uint8Array }
  | { readonly problem: string; readonly pairs: readonly FaintPair[] };

/** The preview of an unsaved design. */
export interface PreviewState {
  readonly picture: PictureState;
  readonly rating: Rating;
}

/** Draws a preview. @param fields of the form @throws not_found, and what is no fault of the design */
export async function pictureState(
  fields: URLSearchParams,
  draw: () => Promise<Uint8Array>,
): Promise<PictureState> {
  try {
    return { svg: await draw() };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "not_found") throw error;
    return { problem: words(error), pairs: faintPairs(fields) };
  }
}

const fieldWords: Readonly<Record<string, string>> = {
  ...designLabels,
  "colorConfig.dotsColor": "The colour of the code",
  "colorConfig.backgroundColor": "The background",
  "colorConfig.cornerColor": "The colour of the eyes",
  "advanced.frame.text": "The text of the frame",
  logo: "The logo",
};

function words({ invalid, message }: ServiceError): string {
  const subject = invalid && fieldWords[invalid.field];
  return subject === undefined ? message : asSentence(subject, invalid?.problem ?? "");
}

/** The requests that redraw and measure a design, as attributes of htmx. */
interface PreviewRequests {
  readonly image: HtmxAttributes;
  readonly score: HtmxAttributes;
}

/** Whether a form is shown again for its preview, or for a design that was refused: then it is measured at once. */
export const isAsked = (form: URLSearchParams, problems: FormState["problems"]): boolean =>
  form.get("change") === "preview" || "advanced" in problems;

interface Props {
  readonly state: PreviewState;
  /** The text below the image. */
  readonly note: string;
  readonly requests: PreviewRequests;
}

/**
 * The image beside a form with how well it scans, which follow the fields in the element `design`; on phones, in a bar that stays
 * in view. Without scripts, a button draws it. @param children the buttons of the form
 */
export function Preview({ state, note, requests, children }: PropsWithChildren<Props>) {
  const isMeasured = state.rating.kind !== "waiting" && state.rating.kind !== "refused";
  return (
    <div class="preview-side">
      <section class="checks" id="checks" aria-label="Checks of the design">
        <Checks rating={state.rating} />
      </section>
      <div class="preview-bar">
        <div
          class="preview-image"
          hx-trigger="input delay:200ms from:#design"
          hx-target="this"
          hx-sync="this:queue last"
          aria-live="polite"
          {...requests.image}
        >
          <PreviewImage picture={state.picture} />
        </div>
        <div
          class="rating"
          id="score"
          data-measuring="Testing…"
          hx-trigger={`${isMeasured ? "" : "load, "}input delay:600ms from:#design`}
          hx-target="this"
          hx-indicator="this"
          hx-sync="this:queue last"
          aria-live="polite"
          {...requests.score}
        >
          <Score rating={state.rating} again={requests.score} />
        </div>
        <p class="small quiet note">{note}</p>
        <div class="preview-buttons">
          {children}
          <noscript>
            <button class="button" type="submit" name="change" value="preview">
              Preview
            </button>
          </noscript>
        </div>
      </div>
    </div>
  );
}

/** The response to a request for the image: the image, and the summaries of fields elsewhere on the page. */
export const PreviewPart = ({ picture, fields }: { picture: PictureState; fields: URLSearchParams }) => (
  <>
    <PreviewImage picture={picture} />
    {Object.entries(designStates).map(([name, stateOf]) => (
      <span hx-swap-oob={`innerHTML:#${name}-state`}>{stateOf(fields)}</span>
    ))}
  </>
);

/** The image. While a design can't be drawn, scripts leave the last one in place, above the reason. */
function PreviewImage({ picture }: { picture: PictureState }) {
  if ("problem" in picture) {
    return (
      <>
        <span id={imageId} hx-preserve="true" />
        <Refused {...picture} />
      </>
    );
  }
  return (
    <img
      id={imageId}
      src={`data:image/svg+xml;base64,${picture.svg.toBase64()}`}
      alt="The code as it will look"
      width="256"
      height="256"
    />
  );
}

const imageId = "preview-image";

/** Why a design can't be drawn; of colours, with a click that solves it. */
function Refused({ problem, pairs }: { problem: string; pairs: readonly FaintPair[] }) {
  if (pairs.length === 0) return <p class="problem">{problem}</p>;
  return (
    <div>
      {pairs.map(({ what, problem: why, fix }) => (
        <div class="faint-pair">
          <p class="problem">
            {what} {why}
          </p>
          {fix !== undefined && (
            <button class="button" type="submit" name="change" value={fillValue(fix.values)}>
              <svg viewBox="0 0 1 1" width="16" height="16" aria-hidden="true">
                <rect width="1" height="1" fill={Object.values(fix.values)[0]} />
              </svg>
              {fix.words}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
