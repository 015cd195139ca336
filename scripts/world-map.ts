import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type GeoContext, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

/**
 * Writes the map of the dashboard, src/dashboard/charts/world-paths.ts: `node scripts/world-map.ts`.
 *
 * The borders are those of Natural Earth, which is in the public domain, from the package `world-atlas`. That package,
 * `d3-geo` and `topojson-client` have the ISC licence. None of them becomes part of the service.
 */

type Atlas = Topology<{ countries: GeometryCollection<{ name: string }> }>;
type Point = readonly [x: number, y: number];

/** Units of the drawing. */
const width = 1000;
/** Side of the square that stands for a country too small to be drawn. */
const dot = 6;
const antarctica = "AQ";

/** Countries that have no number of ISO 3166-1 in the atlas. */
const codesByName: Record<string, string> = { Kosovo: "XK", Somaliland: "SO", "N. Cyprus": "CY" };

async function readAtlas(detail: "110m" | "50m") {
  const file = createRequire(import.meta.url).resolve(`world-atlas/countries-${detail}.json`);
  const atlas: Atlas = JSON.parse(await readFile(file, "utf8"));
  return feature(atlas, atlas.objects.countries).features.flatMap((country) => {
    const code = codesByName[country.properties.name] ?? alpha2(country.id);
    return code === undefined || code === antarctica ? [] : [{ code, country }];
  });
}

/** `DE` for 276. */
function alpha2(number: string | number | undefined): string | undefined {
  return number === undefined ? undefined : new Intl.Locale(`und-${number}`).region;
}

const [coarse, fine] = await Promise.all([readAtlas("110m"), readAtlas("50m")]);
const projection = geoNaturalEarth1().fitWidth(width, {
  type: "FeatureCollection",
  features: coarse.map(({ country }) => country),
});

/** The outlines of a country, rounded to whole units. */
function outlines(country: Parameters<ReturnType<typeof geoPath>>[0]): Point[][] {
  const rings: Point[][] = [];
  const add = (x: number, y: number) => {
    const ring = rings.at(-1) ?? [];
    const point: Point = [Math.round(x), Math.round(y)];
    const last = ring.at(-1);
    if (last === undefined || last[0] !== point[0] || last[1] !== point[1]) ring.push(point);
  };
  const context: GeoContext = {
    beginPath: () => {},
    arc: () => {},
    closePath: () => {},
    lineTo: add,
    moveTo: (x, y) => {
      rings.push([]);
      add(x, y);
    },
  };
  geoPath(projection, context)(country);
  return rings.filter(({ length }) => length > 2);
}

/** A closed path in relative coordinates, the shortest form. */
function pathOf(ring: readonly Point[]): string {
  let [x, y] = [0, 0];
  const steps = ring.map(([nextX, nextY], index) => {
    const step = index === 0 ? `M${nextX} ${nextY}` : `${index === 1 ? "l" : " "}${nextX - x} ${nextY - y}`;
    [x, y] = [nextX, nextY];
    return step;
  });
  return `${steps.join("").replaceAll(" -", "-")}z`;
}

const paths = new Map<string, string>();
for (const { code, country } of coarse) {
  paths.set(code, (paths.get(code) ?? "") + outlines(country).map(pathOf).join(""));
}
for (const { code, country } of fine) {
  if ((paths.get(code) ?? "") !== "") continue;
  const [x, y] = geoPath(projection).centroid(country).map(Math.round);
  if (x === undefined || y === undefined || !Number.isFinite(x + y)) continue;
  paths.set(code, `M${x - dot / 2} ${y - dot / 2}h${dot}v${dot}h-${dot}z`);
}

const height = Math.ceil(
  geoPath(projection).bounds({
    type: "FeatureCollection",
    features: coarse.map(({ country }) => country),
  })[1][1],
);
const lines = [...paths]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, path]) => `    ${code}: "${path}",`);
const module = `// Written by scripts/world-map.ts, which names the sources and their licences.

/** The size of the map in the units of its paths. */
export const worldSize = { width: ${width}, height: ${height} } as const;

/** The outline of each country by its ISO 3166-1 code, as the data of an SVG path. */
export const worldPaths: ReadonlyMap<string, string> = new Map(
  Object.entries({
${lines.join("\n")}
  }),
);
`;
const target = fileURLToPath(new URL("../src/dashboard/charts/world-paths.ts", import.meta.url));
await writeFile(target, module);
console.log(`${paths.size} countries, ${module.length} bytes`);
