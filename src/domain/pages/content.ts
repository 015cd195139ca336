import { limits } from "../../contract/limits.ts";
import type { Block, PageColors, PageContent } from "../../contract/resources/pages.ts";
import type { Deps } from "../deps.ts";
import { contrast, type Hex, readColor } from "../../lib/image/color.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { readReceiver } from "../../lib/web/receiver.ts";
import { invalid } from "../errors.ts";

/**
 * A page's content as it is stored: addresses normalised and checked, colours that can be read, small enough in all.
 * @throws invalid_input naming the field
 */
export function requireContent(deps: Deps, content: PageContent): PageContent {
  const blocks = content.blocks.map((block, at) => normalBlock(deps, block, `blocks.${at}.url`));
  requireColors(content.colors);
  const normal = { ...content, blocks };
  if (new TextEncoder().encode(JSON.stringify(normal)).length > limits.page.bytes) {
    throw invalid("page", `must be at most ${limits.page.bytes} bytes of JSON`);
  }
  return normal;
}

function normalBlock(deps: Deps, block: Block, field: string): Block {
  switch (block.type) {
    case "text":
      return block;
    case "link": {
      const read = readDestination(block.url, limits.destination);
      if (!read.ok) throw invalid(field, read.problem);
      return { ...block, url: read.url };
    }
    case "image": {
      const read = readImageUrl(deps, block.url);
      if (!read.ok) throw invalid(field, read.problem);
      return { ...block, url: read.url };
    }
  }
}

/** The address of an image that this service fetches: held to the same rules as a receiver's. */
export const readImageUrl = (deps: Deps, url: string) =>
  readReceiver(url, {
    maxLength: limits.destination,
    ownHost: deps.scanHost,
    loopback: deps.scanOrigin.startsWith("http://"),
  });

/** The colours of a page as they are drawn. */
export interface Palette {
  readonly background: Hex;
  readonly text: Hex;
  readonly accent: Hex;
  /** Of the text on a button: black or white, whichever stands out more. */
  readonly onAccent: Hex;
}

const defaults = { background: "#ffffff", text: "#1c2230", accent: "#1d4ed8" } as const;

/** The palette that a page's colours come to. What can't be read as a colour is left out: a scan never fails for it. */
export function paletteOf(colors: PageColors | null): Palette {
  const read = (name: keyof PageColors): Hex => readInk(colors?.[name]) ?? defaults[name];
  const accent = read("accent");
  const onAccent = contrast("#ffffff", accent) >= contrast("#000000", accent) ? "#ffffff" : "#000000";
  return { background: read("background"), text: read("text"), accent, onAccent };
}

function readInk(text: string | undefined): Hex | null {
  const color = text === undefined ? null : readColor(text);
  return color === "transparent" ? null : color;
}

/** The least contrast of text, and of a button, as WCAG 2 asks for it. */
const leastContrast = { text: 4.5, accent: 3 } as const;

/** @throws invalid_input naming the field: for what is no colour, and for what can't be read */
function requireColors(colors: PageColors | null): void {
  for (const [name, text] of Object.entries(colors ?? {})) {
    if (text !== undefined && readInk(text) === null) {
      const words = "must be a CSS color: a name, hex, rgb() or hsl(), and not translucent";
      throw invalid(`colors.${name}`, words);
    }
  }
  const palette = paletteOf(colors);
  for (const [name, least] of Object.entries(leastContrast) as ["text" | "accent", number][]) {
    const ratio = contrast(palette[name], palette.background);
    if (ratio >= least) continue;
    // Who chose no colour for this must change the background.
    const field = colors?.[name] === undefined ? "background" : name;
    const words = `the contrast of ${name} and background is ${ratio}:1; reading needs ${least}:1`;
    throw invalid(`colors.${field}`, words);
  }
}
