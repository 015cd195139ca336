import { generate, type LoadRequest } from "../../../bench/load/generator.ts";

/** Milliseconds after which nothing more is waited for. */
export const patience = 60_000;

/** Scans, by who scanned. */
export interface Tally {
  humans: number;
  bots: number;
}

const agents = {
  humans:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  bots: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
};

/** One code in this many is opened by a crawler, whose scans are kept apart: those must not get lost either. */
const crawlerEvery = 25;

/**
 * Opens codes at 16 connections, one after the other and over again.
 * @param amount requests
 * @returns the 302 answers, by who asked
 * @throws when a request was answered otherwise, or not at all: nobody knows then whether it was counted
 */
export async function load(origin: string, paths: readonly string[], amount: number): Promise<Tally> {
  const redirects: Tally = { humans: 0, bots: 0 };
  const agentAt = (i: number) => (i % crawlerEvery === 0 ? "bots" : "humans");
  const requests = paths.map(
    (path, i): LoadRequest => ({ method: "GET", path, headers: { "user-agent": agents[agentAt(i)] } }),
  );
  const { statuses } = await generate({ origin, requests, connections: 16, amount }, (index, status) => {
    if (status === 302) redirects[agentAt(index)] += 1;
  });
  if (redirects.humans + redirects.bots !== amount) {
    throw new Error(`${JSON.stringify(statuses)} of ${amount}`);
  }
  return redirects;
}
