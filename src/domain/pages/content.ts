import { limits } from "../../contract/limits.ts";
import type { Block, PageColors, PageContent } from "../../contract/resources/pages.ts";
import type { Deps } from "../deps.ts";
import { contrast, type Hex, readColor } from "../../lib/image/color.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import { readPublicUrl } from "../../lib/web/public-url.ts";
import { invalid } from "../errors.ts";
import { requireAllowedHosts } from "../operations/blocked-hosts.ts";

/**
 * Validates a page's content, and normalises its addresses.
 * @throws invalid_input naming the field
 */
export function validateContent(deps: Deps, content: PageContent): PageContent {
  const blocks = content.blocks.map((block, i) => normaliseBlock(deps, block, `blocks.${i}.url`));
  requireReadableColors(content.colors);
  const normalised = { ...content, blocks };
  if (new TextEncoder().encode(JSON.stringify(normalised)).length > limits.page.bytes) {
    throw invalid("page", `must be at most ${limits.page.bytes} bytes of JSON`);
  }
  return normalised;
}

function normaliseBlock(deps: Deps, block: Block, field: string): Block {
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

/** Checks the hosts of the blocks' addresses. @throws invalid_input naming the field */
export async function requireAllowedBlocks(deps: Deps, blocks: readonly Block[]): Promise<void> {
  const addresses = blocks.flatMap((block, i) =>
    block.type === "text" ? [] : [[`blocks.${i}.url`, block.url]],
  );
  await requireAllowedHosts(deps, Object.fromEntries(addresses));
}

/** Checks and normalises the address of an image that this service fetches, by the rules for webhook receivers. */
export const readImageUrl = (deps: Deps, url: string) =>
  readPublicUrl(url, {
    maxLength: limits.destination,
    ownHosts: deps.ownHosts,
    loopback: !requiresHttps(deps.scanOrigin),
  });

/** The colours a page is rendered with. */
export interface Palette {
  readonly background: Hex;
  readonly text: Hex;
  readonly accent: Hex;
  /** The text on a button: black or white, whichever has more contrast. */
  readonly onAccent: Hex;
}

const defaults = { background: "#ffffff", text: "#1c2230", accent: "#1d4ed8" } as const;

/** The palette of a page's colours. An invalid colour is replaced by its default, so that a scan never fails. */
export function resolvePalette(colors: PageColors | null): Palette {
  const read = (name: keyof PageColors): Hex => readOpaqueColor(colors?.[name]) ?? defaults[name];
  const accent = read("accent");
  const onAccent = contrast("#ffffff", accent) >= contrast("#000000", accent) ? "#ffffff" : "#000000";
  return { background: read("background"), text: read("text"), accent, onAccent };
}

function readOpaqueColor(text: string | undefined): Hex | null {
  const color = text === undefined ? null : readColor(text);
  return color === "transparent" ? null : color;
}

/** Minimum contrast of text and of buttons by WCAG 2. */
const minContrast = { text: 4.5, accent: 3 } as const;

/** @throws invalid_input naming the field: for an invalid colour, and for too little contrast */
function requireReadableColors(colors: PageColors | null): void {
  for (const [name, text] of Object.entries(colors ?? {})) {
    if (text !== undefined && readOpaqueColor(text) === null) {
      throw invalid(
        `colors.${name}`,
        "must be a CSS color: a name, hex, rgb() or hsl(), and not translucent",
      );
    }
  }
  const palette = resolvePalette(colors);
  for (const [name, minimum] of Object.entries(minContrast) as ["text" | "accent", number][]) {
    const ratio = contrast(palette[name], palette.background);
    if (ratio >= minimum) continue;
    // Where this colour is a default, the error names the background instead: that is the field the client set.
    const field = colors?.[name] === undefined ? "background" : name;
    const problem = `the contrast of ${name} and background is ${ratio}:1; reading needs ${minimum}:1`;
    throw invalid(`colors.${field}`, problem);
  }
}
