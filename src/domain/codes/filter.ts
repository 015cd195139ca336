import { limits } from "../../contract/limits.ts";
import type { QrListQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { isOwnHost, readDestination } from "../../lib/web/destination.ts";
import { readHash } from "../../lib/text/hash.ts";
import { readAlias } from "../../lib/web/alias.ts";
import { findAliasHolders } from "../../store/domains/aliases.ts";
import { listDomains } from "../../store/domains/domains.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";

type Filter = Partial<Pick<QrListQuery, "hash" | "scanUrl" | "destination" | "destinationHost">>;

/**
 * Reads filters as people paste them: a short link or alias becomes its code's short name, an address and a host get the
 * form in which they are stored. @throws invalid_input
 */
export async function readFilter<Given extends Filter>(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  filter: Given,
): Promise<ReadFilter<Given>> {
  const { scanUrl, hash, destination, destinationHost, ...others } = filter;
  const scanned =
    scanUrl === undefined ? undefined : requireHash("scanUrl", await findHashOf(deps, context, scanUrl));
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

/**
 * Returns the short name of the code at an address of the installation, or at one of the workspace's domains; null for any
 * other text.
 */
export const findHashOf = async (
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  text: string,
): Promise<string | null> =>
  hashOfAddress(deps, text) ?? (await findHashesOf(deps, context, [text])).get(text) ?? null;

/** Returns the short names of the codes at addresses of the workspace's domains, by address. */
export async function findHashesOf(
  { db }: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const aliases = texts.flatMap((text) => {
    const alias = readAlias(text, limits.aliases.bytes);
    return "problem" in alias ? [] : [{ text, ...alias }];
  });
  if (aliases.length === 0) return new Map();
  const [holders, domains] = await Promise.all([
    findAliasHolders(db, workspaceId, [...new Set(aliases.map(({ address }) => address))]),
    listDomains(db, workspaceId),
  ]);
  const hosts = new Set(domains.map(({ host }) => host));
  return new Map(
    aliases.flatMap(({ text, host, address }): [string, string][] => {
      const inPath = hosts.has(host) ? hashInPath(new URL(`https://${address}`)) : null;
      const hash = holders.get(address)?.hash ?? inPath;
      return hash === null ? [] : [[text, hash]];
    }),
  );
}

/** Returns the short name in a short link or image address of any of our hosts; null for any other text. */
export function hashOfAddress({ settings }: Deps, text: string): string | null {
  const pasted = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(pasted) ? pasted : `https://${pasted}`);
  if (url === null || !settings.ownHosts.some((own) => isOwnHost(url.host, own))) return null;
  return hashInPath(url);
}

/** Returns the short name in the path of a short link or image address; null for any other path. */
function hashInPath({ pathname }: URL): string | null {
  const [, segment] = /^\/([^/.]+)(?:\.(?:svg|png))?\/?$/.exec(pathname) ?? [];
  return segment === undefined ? null : readHash(segment);
}
