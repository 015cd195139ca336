import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { geoBounds, geoContains, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

/**
 * Writes the dashboard's map, src/ui/charts/world-grid.ts: `node scripts/world-map.ts`.
 *
 * The borders are from Natural Earth, which is in the public domain, in the package `world-atlas`. That package,
 * `d3-geo` and `topojson-client` are under the ISC licence. None of them becomes part of the service.
 */

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** Squares of the map from west to east. */
const columns = 320;
const antarctica = "AQ";

/** Countries without an ISO 3166-1 number in the atlas. */
const codesByName: Record<string, string> = { Kosovo: "XK", Somaliland: "SO", "N. Cyprus": "CY" };

async function readAtlas() {
  const file = createRequire(import.meta.url).resolve("world-atlas/countries-50m.json");
  const atlas: Atlas = JSON.parse(await readFile(file, "utf8"));
  return feature(atlas, atlas.objects.countries).features.flatMap((country) => {
    const code = codesByName[country.properties.name] ?? alpha2(country.id);
    return code === undefined || code === antarctica ? [] : [{ code, country, bounds: geoBounds(country) }];
  });
}

/** Returns `DE` for 276. */
function alpha2(number: string | number | undefined): string | undefined {
  return number === undefined ? undefined : new Intl.Locale(`und-${number}`).region;
}

const atlas = await readAtlas();
const land = { type: "FeatureCollection", features: atlas.map(({ country }) => country) } as const;
const projection = geoNaturalEarth1().fitWidth(columns, land);
const rows = Math.ceil(geoPath(projection).bounds(land)[1][1]);

function countryAt(place: [longitude: number, latitude: number]): string | undefined {
  const [longitude, latitude] = place;
  return atlas.find(({ country, bounds: [[west, south], [east, north]] }) => {
    const isNear =
      west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
    return isNear && latitude >= south && latitude <= north && geoContains(country, place);
  })?.code;
}

const grid = Array.from({ length: rows }, (_, row) =>
  Array.from({ length: columns }, (_column, column) => {
    const place = projection.invert?.([column + 0.5, row + 0.5]);
    // Beyond the rounded edge of the map, the inverse projection yields a place elsewhere.
    const [x = -1] = (place && projection(place)) ?? [];
    return place && Math.abs(x - column - 0.5) < 0.01 && Math.abs(place[0]) <= 180
      ? countryAt(place)
      : undefined;
  }),
);

/** The number of squares of each country. */
const sizes = new Map<string, number>();
for (const code of grid.flat()) if (code !== undefined) sizes.set(code, (sizes.get(code) ?? 0) + 1);

// A country too small to contain the centre of a square gets the square around its own centre, or a neighbouring one.
for (const { code, country } of atlas) {
  if (sizes.has(code)) continue;
  const [x, y] = geoPath(projection).centroid(country);
  if (!Number.isFinite(x + y)) continue;
  const near = [0, 1, -1].flatMap((down) =>
    [0, 1, -1].map((right) => [Math.floor(x) + right, Math.floor(y) + down] as const),
  );
  const free = near.find(([column, row]) => {
    const owner = grid[row]?.[column];
    return row < rows && (owner === undefined || (sizes.get(owner) ?? 0) > 4);
  });
  const line = free && grid[free[1]];
  if (free === undefined || line === undefined) continue;
  line[free[0]] = code;
  sizes.set(code, 1);
}

/** Two characters. */
const packed = (number: number) => number.toString(36).padStart(2, "0");

/** The runs of squares of each country, as six characters each: row, first column, length. */
const runs = new Map<string, string>();
for (const [row, line] of grid.entries()) {
  for (let column = 0; column < columns; column += 1) {
    const code = line[column];
    if (code === undefined) continue;
    const first = column;
    while (line[column + 1] === code) column += 1;
    const run = packed(row) + packed(first) + packed(column - first + 1);
    runs.set(code, (runs.get(code) ?? "") + run);
  }
}

const lines = [...runs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, text]) => `    ${code}: "${text}",`);
const module = `// Written by scripts/world-map.ts, which names the sources and their licences.

/** Squares of the map. */
export const worldSize = { width: ${columns}, height: ${rows} } as const;

/**
 * The squares of each country by its ISO 3166-1 code, as runs of six characters: row, first column and number of
 * squares, with two base-36 digits each.
 */
export const worldRuns: ReadonlyMap<string, string> = new Map(
  Object.entries({
${lines.join("\n")}
  }),
);
`;
const target = fileURLToPath(new URL("../src/ui/charts/world-grid.ts", import.meta.url));
await writeFile(target, module);
console.log(`${runs.size} countries, ${module.length} bytes`);
