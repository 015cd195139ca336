import { generate, type LoadRequest } from "../../../bench/load/generator.ts";

/** The longest wait for a condition, in milliseconds. */
export const waitTimeout = 60_000;

/** Numbers of scans. */
export interface ScanCounts {
  humans: number;
  bots: number;
}

const userAgents = {
  humans:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  bots: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
};

/** One code in this many is scanned by a crawler. Bot scans are counted separately and must not get lost either. */
const codesPerCrawler = 25;

/**
 * Scans the codes in turn, repeatedly, over 16 connections.
 * @param requestCount how many scans in all
 * @returns the scans answered 302
 * @throws when any request got another answer or none, because its scan may or may not be recorded
 */
export async function load(
  origin: string,
  paths: readonly string[],
  requestCount: number,
): Promise<ScanCounts> {
  const redirects: ScanCounts = { humans: 0, bots: 0 };
  const visitorOf = (i: number) => (i % codesPerCrawler === 0 ? "bots" : "humans");
  const requests = paths.map(
    (path, i): LoadRequest => ({ method: "GET", path, headers: { "user-agent": userAgents[visitorOf(i)] } }),
  );
  const { statuses } = await generate(
    { origin, requests, connections: 16, requestCount },
    (index, status) => {
      if (status === 302) redirects[visitorOf(index)] += 1;
    },
  );
  if (redirects.humans + redirects.bots !== requestCount) {
    throw new Error(`${JSON.stringify(statuses)} of ${requestCount}`);
  }
  return redirects;
}
