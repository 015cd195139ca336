import { raw } from "hono/html";
import { limits } from "../../contract/limits.ts";
import type { Design } from "../../lib/image/design.ts";
import { center, type Place, ring } from "../../lib/image/eyes.ts";
import { mark } from "../../lib/web/service-style.ts";
import type { Document } from "../../ui/visitors/document.tsx";
import { type Files, Point, welcomeFrame } from "./frame.tsx";
import { disturbedPictures, disturbedSide, looks } from "./looks.ts";

/**
 * Returns the page at the root of the scan host.
 * @param name of the service
 * @param origin of the dashboard and the API
 * @param isOpen whether newcomers can get in, so that there is a field
 */
export function welcomeDocument(name: string, origin: string, isOpen: boolean): Promise<Document> {
  return welcomeFrame({
    name,
    title: name,
    description: "QR codes that lead elsewhere whenever you like, without printing them again.",
    appOrigin: origin,
    script: isOpen ? "draw.js" : null,
    allows: { form: origin },
    content: (files) => (
      <>
        <div class={isOpen ? "hero" : "hero closed"}>
          <div>
            <h1>
              <span>Print it once.</span> <span>Change it any time.</span>
            </h1>
            <p class="lead">
              QR codes whose destination you can change after printing. Each design is read back by a machine,
              tilted, blurred and in the dark, before you print it.
            </p>
            {isOpen ? (
              <Entry origin={origin} files={files} />
            ) : (
              <a class="primary" href={`${origin}/dashboard`}>
                Sign in
              </a>
            )}
          </div>
          {isOpen && <Card files={files} />}
        </div>
        <section class="points" aria-label="What you can do">
          <ul>
            <Point icon="corner-down-right" title="Change where it leads">
              Every printed copy follows within a second, everywhere. Undo is as fast.
            </Point>
            <Point icon="printer" title="Send it to the printer">
              SVG, PDF, and sheets of labels, with the smallest width at which the code still scans.
            </Point>
            <Point icon="activity" title="See what it does">
              Scans by day, city and device as they happen. Share a report by a link.
            </Point>
          </ul>
        </section>
      </>
    ),
  });
}

interface EntryProps {
  readonly origin: string;
  readonly files: Files;
}

/** The field for an address, which goes on to the form of a new code. */
const Entry = ({ origin, files }: EntryProps) => (
  <form class="entry" id="start" action={`${origin}/dashboard/start`} data-encoder={files["encoder.js"]}>
    <label for="address">Where should it lead?</label>
    <div class="box">
      <input
        id="address"
        name="address"
        type="text"
        inputmode="url"
        autocomplete="url"
        autocapitalize="none"
        spellcheck={false}
        maxlength={limits.destination}
        placeholder="your-cafe.example/menu"
        aria-describedby="address-hint"
        required
      />
      <button class="primary" type="submit">
        Create this code
      </button>
    </div>
    <p class="hint" id="address-hint">
      You sign in before anything is saved. Scans set no cookies, and no IP address is stored.
    </p>
  </form>
);

/**
 * A code of what was typed, or a sample; ready-made designs; and the disturbed pictures in which the first was read.
 */
const Card = ({ files }: { files: Files }) => (
  <section class="card" aria-label="Sample">
    <p class="card-head">
      {raw(mark)}
      <span hidden data-script="">
        Drawn as you type
      </span>
      <noscript>A sample</noscript>
    </p>
    <div class="drawing" data-drawing="">
      <img
        class="code"
        src={`${files["looks.svg"]}#${looks[0]?.id}`}
        width="252"
        height="252"
        alt="Sample of a QR code"
      />
      <fieldset class="looks">
        <legend>Looks, with their scores</legend>
        {looks.map(({ id, name, design, score }, i) => (
          <label class="look">
            <input
              type="radio"
              name="look"
              form="start"
              value={id}
              checked={i === 0}
              hidden
              data-script=""
              data-look={JSON.stringify(partsOf(design))}
            />
            <img src={`${files["looks.svg"]}#${id}`} width="40" height="40" alt="" />
            <span>{name}</span> <strong>{score}</strong>
          </label>
        ))}
      </fieldset>
      <p class="note">
        <span data-note="sample">
          A sample code. The short link stays the same; its destination can change.
        </span>
        <span data-note="drawn" hidden>
          This preview contains your address. Your code will contain a short link, so you can change where it
          leads.
        </span>
        <span data-note="long" hidden>
          Too long to draw here. Your code will hold a short link instead, and be no larger than the sample.
        </span>
      </p>
    </div>
    <p class="strip-head">
      The score says how many of 100 disturbed pictures a machine could read. Each look was read in all{" "}
      {disturbedPictures.length} ways shown here:
    </p>
    <ul class="strip">
      {disturbedPictures.map(({ words }) => (
        <li>
          <img src={files["disturbed.png"]} width={disturbedSide} height={disturbedSide} alt="" />
          {words}
        </li>
      ))}
    </ul>
  </section>
);

const places: readonly Place[] = ["upperLeft", "upperRight", "lowerLeft"];

/** A design as `draw.js` reads it, with paths for its eyes and for an alignment pattern that isn't drawn as modules. */
function partsOf({ modules, dots, corners, background, backgroundRadius, eyeFrame, eyeCenter }: Design) {
  const isFlowing = modules !== "dots";
  const middle = { x: 2, y: 2, side: 1 };
  const round = eyeFrame === "square" || eyeFrame === "cut" ? "square" : "circle";
  return {
    modules,
    color: dots.color,
    corners: corners.color,
    background,
    backgroundRadius,
    gradient: dots.gradient,
    eyes: places.map(
      (place) =>
        ring({ x: 0, y: 0, side: 7 }, eyeFrame, place) +
        center({ x: 2, y: 2, side: 3 }, eyeCenter, eyeFrame, place),
    ),
    pattern:
      isFlowing && eyeFrame === "square"
        ? null
        : ring({ x: 0, y: 0, side: 5 }, eyeFrame, "lowerRight") +
          center(middle, round, eyeFrame, "lowerRight"),
  };
}
