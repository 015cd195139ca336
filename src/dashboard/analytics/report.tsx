import type { Child } from "hono/jsx";
import type { Analytics, Dimension, DimensionItems } from "../../contract/resources/analytics.ts";
import { BarList } from "../charts/bar-list.tsx";
import { formatCount, formatDate } from "../components/values/format.ts";
import { HourMap } from "../charts/hour-map.tsx";
import { TimeSeries } from "../charts/time-series.tsx";
import type { CountryScans } from "../charts/world-map.tsx";
import { type ListedDimension, labelOf, listed } from "./labels.ts";
import { ReportNotes } from "./notes.tsx";
import { Totals } from "./totals.tsx";

/** The dimensions of the charts below. */
export const reportDimensions: readonly Dimension[] = [
  ...(Object.keys(listed) as ListedDimension[]),
  "hourOfWeek",
];

interface Props {
  readonly report: Analytics;
  /** Whether scans by bots are drawn. */
  readonly bots: boolean;
  /** Where the time zone is set; null for a reader who can't. */
  readonly settings: string | null;
  /** Stands before the dimensions. */
  readonly children?: Child;
}

/** The figures and charts of a report. The map is loaded by the first report, because it is large. */
export async function Report({ report, bots, settings, children }: Props) {
  const { WorldMap } = await import("../charts/world-map.tsx");
  const { interval, series, comparison, dimensions, totals } = report;
  return (
    <>
      {/* In the dashboard, the frame says it on every page. */}
      <ReportNotes {...report} rebuilding={settings === null ? report.rebuilding : null} />
      <Totals totals={totals} comparison={comparison} />
      <section class="card" aria-labelledby="over-time">
        <h2 id="over-time">Scans over time</h2>
        <TimeSeries interval={interval} points={series} comparison={comparison?.series} bots={bots} />
        <p class="small quiet">
          <Days report={report} settings={settings} />
        </p>
      </section>
      {children}
      {totals.scans > 0 && <Dimensions dimensions={dimensions} WorldMap={WorldMap} />}
    </>
  );
}

interface DimensionsProps extends Pick<Analytics, "dimensions"> {
  readonly WorldMap: (props: { countries: readonly CountryScans[] }) => Child;
}

/** The dimensions that the report has. */
function Dimensions({ dimensions, WorldMap }: DimensionsProps) {
  const { country, hourOfWeek } = dimensions;
  const lists = (Object.keys(listed) as ListedDimension[]).filter(
    (dimension) => dimension !== "country" && dimensions[dimension] !== undefined,
  );
  return (
    <>
      {country !== undefined && (
        <section class="card" aria-labelledby="countries">
          <h2 id="countries">Countries</h2>
          <div class="report-map">
            <WorldMap countries={countriesOf(country)} />
            <Values dimension="country" found={country} />
          </div>
        </section>
      )}
      {lists.length > 0 && (
        <div class="report-lists">
          {lists.map((dimension) => (
            <section class="card" aria-label={listed[dimension]}>
              <Values dimension={dimension} found={dimensions[dimension]} />
            </section>
          ))}
        </div>
      )}
      {hourOfWeek !== undefined && (
        <section class="card" aria-labelledby="hours">
          <h2 id="hours">Hours of the week</h2>
          <HourMap scans={hourOfWeek.items.map(({ scans }) => scans)} />
        </section>
      )}
    </>
  );
}

/** The days of a report, their time zone, and what it is compared with. */
function Days({ report, settings }: Pick<Props, "report" | "settings">) {
  const { from, to, comparison, timeZone, allTime } = report;
  // A shared report says nothing of other days.
  const isShared = settings === null;
  return (
    <>
      {formatDate(from)} to {formatDate(to)}
      {comparison !== null &&
        `, compared with ${formatDate(comparison.from)} to ${formatDate(comparison.to)}`}
      . Days and hours are those of {isShared ? timeZone : <a href={settings}>{timeZone}</a>}.
      {!isShared && ` All time: ${formatCount(allTime.scans, "scan")}`}
      {!isShared && allTime.visitors !== null && ` by ${formatCount(allTime.visitors, "visitor")}`}
      {!isShared && "."}
    </>
  );
}

const countriesOf = ({ items }: DimensionItems): CountryScans[] =>
  items.flatMap(({ value, scans }) => (value === null ? [] : { country: value, scans }));

/** Values of a list that have a bar of their own. */
const shown = 8;

function Values({ dimension, found }: { dimension: ListedDimension; found: DimensionItems | undefined }) {
  const { items = [], other = { values: 0, scans: 0 } } = found ?? {};
  return (
    <BarList
      title={listed[dimension]}
      bars={items.slice(0, shown).map((item) => ({ label: labelOf(dimension, item), scans: item.scans }))}
      other={withRest(items.slice(shown), other)}
    />
  );
}

/** The values beyond those that are shown. */
export const withRest = (rest: DimensionItems["items"], other: DimensionItems["other"]) => ({
  values: other.values + rest.length,
  scans: rest.reduce((sum, { scans }) => sum + scans, other.scans),
});
