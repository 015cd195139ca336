import type { Child } from "hono/jsx";
import type { Analytics, Dimension, DimensionItems } from "../../contract/resources/scans/analytics.ts";
import type { Dates } from "../../domain/analytics/ranges.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { BarList } from "../charts/bar-list.tsx";
import type { ChartMark } from "../charts/change-marks.tsx";
import { comparisonName, formatDays, formatShortDays } from "../charts/format.ts";
import { HourMap } from "../charts/hour-map.tsx";
import { heatSteps } from "../charts/scale.ts";
import { Legend, TimeSeries } from "../charts/time-series.tsx";
import type { CountryScans } from "../charts/world-map.tsx";
import { formatCount, formatTime } from "../values/format.ts";
import { type ListedDimension, labelOf, listed } from "./labels.ts";
import { ReportNotes } from "./notes.tsx";
import { TabbedCard } from "./tabbed-card.tsx";
import { Totals } from "./totals.tsx";
import { withVisitorMark } from "./visitor-mark.ts";

/** The dimensions of the charts below. */
export const reportDimensions: readonly Dimension[] = [
  ...(Object.keys(listed) as ListedDimension[]),
  "hourOfWeek",
];

/** Where the time zone is set. */
const reportingSettings = "/dashboard/settings/reports";

interface Props {
  readonly report: Analytics;
  /** Whether scans by bots are drawn. */
  readonly bots: boolean;
  /** The member's workspace; null for readers of a shared report. */
  readonly workspaceName: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Changes in the meantime, for the chart to mark. */
  readonly marks?: readonly ChartMark[];
  /** Shown beside the places, before everything else below the chart. */
  readonly children?: Child;
  /** Shown after everything else. */
  readonly last?: Child;
}

/** The figures and charts of a report. The map is large, so it is loaded with the first report. */
export async function Report({ report, bots, workspaceName, now, marks, children, last }: Props) {
  const { WorldMap } = await import("../charts/world-map.tsx");
  const { interval, series, comparison, dimensions, totals, timeZone } = report;
  const earlier = comparison === null ? null : comparisonName(report, comparison);
  const isOpen = report.to >= formatDay(zoneOf(timeZone).dayOf(now));
  return (
    <>
      {/* In the dashboard, the frame says so on every page. */}
      <ReportNotes {...report} rebuilding={workspaceName === null ? report.rebuilding : null} />
      <Totals totals={totals} comparison={comparison} series={series} />
      <section class="report-chart" aria-labelledby="over-time">
        <div class="section-head">
          <h2 id="over-time">Scans</h2>
          <Legend interval={interval} bots={bots} earlier={earlier} underWay={isOpen} />
        </div>
        <TimeSeries
          interval={interval}
          points={series}
          comparison={comparison?.series}
          comparisonName={earlier}
          bots={bots}
          now={isOpen ? now : null}
          marks={withVisitorMark(marks ?? [], report)}
          caption={<Days report={report} isShared={workspaceName === null} />}
        />
      </section>
      <div class="report-cards">
        {children}
        {totals.scans > 0 && <Dimensions dimensions={dimensions} WorldMap={WorldMap} />}
        {last}
      </div>
      {workspaceName !== null && (
        <footer class="on-paper print-foot small quiet">
          <span>
            {workspaceName}, {formatDays(report)}
          </span>
          <span>Printed {formatTime(new Date(now).toISOString(), timeZone)}</span>
        </footer>
      )}
    </>
  );
}

/** Formats days to compare with briefly, with their year only if it differs. */
const daysBeside = ({ from }: Dates, earlier: Dates): string =>
  (from.slice(0, 4) === earlier.from.slice(0, 4) ? formatShortDays : formatDays)(earlier);

interface DimensionsProps extends Pick<Analytics, "dimensions"> {
  readonly WorldMap: (props: { countries: readonly CountryScans[] }) => Child;
}

/** The lists that a card shows as tabs. */
const cards = [
  { id: "places", label: "Places", lists: ["country", "city"] },
  { id: "clients", label: "Devices", lists: ["device", "os", "browser"] },
  { id: "sources", label: "Sources", lists: ["referrer"] },
] as const satisfies readonly { id: string; label: string; lists: readonly ListedDimension[] }[];

function Dimensions({ dimensions, WorldMap }: DimensionsProps) {
  const { country, hourOfWeek } = dimensions;
  const [places, ...others] = cards.map(({ id, label, lists }) => (
    <TabbedCard
      id={id}
      label={label}
      tabs={lists.flatMap((dimension) => {
        const found = dimensions[dimension];
        if (found === undefined) return [];
        const values = <Values dimension={dimension} found={found} />;
        return {
          title: listed[dimension],
          content:
            dimension === "country" && country !== undefined ? (
              <div class="report-map">
                <WorldMap countries={countriesOf(country)} />
                {values}
              </div>
            ) : (
              values
            ),
        };
      })}
    />
  ));
  return (
    <>
      {places}
      {hourOfWeek !== undefined && (
        <section class="card week" aria-labelledby="hours">
          <div class="section-head">
            <h2 id="hours">Hours of the week</h2>
            <HeatLegend />
          </div>
          <HourMap scans={hourOfWeek.items.map(({ scans }) => scans)} />
        </section>
      )}
      {others}
    </>
  );
}

/** The legend of the map's and the hours' shades. */
const HeatLegend = () => (
  <p class="heat-legend caption quiet">
    Fewer
    <svg width={heatSteps * 12 - 3} height="9" aria-hidden="true">
      {Array.from({ length: heatSteps }, (_, step) => (
        <rect class={`heat-${step + 1}`} x={step * 12} width="9" height="9" />
      ))}
    </svg>
    More
  </p>
);

/** Names a time zone by its city, such as `Lisbon time`. @param timeZone IANA name */
const zoneWords = (timeZone: string): string =>
  timeZone === "UTC" ? timeZone : `${timeZone.replace(/^.*\//, "").replaceAll("_", " ")} time`;

/** A report's days, their time zone, and the period it is compared with. */
function Days({ report, isShared }: Pick<Props, "report"> & { readonly isShared: boolean }) {
  const { comparison, timeZone, allTime } = report;
  return (
    <>
      {formatDays(report)}
      {comparison !== null && `, compared with ${daysBeside(report, comparison)}`}.{" "}
      {isShared ? zoneWords(timeZone) : <a href={reportingSettings}>{zoneWords(timeZone)}</a>}.
      {/* A shared report reveals nothing about other days. */}
      {!isShared && ` ${formatCount(allTime.scans, "scan")}`}
      {!isShared && allTime.visitors !== null && ` by ${formatCount(allTime.visitors, "visitor")}`}
      {!isShared && " in all."}
    </>
  );
}

const countriesOf = ({ items }: DimensionItems): CountryScans[] =>
  items.flatMap(({ value, scans }) => (value === null ? [] : { country: value, scans }));

/** How many values of a list have their own bar. */
const shown = 6;

function Values({ dimension, found }: { dimension: ListedDimension; found: DimensionItems }) {
  const { items, other } = found;
  return (
    <BarList
      title={listed[dimension]}
      bars={items.slice(0, shown).map((item) => ({ label: labelOf(dimension, item), scans: item.scans }))}
      other={withRest(items.slice(shown), other)}
    />
  );
}

/** Adds the values that are not shown to the others. */
const withRest = (rest: DimensionItems["items"], other: DimensionItems["other"]) => ({
  values: other.values + rest.length,
  scans: rest.reduce((sum, { scans }) => sum + scans, other.scans),
});
