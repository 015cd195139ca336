import { limits } from "../../contract/limits.ts";
import { readAlias } from "../../lib/web/alias.ts";
import { readHostName } from "../../lib/web/host-name.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { AliasHolders } from "../../store/domains/aliases.ts";
import type { DomainRow } from "../../store/domains/domains.ts";
import type { AliasAddress } from "../../store/schema/workspaces.ts";
import { invalid, type ServiceError } from "../errors.ts";

/** The domain and the aliases of codes. */

/** The rows that the addresses of codes depend on. */
export interface AddressReferences {
  /** The workspace's domains, by host. */
  readonly domains: ReadonlyMap<
    string,
    Pick<DomainRow, "host" | "status" | "suspended" | "isDefault" | "query">
  >;
  /** The codes that have the aliases, by address. */
  readonly aliasHolders: AliasHolders;
  /** Hashes of the workspace that the aliases read like, folded. */
  readonly hashes: ReadonlySet<string>;
  /** Aliases of the workspace that read like the codes' hashes, by folded hash. */
  readonly lookAlikes: ReadonlyMap<string, string>;
}

/** Returns whether codes answer at a host of the workspace. */
export function isActiveDomain({ domains }: Pick<AddressReferences, "domains">, host: string): boolean {
  const domain = domains.get(host);
  return domain?.status === "active" && domain.suspended === null;
}

/** Returns the domain of new codes; null for the scan origin. */
export function defaultDomainOf(references: Pick<AddressReferences, "domains">): string | null {
  const isDefault = ({ host, isDefault: is }: { host: string; isDefault: boolean }) =>
    is && isActiveDomain(references, host);
  return [...references.domains.values()].find(isDefault)?.host ?? null;
}

/** The columns of a code's addresses. */
type AddressColumns = Pick<QrRow, "domain" | "activeDomain" | "aliases" | "aliasAddresses">;

/** The addresses that a code is given. */
interface Given {
  readonly domain?: string | null | undefined;
  readonly aliases?: readonly string[] | null | undefined;
}

/** Returns the columns of the given addresses. @throws invalid_input */
export function addressColumns(
  { domain, aliases }: Given,
  references: Pick<AddressReferences, "domains">,
): Partial<AddressColumns> {
  return {
    ...(domain !== undefined && domainColumns(domain, references)),
    ...(aliases !== undefined && aliasColumns(aliases ?? [])),
  };
}

function domainColumns(
  text: string | null,
  references: Pick<AddressReferences, "domains">,
): Pick<AddressColumns, "domain" | "activeDomain"> {
  if (text === null) return { domain: null, activeDomain: null };
  const host = readHostName(text);
  if (host === null) throw invalid("domain", "must be the host of a domain of this workspace");
  return { domain: host, activeDomain: isActiveDomain(references, host) ? host : null };
}

function aliasColumns(list: readonly string[]): Pick<AddressColumns, "aliases" | "aliasAddresses"> {
  const shown = new Map<string, { text: string; address: AliasAddress }>();
  for (const [i, text] of list.entries()) {
    const read = readAlias(text, limits.aliases.bytes);
    if ("problem" in read) throw invalid(`aliases.${i}`, read.problem);
    const { address, folded } = read;
    if (!shown.has(address)) shown.set(address, { text: read.shown, address: [address, folded] });
  }
  const all = [...shown.values()];
  if (all.length === 0) return { aliases: null, aliasAddresses: null };
  return { aliases: all.map(({ text }) => text), aliasAddresses: all.map(({ address }) => address) };
}

/** Returns the error of an address that another code has, or that looks like a code's; undefined if there is none. */
export function takenAddress(
  {
    id,
    hashFolded,
    aliases,
    aliasAddresses,
  }: Pick<QrRow, "id" | "hashFolded" | "aliases" | "aliasAddresses">,
  { aliasHolders, hashes, lookAlikes }: Omit<AddressReferences, "domains">,
): ServiceError | undefined {
  for (const [i, [address, folded]] of (aliasAddresses ?? []).entries()) {
    const holder = aliasHolders.get(address);
    const shown = aliases?.[i] ?? address;
    if (holder !== undefined && holder.id !== id) {
      const code = holder.isDeleted ? `the deleted QR code ${holder.id}` : `the QR code ${holder.id}`;
      return invalid(`aliases.${i}`, `can't be ${shown}, which leads to ${code}. Move it instead`, 409);
    }
    if (folded !== null && hashes.has(folded)) {
      return invalid(`aliases.${i}`, `can't be ${shown}, which reads like the short name of a code`, 409);
    }
  }
  const alias = hashFolded === null ? undefined : lookAlikes.get(hashFolded);
  return alias === undefined
    ? undefined
    : invalid("hash", `reads like the alias ${alias}. Choose another.`, 409);
}

/** Returns an alias that a suspended code would lose, so that what was printed would lead elsewhere; undefined if none. */
export function heldAlias(
  before: Pick<QrRow, "suspended" | "aliases" | "aliasAddresses">,
  after: Pick<QrRow, "aliasAddresses">,
): string | undefined {
  if (before.suspended === null) return undefined;
  const kept = new Set((after.aliasAddresses ?? []).map(([address]) => address));
  const lost = (before.aliasAddresses ?? []).findIndex(([address]) => !kept.has(address));
  return before.aliases?.[lost];
}

/** Returns the addresses that are aliases of only one of two versions of a code. @param before null for a new code */
export function changedAddresses(
  before: Pick<QrRow, "aliasAddresses"> | null,
  after: Pick<QrRow, "aliasAddresses">,
): string[] {
  const of = (row: typeof before) => (row?.aliasAddresses ?? []).map(([address]) => address);
  const [then, now] = [of(before), of(after)] as const;
  return [...then.filter((each) => !now.includes(each)), ...now.filter((each) => !then.includes(each))];
}

/** Returns a function that reports whether an earlier row of the batch has an alias of this one. */
export function trackAliases(): (code: Pick<QrRow, "aliasAddresses">) => boolean {
  const known = new Set<string>();
  return ({ aliasAddresses }) => {
    const addresses = (aliasAddresses ?? []).map(([address]) => address);
    if (addresses.some((address) => known.has(address))) return true;
    for (const address of addresses) known.add(address);
    return false;
  };
}

/** The error of a row with an alias of an earlier one. */
export const aliasOfEarlierRow = () => invalid("aliases", "has an address that an earlier row has");
