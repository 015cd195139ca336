import { limits } from "../../contract/limits.ts";
import type { PageColors, PageContent } from "../../contract/resources/pages.ts";
import { contrast } from "../../lib/image/color.ts";
import { sameJson } from "../../lib/text/json.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import { readPublicUrl } from "../../lib/web/public-url.ts";
import type { PageRow } from "../../store/pages.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireAllowedHosts } from "../destinations/blocked-hosts.ts";
import { invalid, ServiceError } from "../errors.ts";
import { type Edited, isNew } from "../resources/rules.ts";
import { readPageLink } from "./contact-links.ts";
import { minContrast, readOpaqueColor, resolvePalette } from "./palette.ts";
import { requireStoredImages, storedImageUrl } from "./stored-images.ts";

/**
 * Validates a page's content, and normalises its addresses.
 * @param stored content that the page has or had, whose addresses stay valid as they are
 * @throws invalid_input naming the field
 */
export async function validateContent(
  deps: Deps,
  content: PageContent,
  stored?: PageContent,
): Promise<PageContent> {
  const kept = new Set(stored && urlsIn(stored));
  const normalise = async <T extends { readonly url: string }>(part: T, field: string, read: Read) =>
    kept.has(part.url) ? part : { ...part, url: await read(deps, part.url, field) };
  const blocks = await Promise.all(
    content.blocks.map((block, i) => {
      const field = `blocks.${i}.url`;
      if (block.type === "text") return block;
      return block.type === "link" ? normalise(block, field, readLink) : normalise(block, field, readImage);
    }),
  );
  requireReadableColors(content.colors);
  const { header } = content;
  const normalised = {
    ...content,
    blocks,
    header: header && (await normalise(header, "header.url", readImage)),
  };
  if (utf8Length(JSON.stringify(normalised)) > limits.page.bytes) {
    throw invalid("page", `can have at most ${limits.page.bytes} bytes of JSON`);
  }
  return normalised;
}

/** Returns the content without blocks and header image whose addresses are not allowed. */
export async function withValidAddresses(deps: Deps, content: PageContent): Promise<PageContent> {
  const { blocks, header } = content;
  const only = (parts: Pick<PageContent, "blocks" | "header">) =>
    ifValid(() => validateContent(deps, { ...content, colors: null, ...parts }));
  const valid = await Promise.all(blocks.map((block) => only({ blocks: [block], header: null })));
  return {
    ...content,
    blocks: valid.flatMap((each) => each?.blocks ?? []),
    header: (await only({ blocks: [], header }))?.header ?? null,
  };
}

async function ifValid<T>(normalise: () => Promise<T>): Promise<T | null> {
  try {
    return await normalise();
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

const urlsIn = ({ blocks, header }: PageContent): string[] =>
  [...blocks, header].flatMap((part) => (part !== null && "url" in part ? [part.url] : []));

/** Normalises an address. @throws invalid_input naming the field */
type Read = (deps: Deps, url: string, field: string) => string | Promise<string>;

async function readLink(_: Deps, url: string, field: string): Promise<string> {
  const read = await readPageLink(url);
  if (!read.ok) throw invalid(field, read.problem);
  return read.url;
}

function readImage(deps: Deps, url: string, field: string): string {
  const stored = storedImageUrl(deps, url);
  if (stored !== undefined) return stored;
  const read = readImageUrl(deps, url);
  if (!read.ok) throw invalid(field, read.problem);
  return read.url;
}

/**
 * Checks the hosts of addresses in a page that is about to be stored, and that its stored images exist. Unchanged parts
 * are skipped, unless the page is restored.
 * @throws invalid_input naming the field
 */
export async function requireUsableAddresses(
  edited: Edited<Pick<PageRow, "content" | "deletedAt">>,
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
): Promise<void> {
  const before = edited.before?.content;
  const isWhole = isNew(edited, "deletedAt");
  const { header, blocks } = edited.after.content;
  const changed = {
    header: isWhole || !sameJson(header, before?.header) ? header : null,
    blocks: isWhole || !sameJson(blocks, before?.blocks) ? blocks : [],
  };
  const addresses = changed.blocks.flatMap((block, i) =>
    block.type === "text" ? [] : [[`blocks.${i}.url`, block.url]],
  );
  if (changed.header !== null) addresses.push(["header.url", changed.header.url]);
  await requireAllowedHosts(deps, Object.fromEntries(addresses));
  await requireStoredImages(deps, context, changed, before);
}

/** Checks and normalises the address of an image that this service fetches, by the rules for webhook receivers. */
export const readImageUrl = (deps: Deps, url: string) =>
  readPublicUrl(url, {
    maxLength: limits.destination,
    ownHosts: deps.settings.ownHosts,
    loopback: !requiresHttps(deps.settings.scanOrigin),
  });

/** @throws invalid_input naming the field, for an invalid colour or too little contrast */
function requireReadableColors(colors: PageColors | null): void {
  for (const [name, text] of Object.entries(colors ?? {})) {
    if (text !== undefined && readOpaqueColor(text) === null) {
      throw invalid(
        `colors.${name}`,
        "must be a CSS color such as navy, #14532d, rgb() or hsl(), without transparency",
      );
    }
  }
  const palette = resolvePalette(colors);
  for (const [name, minimum] of Object.entries(minContrast) as ["text" | "accent", number][]) {
    const ratio = contrast(palette[name], palette.background);
    if (ratio >= minimum) continue;
    // If this colour is a default, the error names the background instead, which is the field that the client set.
    const field = colors?.[name] === undefined ? "background" : name;
    const problem = `needs more contrast: ${name} and background have ${ratio}:1, but text needs ${minimum}:1 to be legible`;
    throw invalid(`colors.${field}`, problem);
  }
}
