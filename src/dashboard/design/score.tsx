import { limits } from "../../contract/limits.ts";
import type { Scannability } from "../../contract/resources/images/scannability.ts";
import type { Member } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import { measureUnsaved, type UnsavedStyle, unsavedFacts } from "../../domain/designing/preview.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { DesignFacts } from "../../domain/images/images.ts";
import { Icon } from "../../ui/icon.tsx";
import { Modules } from "../../ui/values/modules.tsx";

export type HtmxAttributes = Readonly<Record<`hx-${string}`, string>>;

/** How well an unsaved design can be scanned. */
export type Rating =
  | { readonly kind: "measured"; readonly facts: DesignFacts; readonly measured: Scannability }
  /**
   * `later`: too many designs were measured in this minute. `unavailable`: measuring isn't possible now or in this
   * installation.
   */
  | { readonly kind: "waiting" | "later" | "unavailable"; readonly facts: DesignFacts }
  /** The design can't be drawn; the preview says why. */
  | { readonly kind: "refused" };

/**
 * Rates a design.
 * @param mode whether to measure it, which takes seconds, or only to return what is known immediately
 * @throws not_found, and errors that aren't problems of the design
 */
export async function rate(
  deps: Deps,
  context: Member,
  style: () => Promise<UnsavedStyle>,
  mode: "measure" | "at once",
): Promise<Rating> {
  try {
    const unsaved = await style();
    const facts = await unsavedFacts(deps, context, unsaved);
    if (mode === "at once") return { kind: deps.images === undefined ? "unavailable" : "waiting", facts };
    return await measure(deps, context, unsaved, facts);
  } catch (error) {
    if (error instanceof ServiceError && ["invalid_input", "plan_limit"].includes(error.code))
      return { kind: "refused" };
    throw error;
  }
}

async function measure(
  deps: Deps,
  context: Member,
  style: UnsavedStyle,
  facts: DesignFacts,
): Promise<Rating> {
  try {
    return { kind: "measured", facts, measured: await measureUnsaved(deps, context, style) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "rate_limited") return { kind: "later", facts };
    if (error.status === 503) return { kind: "unavailable", facts };
    throw error;
  }
}

/** The printer whose smallest size is shown first, in dots per inch. */
const usualDpi = 300;

const sizeOf = ({ print }: Scannability, dpi: number) => print.find((each) => each.dpi === dpi);

const millimeters = (length: number): string => `${Math.ceil(length)} mm`;

interface ScoreProps {
  readonly rating: Rating;
  /** The request that measures again. */
  readonly again: HtmxAttributes;
}

/** The score and the smallest size on one line, which phones show beside the small picture. */
export function Score({ rating, again }: ScoreProps) {
  if (rating.kind !== "measured") {
    const [title, text] = words[rating.kind];
    const isWaiting = rating.kind === "waiting";
    return (
      <>
        <p class="score-title">
          <strong class={isWaiting ? "needs-scripts" : undefined}>{title}</strong>
          {isWaiting && (
            <noscript>
              <strong>Not measured yet</strong>
            </noscript>
          )}
        </p>
        <span aria-hidden="true">
          <Modules value={0} max={100} label={title} kind="score" />
        </span>
        <p class="small quiet only-narrow">{text}</p>
        {rating.kind === "later" && <span hx-trigger="load delay:15s" {...again} />}
      </>
    );
  }
  const { measured } = rating;
  const { score, verdict } = measured;
  return (
    <>
      <p class="score-title">
        <strong>{verdict}</strong>
        <span>
          <strong>{score}</strong> <span class="quiet">of 100</span>
        </span>
      </p>
      <Modules value={score} max={100} label="Score" kind="score" />
      {!measured.isReadable && (
        <p class="small quiet only-narrow">It needs {limits.scannability.floor} to be saved.</p>
      )}
    </>
  );
}

const words = {
  waiting: ["Testing…", "Reading it back"],
  later: ["Measured soon", "The score follows in a moment."],
  unavailable: ["Not measured", "The score isn't available."],
  refused: ["No score", "The design can't be scanned."],
} as const;

