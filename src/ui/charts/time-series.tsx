import type { Child } from "hono/jsx";
import type { AnalyticsPoint, Interval } from "../../contract/resources/scans/analytics.ts";
import { formatCount, formatNumber, formatShortNumber } from "../values/format.ts";
import { ChangeList, ChangeMarks, type ChartMark } from "./change-marks.tsx";
import { stepLabels } from "./format.ts";
import { type CountScale, countScale, labelledSteps, percent, round } from "./scale.ts";

type Point = Pick<AnalyticsPoint, "start" | "scans" | "botScans">;

export interface TimeSeriesProps {
  readonly interval: Interval;
  readonly points: readonly Point[];
  /** The period to compare the points with, step by step. */
  readonly comparison?: readonly Point[] | undefined;
  /** The name of that period. */
  readonly comparisonName?: string | null | undefined;
  /** Whether scans by bots are drawn, on top of those by people. */
  readonly bots?: boolean;
  /** Epoch milliseconds, if the range has not ended; the current step is then in progress. */
  readonly now: number | null;
  /** Describes the days. */
  readonly caption?: Child;
  /** Changes in the meantime, for the chart to mark. */
  readonly marks?: readonly ChartMark[];
}

/** With more steps, bars would be thinner than a pixel on phones, so an area is drawn. */
const mostBars = 130;

/** The coordinate size of areas, which are stretched to the plot. */
const stretched = { width: 10_000, height: 1000 };

/**
 * Scans over time, with a table of the same numbers. Bars have their exact height; the stylesheet cuts the grid of
 * modules out of them. The script shows a step's numbers from the table.
 */
export function TimeSeries({
  interval,
  points,
  comparison,
  comparisonName,
  bots = false,
  now,
  caption,
  marks = [],
}: TimeSeriesProps) {
  const drawn = points.map((point) => point.scans + (bots ? point.botScans : 0));
  const scale = countScale(Math.max(0, ...drawn, ...(comparison ?? []).map(({ scans }) => scans)));
  const marked = { marks, interval, starts: points.map(({ start }) => start) };
  const series = { interval, points, comparison, comparisonName, bots, now };
  return (
    <figure class="chart">
      <div class="chart-frame" role="img" aria-label={describe(interval, points, bots)} data-chart="">
        {marks.length > 0 && <ChangeMarks {...marked} />}
        <CountAxis scale={scale} />
        {points.length > mostBars ? <Areas {...series} scale={scale} /> : <Bars {...series} scale={scale} />}
        <StepAxis interval={interval} points={points} />
      </div>
      <div class="chart-foot">
        {caption !== undefined && <p class="caption quiet">{caption}</p>}
        {marks.length > 0 && <ChangeList {...marked} />}
        <SeriesTable {...series} />
      </div>
    </figure>
  );
}

const yOf = (count: number, { top }: CountScale) => percent(1 - count / top);

function describe(interval: Interval, points: readonly Point[], bots: boolean): string {
  const sum = points.reduce((total, { scans }) => total + scans, 0);
  const botScans = points.reduce((total, point) => total + point.botScans, 0);
  const best = points.reduce<Point | undefined>(
    (most, point) => (most === undefined || point.scans > most.scans ? point : most),
    undefined,
  );
  const peak =
    sum === 0 || best === undefined
      ? ""
      : `, most at ${stepLabels[interval].full(best.start).trim()}: ${formatNumber(best.scans)}`;
  return `${formatCount(sum, "scan")} by ${interval}${peak}.${bots ? ` ${formatCount(botScans, "scan")} by bots.` : ""}`;
}

/** Pixels. */
const characterWidth = 8;
const labelHeight = 24;

/** The counts on the left. */
function CountAxis({ scale }: { scale: CountScale }) {
  const labels = scale.ticks.map(formatShortNumber);
  const width = Math.max(...labels.map(({ length }) => length)) * characterWidth + 16;
  return (
    <svg class="chart-counts" width={width} aria-hidden="true">
      {scale.ticks.map((tick, index) => (
        <text y={yOf(tick, scale)} dy={tick === 0 ? 0 : "0.32em"}>
          {labels[index]}
        </text>
      ))}
    </svg>
  );
}

/** The times at the bottom. */
function StepAxis({ interval, points }: Pick<TimeSeriesProps, "interval" | "points">) {
  const starts = points.map(({ start }) => start);
  return (
    <svg class="chart-steps" width="100%" height={labelHeight} aria-hidden="true">
      {labelledSteps(interval, starts).map(({ index, wide }) => {
        const middle = (index + 0.5) / points.length;
        const anchor = middle < 0.05 ? "start" : middle > 0.94 ? "end" : "middle";
        const edge = (index + (anchor === "end" ? 1 : 0)) / points.length;
        return (
          <text
            class={wide ? "chart-wide" : undefined}
            x={percent(anchor === "middle" ? middle : edge)}
            y="17"
            text-anchor={anchor}
          >
            {stepLabels[interval].short(starts[index] ?? "")}
          </text>
        );
      })}
    </svg>
  );
}

