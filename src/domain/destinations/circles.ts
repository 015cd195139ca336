import { hostNameOf } from "../../lib/web/destination.ts";
import { findCodeByHash, findDomainByHost } from "../../store/routing/route-sources.ts";
import type { Deps } from "../deps.ts";
import { findAnswering, readScanAddress, type ScanAddress } from "../routing/answering.ts";
import { addressesOf } from "./addresses.ts";

/** How many redirects of this installation are followed, and how many addresses of one redirect. */
const hops = 5;
const addressesAtOnce = 8;

/** The start of a redirect of this installation: a code by its hash, or the root or the unknown paths of a host. */
type Place = `code:${string}` | `root:${string}` | `unknown:${string}`;

/** Where scans begin, as it will be. */
export interface Start {
  readonly place: Place;
  /** Where its scans may lead. */
  readonly addresses: readonly string[];
  /** A workspace, and hosts that will be its own, whether they are yet or not. */
  readonly workspaceId: string;
  readonly hosts?: ReadonlySet<string>;
  /** Aliases that will be the code's, as `aliasAddresses`. */
  readonly aliases?: ReadonlySet<string>;
}

/**
 * Returns whether scans would come back to where they begin, by redirects of this installation alone. Asked where circles
 * can arise, which is rare, since it reads the catalogue for each redirect.
 */
export async function leadsInCircles(deps: Deps, start: Start): Promise<boolean> {
  const seen = new Set<Place>();
  let addresses = start.addresses;
  for (let hop = 0; hop < hops && addresses.length > 0; hop += 1) {
    const next: string[] = [];
    for (const address of addresses.slice(0, addressesAtOnce)) {
      const found = await follow(deps, start, address);
      if (found?.place === start.place) return true;
      if (found === undefined || seen.has(found.place)) continue;
      seen.add(found.place);
      next.push(...found.addresses);
    }
    addresses = next;
  }
  return false;
}

/** A redirect of this installation. */
type Found = Pick<Start, "place" | "addresses">;

/** Returns the redirect that a scan of an address gets; undefined for another answer, or another service's. */
async function follow(deps: Deps, start: Start, address: string): Promise<Found | undefined> {
  const read = readScanAddress(address);
  if (read === null) return undefined;
  const host = hostNameOf(read.host ?? "");
  if (start.aliases?.has(host + read.path)) return start;
  const domain = await findDomainByHost(deps.db, host);
  const isActive = domain?.status === "active" && domain.deletedAt === null;
  const workspaceId = isActive ? domain.workspaceId : start.hosts?.has(host) ? start.workspaceId : undefined;
  if (workspaceId === undefined) return undefined;
  const hash = await findHash(deps, read, workspaceId);
  if (hash === null) {
    const [kind, target] =
      read.path === "/" ? (["root", domain?.rootUrl] as const) : (["unknown", domain?.unknownUrl] as const);
    return { place: `${kind}:${host}`, addresses: target ? [target] : [] };
  }
  const code = await findCodeByHash(deps.db, hash);
  if (code === null || code.data.type === "vcard") return undefined;
  const { data, fallbackUrl } = code;
  const addresses = [...addressesOf(data).map((each) => each.address), ...(fallbackUrl ? [fallbackUrl] : [])];
  return { place: `code:${hash}`, addresses };
}

/** Returns the hash of the code that answers at a domain of a workspace; null if none does. */
async function findHash(deps: Deps, read: ScanAddress, workspaceId: string): Promise<string | null> {
  const site = { workspaceId, domain: hostNameOf(read.host ?? ""), byHash: true };
  const [answering] = await findAnswering(deps, [read], () => site);
  return answering?.kind === "code" ? answering.hash : null;
}
