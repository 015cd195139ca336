import { BoundedMap } from "../../lib/bounded-map.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { foldHash } from "../../lib/text/hash.ts";
import { findHashByFolded } from "../../store/routing/route-sources.ts";
import type { EdgeDeps } from "../deps.ts";
import type { RequestContext } from "./request-context.ts";
import { unknownHashThrottle } from "./throttle.ts";

/** Misread hashes and the hashes that were meant. This mapping never changes, because look-alikes can't be chosen. */
const known = perIsolate(() => new BoundedMap<string, string>(1000));

/** Returns the hash that this one is known, from memory, to be a misreading of. */
export const recallMeant = (deps: EdgeDeps, hash: string): string | undefined => known(deps).get(hash);

/** Returns the hash that an unknown one may be a misreading of; null if no code has such a hash. */
async function findMeant(deps: EdgeDeps, hash: string): Promise<string | null> {
  const folded = foldHash(hash);
  // A hash without these characters has no misreadings.
  const meant = /[01]/.test(folded) ? await findHashByFolded(deps.db, folded) : null;
  if (meant === null || meant === hash) return null;
  known(deps).set(hash, meant);
  return meant;
}

/**
 * The same for a scan, without throttling: the network's miss was counted when the hash itself was not found.
 * @returns `unavailable` if the catalogue can't be read
 */
export async function findMeantByScan(
  deps: EdgeDeps,
  hash: string,
  { clientAddress }: RequestContext,
): Promise<{ readonly hash: string } | null | "unavailable"> {
  try {
    const found = await unknownHashThrottle(deps).lookUpAgain(clientAddress, async () => {
      const meant = await findMeant(deps, hash);
      return meant === null ? null : { hash: meant };
    });
    return found === "busy" ? "unavailable" : found;
  } catch (error) {
    log("error", "catalogue not read for a scan", { hash, error: describeError(error) });
    return "unavailable";
  }
}

/**
 * Looks up a hash as it was read, then, if no code has it, the hash that it may be a misreading of. The exact hash
 * comes first, because a chosen short name may contain any letter.
 */
export async function lookUpWithCorrections<T extends object>(
  deps: EdgeDeps,
  hash: string,
  lookUp: (hash: string) => Promise<T | null | undefined>,
): Promise<T | undefined> {
  const found = await lookUp(hash);
  if (found) return found;
  const meant = await findMeant(deps, hash);
  return (meant !== null && (await lookUp(meant))) || undefined;
}
