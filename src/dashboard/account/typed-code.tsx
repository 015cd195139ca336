import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { presetNamed } from "../../contract/presets.ts";
import { openTypedCode, typedAddressCookie } from "../../domain/identity/typed-address.ts";
import { designOf } from "../../domain/images/design.ts";
import { drawCode } from "../../lib/image/drawing.ts";
import { qrSymbol } from "../../lib/image/qr-symbol.ts";
import { svgOf } from "../../lib/image/svg.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import type { DashboardEnv } from "../frame/env.ts";

/** Where an address typed on the welcome page goes, and where its author returns after signing in. */
export const startPath = "/dashboard/start";

/** A code begun on the welcome page, as the pages on the way show it. */
export interface TypedCode {
  /** Its destination as people write it, cut if it is long. */
  readonly words: string;
  /** The address of a sketch of it, which holds the destination itself. */
  readonly picture: string;
}

/** The longest destination that is drawn, in characters, because strangers ask for the drawing. */
const longestDrawn = 300;

/** The longest destination that is shown whole, in characters. */
const longestShown = 60;

/**
 * Returns the code to keep which this browser signs in.
 * @param returnTo the page that the sign-in leads to; only that of the welcome page's codes has one
 * @returns null for none, and for what isn't an address: a stranger's link could hold any sentence
 */
export async function typedCodeOf(c: Context<DashboardEnv>, returnTo: string): Promise<TypedCode | null> {
  const { deps } = c.env;
  if (returnTo !== startPath) return null;
  const typed = await openTypedCode(deps, getCookie(c, typedAddressCookie(deps)));
  const address = typed?.address ?? "";
  const text = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address) ? address : `https://${address}`;
  if (/\s/.test(address) || text.length > longestDrawn || !/^https?:/i.test(text) || !URL.canParse(text)) {
    return null;
  }
  const { colorConfig, advanced } = presetNamed(typed?.look ?? "") ?? {};
  const design = designOf({ colorConfig, advanced }, "business");
  const symbol = qrSymbol(text, design.ecc);
  if (symbol === undefined) return null;
  const svg = svgOf(drawCode(symbol, design, { quietZone: 2 }), 96);
  const whole = withoutScheme(text);
  return {
    words: whole.length > longestShown ? `${whole.slice(0, longestShown)}…` : whole,
    picture: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  };
}

/** Says why one is here, on a page on the way to the code. */
export const WhyHere = ({ code: { words, picture } }: { code: TypedCode }) => (
  <div class="why-here">
    <img src={picture} alt="" width="96" height="96" />
    <p class="quiet">
      to keep the code for{" "}
      <strong class="address" dir="auto">
        {words}
      </strong>
    </p>
  </div>
);
