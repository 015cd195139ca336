import { networksOf } from "../lib/web/network.ts";
import type { Deps } from "./deps.ts";

/**
 * Counts a request of a client's networks.
 * @param purpose separates counts that share a limit
 * @returns the network that has had too many; undefined if the request may go on
 */
export async function findExceeded(
  limit: RateLimit,
  clientAddress: string,
  purpose = "",
): Promise<string | undefined> {
  for (const { network, times } of networksOf(clientAddress)) {
    if (!(await takeOneOf(limit, `${purpose}${network}`, times))) return network;
  }
  return undefined;
}

/** Public work that a network's limit is for. Each is counted by itself. */
type PublicWork = "drawing" | "page image" | "report";

/** Counts public work that a client asks for. @returns whether a network of theirs has had too much in this minute */
export const isWorkExceeded = async (
  { drawingLimit }: Pick<Deps, "drawingLimit">,
  clientAddress: string,
  work: PublicWork,
): Promise<boolean> =>
  (await findExceeded(drawingLimit, clientAddress, work === "drawing" ? "" : `${work} `)) !== undefined;

/**
 * A limit's size is part of the configuration, so a network that may use it several times has as many counts. Which one is
 * tried first is random, so that few requests try more than one.
 */
async function takeOneOf(limit: RateLimit, network: string, times: number): Promise<boolean> {
  const first = Math.floor(Math.random() * times);
  for (let i = 0; i < times; i += 1) {
    const key = times === 1 ? network : `${network} ${(first + i) % times}`;
    if ((await limit.limit({ key })).success) return true;
  }
  return false;
}
