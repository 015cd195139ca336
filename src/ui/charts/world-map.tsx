import { formatCount } from "../values/format.ts";
import { countryName, formatShare } from "./format.ts";
import { type MapWindow, type Run, windowOf } from "./map-window.ts";
import { shadeOf } from "./scale.ts";
import { worldRuns, worldSize } from "./world-grid.ts";

export interface CountryScans {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly scans: number;
}

/** The most modules from west to east. In a larger window, a module stands for several squares. */
const mostModules = 64;

/**
 * A map of modules with scans by country, cropped to the area of nearly all scans. The numbers are in the list of
 * countries beside it.
 */
export function WorldMap({ countries }: { countries: readonly CountryScans[] }) {
  const total = countries.reduce((sum, { scans }) => sum + scans, 0);
  const largest = Math.max(0, ...countries.map(({ scans }) => scans));
  const scanned = countries.flatMap(({ country, scans }) => {
    const runs = runsOf(country);
    return scans > 0 && runs.length > 0 ? [{ country, scans, runs }] : [];
  });
  const window = windowOf(worldSize, scanned);
  const { width, height, owners } = modulesIn(window, scanned);
  const paths = new Map<number, string>();
  for (let row = 0; row < height; row += 1) {
    for (let x = 0; x < width; x += 1) {
      const owner = owners[row * width + x] ?? sea;
      if (owner === sea) continue;
      const first = x;
      while (x + 1 < width && owners[row * width + x + 1] === owner) x += 1;
      paths.set(owner, `${paths.get(owner) ?? ""}M${first} ${row}.5h${x - first + 1}`);
    }
  }
  return (
    <svg class="world-map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(countries)}>
      <path class="heat-0" d={paths.get(land)} />
      {scanned.map(({ country, scans }) => {
        const path = paths.get(firstCountry + mapped.indexOf(country));
        return (
          path !== undefined && (
            <path class={`heat-${shadeOf(scans, largest)}`} d={path}>
              <title>{`${countryName(country)}: ${formatCount(scans, "scan")}, ${formatShare(scans, total)}`}</title>
            </path>
          )
        );
      })}
    </svg>
  );
}

/** Characters per run in the grid: row, first column and length. */
const runLength = 6;

/** Runs by country, cached because parsing the grid takes longer than drawing a map. */
const readRuns = new Map<string, readonly Run[]>();

function runsOf(country: string): readonly Run[] {
  const known = readRuns.get(country);
  if (known !== undefined) return known;
  const text = worldRuns.get(country) ?? "";
  const number = (from: number) => Number.parseInt(text.slice(from, from + 2), 36);
  const runs = Array.from({ length: text.length / runLength }, (_, index) => {
    const from = index * runLength;
    return { y: number(from), x: number(from + 2), length: number(from + 4) };
  });
  // Unknown countries come from requests and would otherwise fill the cache.
  if (runs.length > 0) readRuns.set(country, runs);
  return runs;
}

const mapped = [...worldRuns.keys()];
/**
 * The owners of squares and modules: the sea, land without scans, and from here on countries by their index in
 * `mapped`.
 */
const [sea, land, firstCountry] = [0, 1, 2];

let squares: Uint16Array | undefined;

/** Returns the owner of each square, row by row, as if every country had scans. */
function ownersOfSquares(): Uint16Array {
  if (squares !== undefined) return squares;
  squares = new Uint16Array(worldSize.width * worldSize.height);
  for (const [index, country] of mapped.entries()) {
    for (const { x, y, length } of runsOf(country)) {
      const from = y * worldSize.width + x;
      squares.fill(firstCountry + index, from, from + length);
    }
  }
  return squares;
}

interface Scanned {
  readonly country: string;
  readonly runs: readonly Run[];
}

/**
 * Returns a window's modules, row by row. Each belongs to the country with most of its squares, if at least half of
 * them are land. A country with scans has at least one.
 */
function modulesIn(window: MapWindow, scanned: readonly Scanned[]) {
  const size = Math.ceil(window.width / mostModules);
  const [width, height] = [Math.ceil(window.width / size), Math.ceil(window.height / size)];
  const ownerOf = new Uint16Array(firstCountry + mapped.length).fill(land);
  ownerOf[sea] = sea;
  for (const { country } of scanned) {
    const owner = firstCountry + mapped.indexOf(country);
    ownerOf[owner] = owner;
  }
  const all = ownersOfSquares();
  const counts = new Uint16Array(ownerOf.length);
  const owners = new Uint16Array(width * height);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      let most = sea;
      let onLand = 0;
      const [top, left] = [window.y + row * size, window.x + column * size];
      const [bottom, right] = [
        Math.min(top + size, window.y + window.height),
        Math.min(left + size, window.x + window.width),
      ];
      counts.fill(0);
      for (let y = top; y < bottom; y += 1) {
        for (let x = left; x < right; x += 1) {
          const owner = ownerOf[all[y * worldSize.width + x] ?? sea] ?? sea;
          if (owner === sea) continue;
          onLand += 1;
          counts[owner] = (counts[owner] ?? 0) + 1;
          if ((counts[owner] ?? 0) > (counts[most] ?? 0)) most = owner;
        }
      }
      if (onLand * 2 >= size * size) owners[row * width + column] = most;
    }
  }
  const drawn = new Set(owners);
  for (const { country, runs } of scanned) {
    const owner = firstCountry + mapped.indexOf(country);
    const run = drawn.has(owner) ? undefined : runs.find((each) => isWithin(window, each));
    if (run === undefined) continue;
    const [row, column] = [run.y - window.y, Math.max(run.x - window.x, 0)].map((at) =>
      Math.floor(at / size),
    );
    owners[(row ?? 0) * width + (column ?? 0)] = owner;
  }
  return { width, height, owners };
}

const isWithin = ({ x, y, width, height }: MapWindow, run: Run): boolean =>
  run.y >= y && run.y < y + height && run.x < x + width && run.x + run.length > x;

/** How many countries the description names. */
const named = 3;

function describe(countries: readonly CountryScans[]): string {
  if (countries.length === 0) return "World map: no scans with a known country.";
  const first = [...countries].sort((a, b) => b.scans - a.scans).slice(0, named);
  const list = first.map(({ country, scans }) => `${countryName(country)} (${formatCount(scans, "scan")})`);
  return `Map of scans in ${countries.length === 1 ? "1 country" : `${countries.length} countries`}. Most: ${list.join(", ")}.`;
}
