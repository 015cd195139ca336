import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { ScanRecord } from "../../src/edge/scans/pack.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { SeededRandom } from "../../test/support/runner/seeded-random.ts";
import { firstHour, hours, places, referrers, type StagedCode, userAgents } from "./company.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

/** Days with scans: those of a report and of the previous period. */
const days = 60;

/** Picks a random item, weighted by its last element. */
function weighted<Item extends readonly unknown[]>(random: SeededRandom, items: readonly Item[]): Item {
  const weights = items.map((item) => Number(item.at(-1)));
  let left = random.below(weights.reduce((sum, weight) => sum + weight, 0));
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return items[index] as Item;
}

/** Returns the addresses by which a code is scanned: null for the scan origin. */
const viasOf = ({ atDomain, oldPaths = [] }: StagedCode, host: string): (string | null)[] => [
  atDomain === true ? host : null,
  ...oldPaths.map((path) => `${host}/${path}`),
];

/**
 * Returns the scans of a code until now: more at weekends and at certain hours, following its growth. The same in each
 * run.
 */
export function scansOf(
  { hash, id }: Qr,
  staged: StagedCode,
  { workspaceId, host, seed, now }: { workspaceId: string; host: string | null; seed: number; now: number },
): ScanRecord[] {
  const random = new SeededRandom(seed);
  const midnight = now - (now % day);
  const dates = Array.from({ length: Math.min(days, staged.age) }, (_, age) => {
    const date = midnight - age * day;
    const isWeekend = [0, 6].includes(new Date(date).getUTCDay());
    const trend = 1 + (staged.growth - 1) * (1 - age / days);
    return [
      date,
      Math.max(1, Math.round(100 * trend * (isWeekend ? 1.45 : 1) * (0.85 + random.below(30) / 100))),
    ] as const;
  });
  const hourWeights = hours.map((weight, i) => [firstHour + i, weight] as const);
  const vias = host === null ? [null] : viasOf(staged, host);
  return Array.from({ length: staged.scans }, (_, i) => {
    const [date] = weighted(random, dates);
    const [at] = weighted(random, hourWeights);
    const [country, city] = weighted(random, places);
    const [userAgent] = weighted(random, userAgents);
    const [referrer] = weighted(random, referrers);
    const time = Math.min(date + at * hour + random.below(hour), now - random.below(hour));
    return {
      id: newId(time),
      workspaceId,
      qrId: id,
      hash,
      country,
      city,
      userAgent,
      referrer,
      visitor: (seed * 100_000 + random.below(Math.ceil(staged.scans * 0.62))).toString(16).padStart(16, "0"),
      prefetch: false,
      isMailNetwork: false,
      via: vias[i % vias.length] ?? null,
    };
  });
}
