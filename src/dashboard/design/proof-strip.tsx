import type { DisturbanceName, Scannability } from "../../contract/resources/images/scannability.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { Proof, ProvenDisturbance } from "../../domain/images/proof.ts";
import { Icon } from "../../ui/icon.tsx";
import { formatDate } from "../../ui/values/format.ts";
import type { HtmxAttributes } from "./score.tsx";

/** How a design was read, picture by picture. */
export type ProofState =
  | { readonly kind: "measured"; readonly proof: Proof }
  /**
   * `waiting`: it is about to be measured. `later`: too many designs were measured in this minute. `unavailable`: not
   * possible now or in this installation. `refused`: the design can't be drawn. `unsaved`: its logo isn't stored yet.
   */
  | { readonly kind: "waiting" | "later" | "unavailable" | "refused" | "unsaved" };

/** Measures a design for its proof. @throws not_found, and errors that aren't problems of the design */
export async function proofState(measure: () => Promise<Proof | undefined>): Promise<ProofState> {
  try {
    const proof = await measure();
    return proof === undefined ? { kind: "unavailable" } : { kind: "measured", proof };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "rate_limited") return { kind: "later" };
    if (error.status === 503) return { kind: "unavailable" };
    if (error.code === "invalid_input" || error.code === "plan_limit") return { kind: "refused" };
    throw error;
  }
}

/** The pictures of a proof by disturbance, as people see them. */
const captions: Readonly<Record<DisturbanceName, string>> = {
  perspective: "At an angle",
  blur: "Out of focus",
  noise: "Grainy",
  lowResolution: "Far away",
  dimLight: "Dim light",
  printGrowth: "Ink spread",
  darkSurroundings: "On dark",
  brightSurroundings: "On white",
};

const words = {
  waiting: "Testing…",
  later: "Many designs measured this minute. The pictures follow shortly.",
  unavailable: "The pictures that decoders read aren't available here. Print a code and scan it.",
  refused: "This design can't be scanned, so there is nothing to show.",
  unsaved: "The pictures follow once the new logo is saved.",
} as const;

interface Props {
  readonly state: ProofState;
  /** The address of the pictures. */
  readonly pictures: string;
  /** The address of the proof for the printer; undefined where there is none. */
  readonly pdf?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
  /** The request that shows the strip, in place of this one. */
  readonly again: HtmxAttributes;
  /** The page that measures it without scripts. */
  readonly page?: string | undefined;
}

/** The disturbed pictures of a design with the result of each, in one row. */
export function ProofStrip({ state, pictures, pdf, timeZone, again, page }: Props) {
  if (state.kind !== "measured") return <NoPictures kind={state.kind} again={again} page={page} />;
  const { proof } = state;
  const { scannability, disturbances, measuredAt } = proof;
  const facts = [
    ...sizeOf(scannability),
    `measured ${formatDate(new Date(measuredAt).toISOString(), timeZone)}`,
  ];
  return (
    <section class="proof">
      <div class="proof-head">
        <h2>Proof: {scannability.score} of 100</h2>
        <p class="small quiet">
          {facts.join(" · ")}
          {pdf !== undefined && (
            <>
              {" · "}
              <a href={pdf} download="">
                Proof for the printer (PDF)
              </a>
            </>
          )}
        </p>
      </div>
      <ul class="plain proof-pictures">
        {disturbances.map((disturbance) => (
          <Picture disturbance={disturbance} pictures={pictures} />
        ))}
      </ul>
    </section>
  );
}

/**
 * The place of the strip in a form, shown unless the options of the design are folded: a script asks for it after the score, whose
 * measurement it shows. Empty without scripts.
 * @param request for the strip
 */
export const ProofOfDesign = ({ request }: { request: HtmxAttributes }) => (
  <div class="proof-of-design" hx-trigger="proof" hx-target="this" hx-sync="this:queue last" {...request} />
);

/** Begins with a capital, as the first of the facts. */
const sizeOf = ({ print }: Scannability): string[] => {
  const usual = print.find(({ dpi }) => dpi === 300);
  if (usual === undefined) return ["Not read at any size"];
  const { widthMillimeters, distanceMillimeters } = usual;
  return [
    `From ${Math.ceil(widthMillimeters)} mm in print, from ${Math.round(distanceMillimeters / 10)} cm away`,
  ];
};

function Picture({ disturbance, pictures }: { disturbance: ProvenDisturbance; pictures: string }) {
  const { name, isRead, read } = disturbance;
  return (
    <li>
      <img src={pictures} alt="" width="208" height="200" loading="lazy" />
      <p>
        <span>{captions[name]}</span>
        <span class={isRead ? "caption quiet" : "caption missed"}>
          <Icon name={isRead ? "check" : "x"} />
          <span class="visually-hidden">{isRead ? "Read." : "Not read."}</span> {read} of{" "}
          {disturbance.pictures}
        </span>
      </p>
    </li>
  );
}

/** The strip without pictures. It asks for them when it is seen, or tries again later. */
function NoPictures({ kind, again, page }: { kind: keyof typeof words } & Pick<Props, "again" | "page">) {
  const trigger = { waiting: "revealed", later: "load delay:15s", unavailable: "", refused: "", unsaved: "" }[
    kind
  ];
  const asks =
    trigger === "" ? {} : { ...again, "hx-trigger": trigger, "hx-target": "this", "hx-swap": "outerHTML" };
  return (
    <section class="proof" {...asks}>
      <div class="proof-head">
        <h2>Proof</h2>
        <p class={kind === "waiting" ? "small quiet needs-scripts" : "small quiet"}>{words[kind]}</p>
        {kind === "waiting" && page !== undefined && (
          <noscript>
            <p class="small">
              <a href={page}>Measure how well it scans</a>
            </p>
          </noscript>
        )}
      </div>
      {kind === "waiting" && (
        <ul class="plain proof-pictures needs-scripts" aria-hidden="true">
          {Object.keys(captions).map(() => (
            <li class="unlit" />
          ))}
        </ul>
      )}
    </section>
  );
}
