import { imageAddress, onlySegment } from "../../edge/routing/paths.ts";
import { foldHash, readHash, readScannedHash } from "../../lib/text/hash.ts";
import { isId } from "../../lib/text/ids.ts";
import { isOwnPath, normalPath } from "../../lib/web/alias.ts";
import { hostNameOf, isOwnHost } from "../../lib/web/destination.ts";
import { aliasHoldersQuery } from "../../store/domains/aliases.ts";
import { listDomains } from "../../store/domains/domains.ts";
import { answer } from "../../store/queries.ts";
import { findCodesByReadings, findDomainByHost } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";

/**
 * Finds what answers at an address that somebody types or pastes. Its host and path are read as a scan's, but from the
 * catalogue, since nothing here is hot.
 */

/** An address as people type it, in the form in which its scans arrive. */
export interface ScanAddress {
  /** With its port, if any; null for a short name alone. */
  readonly host: string | null;
  readonly path: string;
}

/** Reads an address with or without `https://`, or a short name alone; null for anything else. */
export function readScanAddress(text: string): ScanAddress | null {
  const [typed = ""] = text.trim().split(/[?#]/);
  if (readHash(typed.replace(/[/.]$/, "")) !== null) return { host: null, path: `/${typed}` };
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (!/\.|^\[|^localhost$/.test(url.hostname)) return null;
  return { host: url.host.replace(/\.(?=:|$)/, ""), path: normalPath(url.pathname) };
}

/** The answer that scans of an address get. */
export type Answering =
  | { readonly kind: "code"; readonly hash: string }
  | { readonly kind: "page"; readonly pageId: string; readonly workspaceId: string | null }
  /** The root of a domain, or a path there that no code has. */
  | { readonly kind: "domain"; readonly host: string; readonly workspaceId: string }
  /** No code has the hash; null for a path that can't be a hash. */
  | { readonly kind: "nothing"; readonly hash: string | null };

/** Whose codes answer at a host. */
interface Site {
  /** Null for the scan origin, where those of all workspaces do. */
  readonly workspaceId: string | null;
  /** The host of a domain that isn't removed. */
  readonly domain: string | null;
  /** Whether hashes count there, besides aliases. */
  readonly byHash: boolean;
}

const scanOrigin: Site = { workspaceId: null, domain: null, byHash: true };

/** Tells whose codes answer at a host; undefined for a host that isn't ours. Null is the host of a short name alone. */
export type Sites = (host: string | null) => Site | undefined;

const isOwn = ({ settings }: Deps, host: string): boolean =>
  settings.ownHosts.some((own) => isOwnHost(host, own));

/** Reads which workspace has the host of an address. A host that none has counts as the scan origin, as for scans. */
export async function siteOfAnyone(deps: Deps, { host }: ScanAddress): Promise<Sites> {
  const isAsked = host !== null && !isOwn(deps, host);
  const domain = isAsked ? await findDomainByHost(deps.db, hostNameOf(host)) : null;
  if (domain === null) return () => scanOrigin;
  const { workspaceId, deletedAt } = domain;
  return () => ({ workspaceId, domain: deletedAt === null ? hostNameOf(host ?? "") : null, byHash: true });
}

/** Reads the hosts of a workspace. At others, only its own aliases count, which may be at removed domains. */
export async function sitesOfWorkspace(deps: Deps, workspaceId: string): Promise<Sites> {
  const hosts = new Set((await listDomains(deps.db, workspaceId)).map(({ host }) => host));
  return (host) => {
    if (host === null) return undefined;
    if (isOwn(deps, host)) return scanOrigin;
    const name = hostNameOf(host);
    const isDomain = hosts.has(name);
    return { workspaceId, domain: isDomain ? name : null, byHash: isDomain };
  };
}

/** Returns what answers at addresses, in their order; undefined at hosts that aren't ours. */
export async function findAnswering(
  { db }: Deps,
  addresses: readonly ScanAddress[],
  sites: Sites,
): Promise<(Answering | undefined)[]> {
  const all = addresses.map((address) => ({ ...placed(address), site: sites(address.host) }));
  const hashes = all.flatMap(({ hash, site }) => (hash !== null && site?.byHash ? [hash] : []));
  const atDomains = all.flatMap(({ site, alias }) => (site?.workspaceId ? [{ ...site, alias }] : []));
  const [workspaceId] = atDomains.map((site) => site.workspaceId);
  const [codes, aliases] = await Promise.all([
    findCodesByReadings(
      db,
      [...new Set(hashes)].map((hash) => ({ hash, folded: foldHash(hash) })),
    ),
    workspaceId
      ? answer(aliasHoldersQuery(db, workspaceId, [...new Set(atDomains.map(({ alias }) => alias))]))
      : undefined,
  ]);
  return all.map(({ path, hash, pageId, alias, site }): Answering | undefined => {
    if (site === undefined) return undefined;
    const { workspaceId: owner, domain, byHash } = site;
    if (owner !== null && isOwnPath(path)) return { kind: "nothing", hash: null };
    // An alias never reads exactly like a hash of its workspace, but perhaps like one with a tail.
    const held = owner === null ? undefined : aliases?.get(alias);
    if (held !== undefined) return { kind: "code", hash: held.hash };
    const code = byHash && hash !== null ? codes.get(hash) : undefined;
    if (
      code !== undefined &&
      (owner === null || (code.workspaceId === owner && code.scanOriginOnly === null))
    ) {
      return { kind: "code", hash: code.hash };
    }
    if (pageId !== null) return { kind: "page", pageId, workspaceId: owner };
    if (owner !== null && domain !== null) return { kind: "domain", host: domain, workspaceId: owner };
    return byHash ? { kind: "nothing", hash } : undefined;
  });
}

/** Returns what an address may name, as a scan reads its path. */
function placed({ host, path }: ScanAddress) {
  const segment = onlySegment(`https://host${path}`);
  const [, page = ""] = /^\/pages\/([^/]+)/.exec(path) ?? [];
  return {
    path,
    hash: segment === null ? null : (imageAddress(segment)?.hash ?? readScannedHash(segment)),
    pageId: isId(page.toLowerCase()) ? page.toLowerCase() : null,
    alias: `${hostNameOf(host ?? "")}${path}`,
  };
}
