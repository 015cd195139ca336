import { limits } from "../../contract/limits.ts";
import type {
  BlockedHost,
  BlockedHostInput,
  BlockedHostList,
  BlockedHostQuery,
  NewBlockedHost,
} from "../../contract/resources/operations/blocked-hosts.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { newId } from "../../lib/text/ids.ts";
import { hostNameOf, readDestination } from "../../lib/web/destination.ts";
import { domainsOf, isIpAddress, readHostName } from "../../lib/web/host-name.ts";
import * as store from "../../store/destinations/blocked-hosts.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { allAddressesOf, type Linked } from "./addresses.ts";
import { findDisreputable } from "./reputation.ts";

/**
 * How long an isolate caches the list, milliseconds. By then a blocked host is refused everywhere, and creating a code
 * doesn't read the list.
 */
const memoryMilliseconds = 15_000;

/** The blocked hosts, each with the time it was blocked, and when they were read. */
const memory = perIsolate((): { hosts: ReadonlyMap<string, number>; readAt: number } => ({
  hosts: new Map(),
  readAt: Number.NEGATIVE_INFINITY,
}));

async function readList(deps: Deps): Promise<ReadonlyMap<string, number>> {
  const remembered = memory(deps);
  const now = deps.now();
  if (now - remembered.readAt < memoryMilliseconds) return remembered.hosts;
  const hosts = await store.readBlockedHosts(deps.db);
  if (now > remembered.readAt) Object.assign(remembered, { hosts, readAt: now });
  return hosts;
}

const clearRememberedList = (deps: Deps): void => {
  memory(deps).readAt = Number.NEGATIVE_INFINITY;
};

/** An address whose host is written as URLs have it, as nearly all are. The others are parsed, which takes ten times as long. */
const plain = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#]|$)/;

/** Returns the host name in an address as people type it, or as it was stored by earlier rules; undefined if it has none. */
function hostNameIn(address: string): string | undefined {
  const [, name] = plain.exec(address) ?? [];
  if (name !== undefined) return name;
  const read = readDestination(address, limits.destination);
  const host = read.ok ? read.host : URL.parse(address)?.host;
  // Addresses such as tel: have an empty one.
  return host ? hostNameOf(host) : undefined;
}

/**
 * Returns the host names that are not allowed as destinations: blocked by the operator or by the reputation service.
 */
export async function findBlockedHosts(
  deps: Deps,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Set(addresses.flatMap((address) => hostNameIn(address) ?? []));
  if (names.size === 0) return names;
  const list = await readList(deps);
  const [blocked, others] = [new Set<string>(), new Set<string>()];
  for (const name of names) (domainsOf(name).some((domain) => list.has(domain)) ? blocked : others).add(name);
  return new Set([...blocked, ...(await findDisreputable(deps, others))]);
}

/** The problem of an address with a blocked host, worded to follow the field's name. */
export const blockedHostProblem = "leads to a blocked host";

/** Checks addresses before they are stored, by field name. @throws invalid_input naming the field */
export async function requireAllowedHosts(
  deps: Deps,
  addresses: Readonly<Record<string, string>>,
): Promise<void> {
  const blocked = await findBlockedHosts(deps, Object.values(addresses));
  for (const [field, address] of Object.entries(addresses)) {
    if (blocked.has(hostNameIn(address) ?? "")) throw invalid(field, blockedHostProblem);
  }
}

/**
 * Returns a function that tells whether a code leads to a host blocked after `since`, epoch milliseconds; null if none
 * was blocked.
 */
export async function hostsBlockedSince(
  deps: Deps,
  since: number,
): Promise<((code: Linked) => boolean) | null> {
  const recent = [...(await readList(deps))].flatMap(([host, at]) => (at > since ? [host] : []));
  if (recent.length === 0) return null;
  const hosts = new Set(recent);
  return (code) => allAddressesOf(code).some(({ address }) => leadsTo(address, hosts));
}

const leadsTo = (address: string, hosts: ReadonlySet<string>): boolean =>
  domainsOf(hostNameIn(address) ?? "").some((domain) => hosts.has(domain));

/**
 * Blocks a host and its subdomains as destinations, or updates the reason of a blocked one. Existing codes are counted
 * but not changed.
 * @throws invalid_input if the text isn't a host name, or too many hosts are blocked
 */
export async function blockHost(deps: Deps, { host, reason }: BlockedHostInput): Promise<NewBlockedHost> {
  const name = readHostName(host);
  if (name === null) {
    throw invalid("host", "must be a host name such as shop.example, without scheme, port, path or wildcard");
  }
  const now = deps.now();
  const { count } = limits.blockedHosts;
  const row = await store.insertBlockedHost(
    deps.db,
    { id: newId(now), host: name, reason, createdAt: now },
    count,
  );
  if (row === undefined) {
    throw new ServiceError("invalid_input", `You can block at most ${count} hosts. Unblock some first.`);
  }
  clearRememberedList(deps);
  return { ...presentHost(row), codes: await countCodes(deps, name) };
}

/** How many codes are examined when a host is blocked, in total and per read. */
export const examined = { most: 20_000, atOnce: 2000 };

/** Counts the newest live codes that lead to a host. */
async function countCodes(deps: Deps, host: string): Promise<NewBlockedHost["codes"]> {
  const hosts = new Set([host]);
  // An IP address can be written in many ways, so searching for its text would miss some.
  const text = isIpAddress(host) ? "" : host;
  let found = 0;
  let total = 0;
  let after: string | null = null;
  let rows: store.CodeData[];
  do {
    rows = await store.listCodeData(deps.db, text, after, examined.atOnce);
    found += rows.filter(
      ({ links }) => links !== null && allAddressesOf(links).some(({ address }) => leadsTo(address, hosts)),
    ).length;
    total += rows.length;
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === examined.atOnce && total < examined.most);
  return { found, examined: total, complete: rows.length < examined.atOnce };
}

/** Returns a page of blocked hosts, newest first. @throws invalid_input for a cursor of another list */
export async function listBlockedHosts(
  deps: Deps,
  { cursor, limit }: BlockedHostQuery,
): Promise<BlockedHostList> {
  const filters = "blocked hosts";
  const rows = await store.listBlockedHosts(deps.db, parseCursor(cursor, filters), limit + 1);
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map(presentHost), nextCursor };
}

/** Unblocks a host. @throws not_found */
export async function unblockHost(deps: Deps, id: string): Promise<{ success: true }> {
  if (!(await store.deleteBlockedHost(deps.db, id))) throw notFound("Blocked host");
  clearRememberedList(deps);
  return { success: true };
}

const presentHost = ({ createdAt, ...row }: store.BlockedHostRow): BlockedHost => ({
  ...row,
  createdAt: new Date(createdAt).toISOString(),
});
