import { formatCount } from "../components/values/format.ts";
import { countryName, formatShare } from "./format.ts";
import { shadeOf } from "./scale.ts";
import { worldPaths, worldSize } from "./world-paths.ts";

export interface CountryScans {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly scans: number;
}

/** Countries by scans. The numbers are in the list of countries beside it. */
export function WorldMap({ countries }: { countries: readonly CountryScans[] }) {
  const total = countries.reduce((sum, { scans }) => sum + scans, 0);
  const largest = Math.max(0, ...countries.map(({ scans }) => scans));
  const scanned = countries.filter(({ country, scans }) => scans > 0 && worldPaths.has(country));
  const shaded = new Set(scanned.map(({ country }) => country));
  const land = [...worldPaths].flatMap(([country, path]) => (shaded.has(country) ? [] : path));
  return (
    <svg
      class="world-map"
      viewBox={`0 0 ${worldSize.width} ${worldSize.height}`}
      width={worldSize.width}
      height={worldSize.height}
      role="img"
      aria-label={describe(countries)}
    >
      <path class="shade-0" d={land.join("")} />
      {scanned.map(({ country, scans }) => (
        <path class={`shade-${shadeOf(scans, largest)}`} d={worldPaths.get(country)}>
          <title>{`${countryName(country)}: ${formatCount(scans, "scan")}, ${formatShare(scans, total)}`}</title>
        </path>
      ))}
    </svg>
  );
}

/** Countries that the sentence names. */
const named = 3;

function describe(countries: readonly CountryScans[]): string {
  if (countries.length === 0) return "World map: no scans with a known country.";
  const first = [...countries].sort((a, b) => b.scans - a.scans).slice(0, named);
  const list = first.map(({ country, scans }) => `${countryName(country)} (${formatCount(scans, "scan")})`);
  return `World map of scans in ${countries.length === 1 ? "1 country" : `${countries.length} countries`}. Most: ${list.join(", ")}.`;
}
