import { formatCount } from "../components/values/format.ts";
import { countryName, formatShare } from "./format.ts";
import { type MapWindow, type Run, windowOf } from "./map-window.ts";
import { shadeOf } from "./scale.ts";
import { worldRuns, worldSize } from "./world-grid.ts";

export interface CountryScans {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly scans: number;
}

/** Modules from west to east at most: where the window has more squares, a module stands for several. */
const mostModules = 64;

/** Countries by scans, in modules, where nearly all scans are. The numbers are in the list of countries beside it. */
export function WorldMap({ countries }: { countries: readonly CountryScans[] }) {
  const total = countries.reduce((sum, { scans }) => sum + scans, 0);
  const largest = Math.max(0, ...countries.map(({ scans }) => scans));
  const scanned = countries.flatMap(({ country, scans }) => {
    const runs = runsOf(country);
    return scans > 0 && runs.length > 0 ? [{ country, scans, runs }] : [];
  });
  const window = windowOf(worldSize, scanned);
  const modules = modulesIn(window, scanned);
  const paths = new Map<string, string>();
  for (const [row, line] of modules.entries()) {
    for (let x = 0; x < line.length; x += 1) {
      const owner = line[x];
      if (owner === undefined) continue;
      const first = x;
      while (line[x + 1] === owner) x += 1;
      paths.set(owner, `${paths.get(owner) ?? ""}M${first} ${row + 0.5}h${x - first + 1}`);
    }
  }
  return (
    <svg
      class="world-map"
      viewBox={`0 0 ${modules[0]?.length ?? 0} ${modules.length}`}
      role="img"
      aria-label={describe(countries)}
    >
      <path class="heat-0" d={paths.get(otherLand)} />
      {scanned.map(
        ({ country, scans }) =>
          paths.has(country) && (
            <path class={`heat-${shadeOf(scans, largest)}`} d={paths.get(country)}>
              <title>{`${countryName(country)}: ${formatCount(scans, "scan")}, ${formatShare(scans, total)}`}</title>
            </path>
          ),
      )}
    </svg>
  );
}

/** Characters of a run in the grid: row, first column and length. */
const runLength = 6;

function runsOf(country: string): Run[] {
  const text = worldRuns.get(country) ?? "";
  const number = (from: number) => Number.parseInt(text.slice(from, from + 2), 36);
  return Array.from({ length: text.length / runLength }, (_, index) => {
    const from = index * runLength;
    return { y: number(from), x: number(from + 2), length: number(from + 4) };
  });
}

/** The owner of modules in countries without scans. */
const otherLand = "";

/**
 * The rows of modules in a window, each with the country that owns it: the one with most of its squares, if half of them
 * are land. A country with scans has one at least.
 */
function modulesIn(
  window: MapWindow,
  scanned: readonly { readonly country: string; readonly runs: readonly Run[] }[],
): (string | undefined)[][] {
  const size = Math.ceil(window.width / mostModules);
  const [width, height] = [Math.ceil(window.width / size), Math.ceil(window.height / size)];
  const squares = Array.from({ length: width * height }, () => new Map<string, number>());
  const count = (owner: string, { x, y, length }: Run) => {
    const row = Math.floor((y - window.y) / size);
    if (y < window.y || row >= height) return;
    for (let column = Math.max(x, window.x); column < x + length; column += 1) {
      const place = Math.floor((column - window.x) / size);
      if (place >= width) return;
      const owners = squares[row * width + place];
      owners?.set(owner, (owners.get(owner) ?? 0) + 1);
    }
  };
  const own = new Set(scanned.map(({ country }) => country));
  for (const country of worldRuns.keys()) {
    for (const run of runsOf(country)) count(own.has(country) ? country : otherLand, run);
  }
  const owners = squares.map((among) => {
    const [most] = [...among].sort(([, a], [, b]) => b - a);
    const land = [...among.values()].reduce((sum, each) => sum + each, 0);
    return land * 2 >= size * size ? most?.[0] : undefined;
  });
  const drawn = new Set(owners);
  for (const country of own) {
    const place = drawn.has(country) ? -1 : squares.findIndex((among) => among.has(country));
    if (place >= 0) owners[place] = country;
  }
  return Array.from({ length: height }, (_, row) => owners.slice(row * width, (row + 1) * width));
}

/** Countries that the sentence names. */
const named = 3;

function describe(countries: readonly CountryScans[]): string {
  if (countries.length === 0) return "World map: no scans with a known country.";
  const first = [...countries].sort((a, b) => b.scans - a.scans).slice(0, named);
  const list = first.map(({ country, scans }) => `${countryName(country)} (${formatCount(scans, "scan")})`);
  return `Map of scans in ${countries.length === 1 ? "1 country" : `${countries.length} countries`}. Most: ${list.join(", ")}.`;
}
