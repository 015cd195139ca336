import { networksOf } from "./network.ts";

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
