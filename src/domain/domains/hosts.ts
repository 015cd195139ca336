import { limits } from "../../contract/limits.ts";
import { isOwnHost, readDestination } from "../../lib/web/destination.ts";
import { isIpAddress, readHostName } from "../../lib/web/host-name.ts";
import { requiresHttps } from "../../lib/web/https.ts";
import { originAt } from "../../lib/web/origin.ts";
import { listFirstQrs } from "../../store/codes/list.ts";
import type { DomainRow } from "../../store/domains/domains.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps, Settings } from "../deps.ts";
import { allAddressesOf } from "../destinations/addresses.ts";
import { requireAllowedHosts } from "../destinations/blocked-hosts.ts";
import { leadsInCircles } from "../destinations/circles.ts";
import { invalid } from "../errors.ts";
import { type Edited, isNew } from "../resources/rules.ts";

/**
 * Reads the host of a domain as people type it.
 * @param by whom it is given: only the operator may give a host beside the installation's own
 * @throws invalid_input
 */
export function requireHost({ settings }: Deps, text: string, by: "member" | "operator" = "member"): string {
  const typed = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
  const host = readHostName(typed);
  if (host === null || isIpAddress(host)) {
    throw invalid("host", "must be a host name such as go.example.com, without a port, a path or a wildcard");
  }
  if (host.length > limits.domain.host) {
    throw invalid("host", `can have at most ${limits.domain.host} characters`);
  }
  if (isOwn(settings, host, by)) throw invalid("host", "belongs to this service. Choose a host of your own");
  return host;
}

/** Returns whether a host is at, under or above one of the installation's own. Locally, hosts under `localhost` are anyone's. */
function isOwn({ ownHosts, scanOrigin }: Settings, host: string, by: "member" | "operator"): boolean {
  if (!requiresHttps(scanOrigin) && host.endsWith(".localhost")) return false;
  return ownHosts.some((each) => {
    const own = each.replace(/:\d+$/, "").toLowerCase();
    if (host === own || by === "operator") return host === own;
    return host.endsWith(`.${own}`) || own.endsWith(`.${host}`);
  });
}

/** Where a domain's owner leads the paths without a code. */
export interface Targets {
  readonly rootUrl?: string | null | undefined;
  readonly unknownUrl?: string | null | undefined;
}

/**
 * Reads the addresses to which a domain leads, as people type them.
 * @param host to which they may not lead
 * @param stored addresses that it has or had, which stay valid as they are
 * @throws invalid_input
 */
export function readTargets(
  { settings }: Deps,
  host: string,
  { rootUrl, unknownUrl }: Targets,
  stored: Targets = {},
): { readonly [Field in keyof Targets]?: string | null } {
  const read = Object.entries({ rootUrl, unknownUrl }).flatMap(([field, text]): [string, string | null][] => {
    if (text === undefined || text === null) return text === null ? [[field, null]] : [];
    const isStored = text === stored.rootUrl || text === stored.unknownUrl;
    const address = isStored
      ? { ok: true as const, url: text, host: new URL(text).host }
      : readDestination(text, limits.destination);
    if (!address.ok) throw invalid(field, address.problem);
    const own = [...settings.ownHosts, host];
    if (own.some((each) => isOwnHost(address.host, each))) {
      throw invalid(field, "can't lead to this domain or to this service");
    }
    return [[field, address.url]];
  });
  return Object.fromEntries(read);
}

/** @throws invalid_input for an address that is blocked, or comes back to the domain by other short links */
export async function requireUsableTargets(
  edited: Edited<DomainRow>,
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
): Promise<void> {
  const { host, ...after } = edited.after;
  const isWhole = isNew(edited, "deletedAt");
  const changed = (["rootUrl", "unknownUrl"] as const).flatMap((field) => {
    const url = after[field];
    return url !== null && (isWhole || isNew(edited, field)) ? [[field, url] as const] : [];
  });
  await requireAllowedHosts(deps, Object.fromEntries(changed));
  for (const [field, url] of changed) {
    const place = `${field === "rootUrl" ? ("root" as const) : ("unknown" as const)}:${host}` as const;
    const start = { place, addresses: [url], workspaceId, hosts: new Set([host]) };
    if (await leadsInCircles(deps, start)) {
      throw invalid(
        field,
        "comes back to this domain by other short links, so that scans would go in circles",
      );
    }
  }
}

/** How many codes that lead to a host are followed when it becomes a domain. */
const followed = 100;

/**
 * Follows the codes of a workspace that lead to a host which is about to be its domain.
 * @throws invalid_input for a code that would lead to itself
 */
export async function requireNoCirclesAt(
  { after: { workspaceId, host } }: Edited<DomainRow>,
  deps: Deps,
): Promise<void> {
  // Locally, the host has the service's port.
  const hosts = new Set([host, new URL(originAt(host, deps.settings.scanOrigin)).host]);
  const codes = [...hosts].map((destinationHost) =>
    listFirstQrs(deps.db, workspaceId, { destinationHost, limit: followed }),
  );
  for (const code of (await Promise.all(codes)).flat()) {
    const addresses = allAddressesOf(code).map(({ address }) => address);
    const start = { place: `code:${code.hash}` as const, addresses, workspaceId, hosts: new Set([host]) };
    if (!(await leadsInCircles(deps, start))) continue;
    const name = code.name === null ? code.hash : `${code.name} (${code.hash})`;
    throw invalid(
      "host",
      `would make scans of the code ${name} go in circles, since it leads there. Change its destination first`,
    );
  }
}
