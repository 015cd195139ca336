import { raw } from "hono/html";
import { limits } from "../../contract/limits.ts";
import { mark } from "../../lib/web/service-style.ts";
import type { Document } from "../../ui/visitors/document.tsx";
import { Point, welcomeFrame } from "./frame.tsx";

/** The pages on which the demo shows the widget, by the class that colours them. */
const surroundings = [
  ["here", "This page"],
  ["light", "Light"],
  ["dark", "Dark"],
  ["coloured", "Coloured"],
] as const;

/**
 * Returns the page that shows the embed widget at work, the line to copy, and what can be set.
 * @param name of the service
 * @param key a publishable key that works at the page's own address
 */
export function widgetDemo(
  name: string,
  appOrigin: string,
  scanOrigin: string,
  key: string,
): Promise<Document> {
  return welcomeFrame({
    name,
    title: "Embed widget",
    description: "A form for your website in which visitors make QR codes.",
    appOrigin,
    script: "copy.js",
    allows: { image: scanOrigin, connect: appOrigin, form: "'none'" },
    content: () => (
      <>
        <div class="hero">
          <div>
            <h1>
              <span>One line.</span> <span>QR codes on your site.</span>
            </h1>
            <p class="lead">
              Your visitors enter an address and get a code with a short link. The codes belong to your
              workspace, so you can change where they lead.
            </p>
            <div class="entry">
              <p class="label">Put this where the form should appear</p>
              <div class="box">
                <code id="line">
                  {`<script src="${scanOrigin}/embed.js" `}
                  <span>data-key="pk_live_…"</span>
                  {"></script>"}
                </code>
                <button class="primary" type="button" data-copy="line" hidden>
                  Copy line
                </button>
              </div>
              <p class="hint">
                Replace pk_live_… with a publishable key of yours.{" "}
                <a href={`${appOrigin}/dashboard/developer/keys/new`}>Create a key</a>
              </p>
            </div>
          </div>
          <section class="card demo" aria-label="The widget at work">
            <p class="card-head">
              {raw(mark)}
              Try it: the code is a real one
            </p>
            <fieldset class="looks">
              <legend>The page around it</legend>
              {surroundings.map(([id, name], i) => (
                <label class="look">
                  <input type="radio" name="around" value={id} checked={i === 0} autocomplete="off" />
                  <i class={`stage ${id}`}>Aa</i>
                  <span>{name}</span>
                </label>
              ))}
            </fieldset>
            <div class="stage">
              <script src="/embed.js" data-key={key} />
            </div>
          </section>
        </div>
        <section class="points" aria-label="What you can set">
          <ul>
            <Point icon="key-round" title="The key">
              <code>data-key</code> is the only attribute. A publishable key creates codes from your websites
              and does nothing else, at most {limits.keyCreations.cap} a day.
            </Point>
            <Point icon="palette" title="Place and colours">
              It stands where the line stands, at most 28 rem wide. It takes the colour of your text, and
              turns dark where that text is light.
            </Point>
            <Point icon="globe" title="Content-Security-Policy">
              If your page has one, allow <code>{scanOrigin}</code> in <code>script-src</code> and{" "}
              <code>img-src</code>, and <code>{appOrigin}</code> in <code>connect-src</code>.
            </Point>
          </ul>
        </section>
      </>
    ),
  });
}
