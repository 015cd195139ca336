import autocannon, { type Request } from "autocannon";

/** Milliseconds after which nothing more is waited for. */
export const patience = 60_000;

/** Scans, by who scanned. */
export interface Tally {
  people: number;
  machines: number;
}

const agents = {
  people:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  machines: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
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
  const redirects: Tally = { people: 0, machines: 0 };
  const requests = paths.map((path, i): Request => {
    const who = i % crawlerEvery === 0 ? "machines" : "people";
    return {
      method: "GET",
      path,
      headers: { "user-agent": agents[who] },
      onResponse: (status) => {
        if (status === 302) redirects[who] += 1;
      },
    };
  });
  const result = await autocannon({
    url: origin,
    connections: 16,
    amount,
    requests,
    timeout: patience / 1000,
    // Ends at the first error, so that a server that hangs can't hold the test for every request's time.
    bailout: 1,
  });
  if (result.errors > 0 || redirects.people + redirects.machines !== amount) {
    throw new Error(`${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors, of ${amount}`);
  }
  return redirects;
}
