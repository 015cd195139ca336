import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { SeededRandom } from "../runner/seeded-random.ts";
import { phone, type Service } from "../service.ts";
import { packed, scanRecord } from "./scans.ts";

const day = 24 * 60 * 60 * 1000;

/** Places at the beginning are more frequent. */
const places = [
  ["DE", "Berlin"],
  ["DE", "Hamburg"],
  ["DE", "Köln"],
  ["FR", "Paris"],
  ["US", "New York"],
  ["NL", "Amsterdam"],
  ["AT", "Wien"],
  ["BR", "São Paulo"],
  ["SG", "Singapore"],
  ["JP", "Tokyo"],
  ["ZA", "Cape Town"],
  ["IN", "Mumbai"],
  [null, null],
] as const;
const agents = [
  phone,
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
] as const;
const referrers = [null, null, null, null, "www.example.com", "news.example", "l.instagram.com"] as const;

/**
 * Returns scans like those of a poster in the days before `end`: more at noon and in the evening, fewer at weekends.
 */
export function variedScans(
  qr: Qr,
  workspaceId: string,
  count: number,
  days: number,
  end: number,
): ScanRecord[] {
  const random = new SeededRandom(7);
  const skewed = (length: number) => Math.min(random.below(length), random.below(length));
  return Array.from({ length: count }, () => {
    const date = end - random.below(days) * day;
    const weekend = [0, 6].includes(new Date(date).getUTCDay()) && random.below(3) > 0;
    const midnight = date - (date % day) - (weekend ? 2 * day : 0);
    const hour = random.below(2) === 0 ? 10 + random.below(5) : 7 + random.below(15);
    const [country, city] = places[skewed(places.length)] ?? [null, null];
    return scanRecord({
      at: Math.min(midnight + hour * 3_600_000 + random.below(3_600_000), end),
      workspaceId,
      qrId: qr.id,
      hash: qr.hash,
      country,
      city,
      userAgent: agents[skewed(agents.length)] ?? phone,
      referrer: random.pick(referrers),
      visitor: random
        .below(Math.ceil(count * 0.7))
        .toString(16)
        .padStart(16, "0"),
    });
  });
}

/** Records scans like their queue consumer. */
export async function recordVaried(service: Service, scans: readonly ScanRecord[]): Promise<void> {
  const [first] = scans;
  if (first === undefined) return;
  const ledger = service.deps.ledger(first.workspaceId);
  for (let from = 0; from < scans.length; from += 500) {
    await ledger.recordScans(packed(...scans.slice(from, from + 500)), service.deps.now());
  }
}