interface ShapeProps extends TimeSeriesProps {
  readonly scale: CountScale;
}

function Bars({ points, comparison, bots, scale, now }: ShapeProps) {
  const underWay = now === null ? -1 : points.findLastIndex(({ start }) => Date.parse(start) <= now);
  const bar = (name: string, from: number, to: number) =>
    to > from && (
      <rect class={name} y={yOf(to, scale)} width="100%" height={percent((to - from) / scale.top)} />
    );
  return (
    <div class="chart-plot">
      {points.map(({ scans, botScans }, index) => {
        const earlier = comparison?.[index];
        return (
          <span class={index === underWay ? "step now" : "step"}>
            <svg class="modules" aria-hidden="true">
              {bar("chart-scans", 0, scans)}
              {bots && bar("chart-bots", scans, scans + botScans)}
            </svg>
            {earlier !== undefined && (
              <svg aria-hidden="true">
                <rect class="chart-earlier" y={yOf(earlier.scans, scale)} width="100%" height="2" />
              </svg>
            )}
          </span>
        );
      })}
    </div>
  );
}

function Areas({ points, comparison, bots, scale }: ShapeProps) {
  const { width, height } = stretched;
  const heightOf = (count: number) => round((1 - count / scale.top) * height);
  const xOf = (index: number) => round((index / points.length) * width);
  const edges = (series: readonly Point[], countOf: (point: Point) => number) =>
    series
      .slice(0, points.length)
      .map((point, index) => `L${xOf(index)} ${heightOf(countOf(point))}H${xOf(index + 1)}`)
      .join("");
  const area = (name: string, countOf: (point: Point) => number) => (
    <path class={name} d={`M0 ${height}${edges(points, countOf)}V${height}Z`} />
  );
  return (
    <div class="chart-plot">
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" preserveAspectRatio="none" aria-hidden="true">
        {bots && area("chart-bots", ({ scans, botScans }) => scans + botScans)}
        {area("chart-scans", ({ scans }) => scans)}
        {comparison !== undefined && (
          <path
            class="chart-line"
            d={`M0 ${heightOf(comparison[0]?.scans ?? 0)}${edges(comparison, ({ scans }) => scans)}`}
          />
        )}
      </svg>
    </div>
  );
}

interface LegendProps {
  readonly interval: Interval;
  readonly bots: boolean;
  /** The meaning of the dashes; null if there are none. */
  readonly earlier: string | null;
  /** Whether a step is in progress. */
  readonly underWay: boolean;
}

const soFar: Readonly<Record<Interval, string>> = {
  hour: "This hour, so far",
  day: "Today, so far",
  week: "This week, so far",
  month: "This month, so far",
};

export function Legend({ interval, bots, earlier, underWay }: LegendProps) {
  const square = (name: string) => (
    <svg width="10" height="10" aria-hidden="true">
      <rect class={name} width="10" height="10" />
    </svg>
  );
  return (
    <ul class="chart-legend">
      <li>{square("chart-scans")}People</li>
      {bots && <li>{square("chart-bots")}Bots</li>}
      {earlier !== null && (
        <li>
          <svg width="16" height="10" aria-hidden="true">
            <rect class="chart-dash" y="4" width="16" height="2" />
          </svg>
          {earlier}
        </li>
      )}
      {underWay && (
        <li>
          <svg width="10" height="10" aria-hidden="true">
            <path class="chart-scans" d="M0 0h3v3H0zm7 0h3v3H7zM3 3h4v4H3zM0 7h3v3H0zm7 0h3v3H7z" />
          </svg>
          {soFar[interval]}
        </li>
      )}
    </ul>
  );
}

const intervalNames: Readonly<Record<Interval, string>> = {
  hour: "Hour",
  day: "Day",
  week: "Week",
  month: "Month",
};

function SeriesTable({ interval, points, comparison, comparisonName }: TimeSeriesProps) {
  const label = stepLabels[interval].full;
  return (
    <details class="chart-table">
      <summary>Show the numbers</summary>
      <section class="chart-scroll" aria-label="Scans over time, in numbers" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{intervalNames[interval]}</th>
              <th scope="col">People</th>
              <th scope="col">Bots</th>
              {comparison !== undefined && <th scope="col">{comparisonName}</th>}
            </tr>
          </thead>
          <tbody>
            {points.map(({ start, scans, botScans }, index) => (
              <tr>
                <th scope="row">{label(start)}</th>
                <td>{formatNumber(scans)}</td>
                <td>{formatNumber(botScans)}</td>
                {comparison !== undefined && <td>{formatEarlier(comparison[index])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const formatEarlier = (point: Point | undefined) => (point === undefined ? "–" : formatNumber(point.scans));
