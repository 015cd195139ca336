import type { Deps } from "../deps.ts";
import { isCloudflareAddress } from "./cloudflare-addresses.ts";
import { type Addresses, readAddresses } from "./dns.ts";

/** Where a host leads by DNS. */
export type Pointing =
  | { readonly to: "here"; readonly by: "cname" | "addresses" }
  /** To Cloudflare, by a zone that hides where it leads from there. */
  | { readonly to: "proxy"; readonly found: string }
  | { readonly to: "elsewhere"; readonly found: string }
  | { readonly to: "nowhere" }
  | { readonly to: "unreadable" };

/** Reads whether a host leads to the target, by CNAME or, as flattened and apex records do, by its addresses. */
export async function readPointing(deps: Deps, host: string, target: string): Promise<Pointing> {
  const found = await readAddresses(deps, host);
  if (found === "unreadable") return { to: "unreadable" };
  const { cnames, addresses } = found;
  if (cnames.includes(target)) return { to: "here", by: "cname" };
  if (cnames.length + addresses.length === 0) return { to: "nowhere" };
  const own = await readAddresses(deps, target);
  if (own === "unreadable") return { to: "unreadable" };
  const others = addresses.filter((address) => !own.addresses.includes(address));
  if (addresses.length > 0 && others.length === 0) return { to: "here", by: "addresses" };
  return pointingOf({ cnames, addresses: others });
}

/** Reads whether a host leads to Cloudflare at all, as a host of the operator's own zones does. */
export async function readProxied(deps: Deps, host: string): Promise<Pointing> {
  const found = await readAddresses(deps, host);
  if (found === "unreadable") return { to: "unreadable" };
  if (found.cnames.length + found.addresses.length === 0) return { to: "nowhere" };
  return pointingOf({ ...found, cnames: found.addresses.length > 0 ? [] : found.cnames });
}

function pointingOf({ cnames: [cname], addresses }: Addresses): Pointing {
  if (cname !== undefined) return { to: "elsewhere", found: `CNAME ${cname}` };
  const found = addresses.map((address) => `${address.includes(":") ? "AAAA" : "A"} ${address}`).join(", ");
  return addresses.every(isCloudflareAddress) ? { to: "proxy", found } : { to: "elsewhere", found };
}
