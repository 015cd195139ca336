import { limits } from "../../contract/limits.ts";
import type { QrListQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { readHash } from "../../lib/text/hash.ts";
import { trimmed } from "../../lib/text/invisible.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { hasTag } from "../../store/folders/tags.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { findAnswering, readScanAddress, type ScanAddress, sitesOfWorkspace } from "../routing/answering.ts";

type Filter = Partial<Pick<QrListQuery, "hash" | "scanUrl" | "destination" | "destinationHost" | "tag">>;

/**
 * Reads filters as people paste them: a short link or alias becomes its code's short name, an address and a host get the
 * form in which they are stored. @throws invalid_input
 */
export async function readFilter<Given extends Filter>(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  filter: Given,
): Promise<ReadFilter<Given>> {
  const { scanUrl, hash, destination, destinationHost, tag, ...others } = filter;
  const scanned =
    scanUrl === undefined ? undefined : requireHash("scanUrl", await findHashOf(deps, context, scanUrl));
  const named = hash === undefined ? undefined : requireHash("hash", readHash(hash.trim()));
  // No code has two short names.
  const both = scanned !== undefined && named !== undefined && scanned !== named ? "" : (scanned ?? named);
  return {
    ...(others as unknown as ReadFilter<Given>),
    ...(both !== undefined && { hash: both }),
    ...(tag !== undefined && { tag: await storedTag(deps, context, tag) }),
    ...(destination !== undefined && { destination: requireAddress(destination) }),
    ...(destinationHost !== undefined && { destinationHost: requireHost(destinationHost) }),
  };
}

/** Returns a tag as codes have it: as it is given, or else in the Unicode form in which tags are stored. */
export async function storedTag(
  { db }: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  tag: string,
): Promise<string> {
  const normal = tag.normalize("NFC");
  return normal === tag || (await hasTag(db, workspaceId, tag)) ? tag : normal;
}

/** Reads the filter of a selection, if it has one. @throws invalid_input */
export const readSelection = async <Selection extends { readonly filter?: Filter | undefined }>(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  { filter, ...others }: Selection,
) => ({
  ...others,
  filter: filter && (await readFilter<NonNullable<Selection["filter"]>>(deps, context, filter)),
});

function requireHash(field: "scanUrl" | "hash", hash: string | null): string {
  if (hash !== null) return hash;
  const what = field === "hash" ? "a short name" : "a short link of this service";
  throw invalid(field, `isn't ${what}`);
}

/** Codes may have addresses that were stored by earlier rules. */
function requireAddress(text: string): string {
  const read = readDestination(text, limits.destination);
  if (read.ok) return read.url;
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw invalid("destination", read.problem);
}

function requireHost(text: string): string {
  const host = hostOf(text);
  if (host !== null) return host;
  throw invalid("destinationHost", "must be a host such as shop.example or shop.example:8080");
}

/** Returns a host in the form in which addresses have it; null for any other text. */
export function hostOf(text: string): string | null {
  const host = trimmed(text);
  const read = readDestination(`https://${host}`, limits.destination);
  return read.ok && !/[/?#@]/.test(host) ? read.host : null;
}

/** Returns the short name of the code at an address, as `findHashesOf`; null for any other text. */
export const findHashOf = async (
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  text: string,
): Promise<string | null> => (await findHashesOf(deps, context, [text])).get(text) ?? null;

/**
 * Returns the short names of the codes at addresses of the installation and of the workspace's domains, by address. Where
 * no code answers, that is the one which the address has, if any.
 */
export async function findHashesOf(
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const addresses = texts.flatMap((text) => {
    const address = readLinkAddress(text);
    return address === null ? [] : [{ text, ...address }];
  });
  if (addresses.length === 0) return new Map();
  const answering = await findAnswering(deps, addresses, await sitesOfWorkspace(deps, workspaceId));
  return new Map(
    addresses.flatMap(({ text }, i): [string, string][] => {
      const found = answering[i];
      if (found?.kind !== "code" && found?.kind !== "nothing") return [];
      return found.hash === null ? [] : [[text, found.hash]];
    }),
  );
}

/** Reads an address that has a host; null for any other text. */
export function readLinkAddress(text: string): ScanAddress | null {
  const address = readScanAddress(text);
  return address?.host == null ? null : address;
}