/** The reasons for the score, suggested changes, and the smallest size in print. */
export function Checks({ rating }: { rating: Rating }) {
  if (rating.kind === "refused") return <p class="small quiet">Fix the colours to see the score.</p>;
  const { facts } = rating;
  const measured = rating.kind === "measured" ? rating.measured : undefined;
  return (
    <>
      {measured !== undefined && !measured.isReadable && <Unreadable measured={measured} />}
      <ul class="plain facts-of-design">
        <Fact name="Contrast" value={`${facts.contrast} : 1`} isGood={facts.contrast >= 4.5} />
        {facts.covered !== undefined && (
          <Fact name="Logo covers" value={`${Math.round(100 * facts.covered)} %`} isGood />
        )}
        <Fact
          name="Quiet zone"
          value={facts.quietZone === 1 ? "1 module" : `${facts.quietZone} modules`}
          isGood={facts.quietZone >= limits.image.margin.default}
        />
      </ul>
      {measured === undefined ? <NoSize kind={rating.kind} /> : <Size measured={measured} />}
      <div class="reasons">
        {measured?.isReadable === true && measured.reasons.length > 0 && (
          <details class="unfold">
            <summary>What lowers the score</summary>
            <Advice measured={measured} />
          </details>
        )}
      </div>
    </>
  );
}

const Unreadable = ({ measured }: { measured: Scannability }) => (
  <div class="unreadable">
    <p class="problem">
      <Icon name="circle-alert" />
      <span>
        Phones can't read this design reliably. It needs a score of {limits.scannability.floor} to be saved.
      </span>
    </p>
    <Advice measured={measured} />
  </div>
);

const Advice = ({ measured: { reasons, changes } }: { measured: Scannability }) => (
  <ul>
    {changes.map((text) => (
      <li class="small">{text}</li>
    ))}
    {reasons.map((text) => (
      <li class="small quiet">{text}</li>
    ))}
  </ul>
);

const Fact = ({ name, value, isGood }: { name: string; value: string; isGood: boolean }) => (
  <li>
    <Icon name={isGood ? "check" : "triangle-alert"} />
    <span>{name}</span>
    <span class="quiet">{value}</span>
  </li>
);

/** The smallest size in print. */
function Size({ measured }: { measured: Scannability }) {
  const usual = sizeOf(measured, usualDpi);
  if (usual === undefined) return null;
  const others = measured.print.filter(({ dpi }) => dpi !== usualDpi);
  return (
    <div class="print-size">
      <svg viewBox="0 0 36 36" width="36" height="36" aria-hidden="true">
        <path
          fill="none"
          stroke="currentColor"
          stroke-width="1.75"
          d="M1 9V1h8M27 1h8v8M35 27v8h-8M9 35H1v-8"
        />
      </svg>
      <p>
        <strong>{millimeters(usual.widthMillimeters)}</strong>
        <span class="small quiet">
          Print it at least this wide at {usualDpi} dpi (
          {others.map(({ dpi, widthMillimeters }) => `${millimeters(widthMillimeters)} at ${dpi}`).join(", ")}
          )
        </span>
        <span class="small quiet">
          Scans from {Math.round(usual.distanceMillimeters / 10)} cm; a poster at 2 m needs{" "}
          {Math.ceil((200 * usual.widthMillimeters) / usual.distanceMillimeters)} cm
        </span>
      </p>
    </div>
  );
}

const NoSize = ({ kind }: { kind: "waiting" | "later" | "unavailable" | "measured" }) => (
  <div class="print-size">
    <p>
      <span class={kind === "waiting" ? "small quiet needs-scripts" : "small quiet"}>
        {kind === "unavailable"
          ? "The score and the smallest print size aren't available here. Print a code and scan it."
          : kind === "later"
            ? "Many designs measured this minute. The next score follows shortly."
            : "Scanning it tilted, blurred and in dim light to find its score and its smallest print size."}
      </span>
      {kind === "waiting" && (
        <noscript>
          <span class="small quiet">Choose Preview to measure its score and its smallest print size.</span>
        </noscript>
      )}
    </p>
  </div>
);

/** The response to a request for the score: the line, and the checks elsewhere on the page. */
export const RatingPart = ({ rating, again }: ScoreProps) => (
  <>
    <Score rating={rating} again={again} />
    <div hx-swap-oob="innerHTML:#checks">
      <Checks rating={rating} />
    </div>
  </>
);
