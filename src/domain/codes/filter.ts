import { limits } from "../../contract/limits.ts";
import type { QrListQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { isOwnHost, readDestination } from "../../lib/web/destination.ts";
import { readHash } from "../../lib/text/hash.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";

type Filter = Partial<Pick<QrListQuery, "hash" | "scanUrl" | "destination" | "destinationHost">>;

/**
 * Reads filters as people paste them: a short link becomes its short name, an address and a host get the form in which
 * they are stored. @throws invalid_input
 */
export function readFilter<Given extends Filter>(deps: Deps, filter: Given): ReadFilter<Given> {
  const { scanUrl, hash, destination, destinationHost, ...others } = filter;
  const scanned = scanUrl === undefined ? undefined : requireHash("scanUrl", hashOfAddress(deps, scanUrl));
  const named = hash === undefined ? undefined : requireHash("hash", readHash(hash.trim()));
  // No code has two short names.
  const both = scanned !== undefined && named !== undefined && scanned !== named ? "" : (scanned ?? named);
  return {
    ...(others as unknown as ReadFilter<Given>),
    ...(both !== undefined && { hash: both }),
    ...(destination !== undefined && { destination: requireAddress(destination) }),
    ...(destinationHost !== undefined && { destinationHost: requireHost(destinationHost) }),
  };
}

/** Reads the filter of a selection, if it has one. @throws invalid_input */
export const readSelection = <Selection extends { readonly filter?: Filter | undefined }>(
  deps: Deps,
  { filter, ...others }: Selection,
) => ({ ...others, filter: filter && readFilter<NonNullable<Selection["filter"]>>(deps, filter) });

function requireHash(field: "scanUrl" | "hash", hash: string | null): string {
  if (hash !== null) return hash;
  const what = field === "hash" ? "a short name" : "a short link of this service";
  throw invalid(field, `isn't ${what}`);
}

function requireAddress(text: string): string {
  const read = readDestination(text, limits.destination);
  if (!read.ok) throw invalid("destination", read.problem);
  return read.url;
}

function requireHost(text: string): string {
  const host = hostOf(text);
  if (host !== null) return host;
  throw invalid("destinationHost", "must be a host such as shop.example or shop.example:8080");
}

/** Returns a host in the form in which addresses have it; null for any other text. */
export function hostOf(text: string): string | null {
  const read = readDestination(text, limits.destination);
  return read.ok && !/[/?#]/.test(text.trim()) ? read.host : null;
}

/** Returns the short name in a short link or image address of any of our hosts; null for any other text. */
export function hashOfAddress({ settings }: Deps, text: string): string | null {
  const pasted = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(pasted) ? pasted : `https://${pasted}`);
  if (url === null || !settings.ownHosts.some((own) => isOwnHost(url.host, own))) return null;
  const [, segment] = /^\/([^/.]+)(?:\.(?:svg|png))?\/?$/.exec(url.pathname) ?? [];
  return segment === undefined ? null : readHash(segment);
}
