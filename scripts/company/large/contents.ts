import type * as z from "zod";
import type { QrCreateInput } from "../../../src/contract/resources/codes/qr.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { SeededRandom } from "../../../test/support/runner/seeded-random.ts";
import { places, referrers, userAgents } from "../company.ts";

// A retail chain with a code on every shelf, as `npm run dev -- --example large` and benchmarks have it. The same in each
// run: item `i` never depends on another.

/** How much of everything a large workspace has. */
export interface Sizes {
  readonly codes: number;
  readonly folders: number;
  readonly domains: number;
  readonly scans: number;
}

export const fullSizes: Sizes = { codes: 50_000, folders: 5000, domains: 50, scans: 1_000_000 };

export const largeName = "large";
export const largeCompany = { name: "Harbour Stores", userName: "Lena Brandt" } as const;

/** Days from the first code until now, and days with scans. */
export const days = { ofCodes: 390, ofScans: 180 } as const;

const dayLength = 24 * 60 * 60_000;

const cities = [
  ...["Lisbon", "Porto", "Setúbal", "Braga", "Coimbra", "Faro", "Évora", "Aveiro", "Funchal", "Leiria"],
  ...["Madrid", "Seville", "Málaga", "Bilbao", "A Coruña", "London", "Leeds", "Bristol", "Glasgow", "York"],
  ...["Berlin", "Hamburg", "München", "Köln", "Leipzig", "Paris", "Lyon", "Nîmes", "Lille", "Orléans"],
  ...["Vienna", "Graz", "Zürich", "Genève", "Basel", "Rome", "Milan", "Turin", "Bologna", "Forlì"],
  ...["Warsaw", "Kraków", "Łódź", "Gdańsk", "Poznań", "Prague", "Brno", "Plzeň", "Oslo", "Tromsø"],
] as const;

const products = [
  ...["Espresso beans 250 g", "Espresso beans 1 kg", "Filter coffee", "Café crème", "Decaf", "Cold brew"],
  ...["Jalapeño sauce", "Piri-piri", "Olive oil", "Sea salt", "Müsli", "Oat drink", "Rye bread", "Honey"],
  ...["Green tea", "Earl Grey", "Rooibos", "Crème brûlée", "Pastel de nata", "Almond cake", "Dark chocolate"],
  ...["Mug, white", "Mug, blue", "French press", "Kettle", "Grinder", "Paper filters", "Gift card"],
] as const;

const categories = ["coffee", "pantry", "tea", "cake", "equipment"] as const;
const hosts = [
  "shop.harbour.example",
  "www.harbour.example",
  "info.harbour.example",
  "recipes.example",
] as const;

const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

/** Repeats items as often as their last elements say, so that each is picked as often. */
const spread = <Item extends readonly unknown[]>(items: readonly Item[]): readonly Item[] =>
  items.flatMap((item) => new Array<Item>(Number(item.at(-1))).fill(item));
const [spreadPlaces, spreadAgents, spreadReferrers] = [spread(places), spread(userAgents), spread(referrers)];

/** The place of a folder: a shelf of a city's store. */
export const folderName = (i: number): string =>
  `${at(cities, i)}, shelf ${String(1 + Math.floor(i / cities.length)).padStart(3, "0")}`;

export const domainHost = (i: number): string => `go-${String(i + 1).padStart(2, "0")}.stores.localhost`;

/** Returns a code. @param folderIds by the folder's number @param domains hosts, by the domain's number */
export function codeInput(
  i: number,
  { folderIds, domains }: { readonly folderIds: readonly string[]; readonly domains: readonly string[] },
): z.input<typeof QrCreateInput> {
  const random = new SeededRandom(i + 1);
  const product = random.below(products.length);
  const folder = random.below(folderIds.length);
  // Every tenth code is outside folders, and every second one at a domain.
  const folderId = i % 10 === 9 ? null : (folderIds[folder] ?? null);
  const domain = i % 2 === 0 ? null : at(domains, i >> 1);
  const aisle = 1 + random.below(200);
  return {
    name: `${at(products, product)}, ${at(cities, folder)} ${i + 1}`,
    externalId: `SKU-${String(i + 1).padStart(7, "0")}`,
    folderId,
    tags: [
      at(categories, product),
      ...(i % 2 === 0 ? [`aisle ${aisle}`] : []),
      ...(i % 4 === 0 ? ["2026"] : []),
      ...(i % 500 === 7 ? ["recall"] : []),
    ],
    ...(i % 40 === 3 && { status: "paused" }),
    ...(i % 25 === 11 && { utm: { source: "shelf", campaign: "autumn" } }),
    ...(domain !== null && { domain }),
    ...(domain !== null && i < 1000 && { aliases: [`${domain}/shelf/${i + 1}`] }),
    ...(i % 50 === 17
      ? { qrType: "sms", data: { type: "sms", phone: "+351 912 345 678", message: `Order ${i + 1}` } }
      : i % 50 === 31
        ? { qrType: "email", data: { type: "email", to: `shelf${i + 1}@harbour.example` } }
        : {
            qrType: "url",
            data: { type: "url", url: `https://${at(hosts, product)}/p/${product}?shelf=${i + 1}` },
          }),
  };
}

/** When the code with this number was created. @param now epoch milliseconds */
export const createdAt = (i: number, codes: number, now: number): number =>
  Math.floor(now - days.ofCodes * dayLength * (1 - i / (codes + 1)));

interface Scanned {
  readonly id: string;
  readonly hash: string;
}

/**
 * Returns scans by their numbers, in the order of time. A fifth of the codes has most of them.
 * @param codes those that are scanned, by their numbers
 */
export function scansFrom(
  from: number,
  to: number,
  { workspaceId, codes, scans, now }: ScanSetting,
): ScanRecord[] {
  const random = new SeededRandom(from + 1);
  const start = now - days.ofScans * dayLength;
  return Array.from({ length: to - from }, (_, index): ScanRecord => {
    const i = from + index;
    const time = start + Math.floor(((now - start) * i) / scans);
    const scanned = Math.floor(codes.length * (random.below(10_000) / 10_000) ** 4);
    const { id, hash } = at(codes, scanned);
    const [country, city] = random.pick(spreadPlaces);
    const [userAgent] = random.pick(spreadAgents);
    const [referrer] = random.pick(spreadReferrers);
    return {
      ...{ id: scanId(time, i), workspaceId, qrId: id, hash, country, city, userAgent, referrer },
      visitor: random.below(400_000).toString(16).padStart(16, "0"),
      ...{ prefetch: false, isMailNetwork: false, via: null },
    };
  });
}

interface ScanSetting {
  readonly workspaceId: string;
  readonly codes: readonly Scanned[];
  /** How many there are in all. */
  readonly scans: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A UUIDv7 of a scan's time and number. */
function scanId(time: number, i: number): string {
  const hex = time.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${i.toString(16).padStart(12, "0")}`;
}
