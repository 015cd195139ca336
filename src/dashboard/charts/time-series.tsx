import type { Child } from "hono/jsx";
import type { AnalyticsPoint, Interval } from "../../contract/resources/analytics.ts";
import { formatCount, formatNumber, formatShortNumber } from "../components/values/format.ts";
import { stepLabels } from "./format.ts";
import { type CountScale, countScale, labelledSteps, percent, round } from "./scale.ts";

type Point = Pick<AnalyticsPoint, "start" | "scans" | "botScans">;

export interface TimeSeriesProps {
  readonly interval: Interval;
  readonly points: readonly Point[];
  /** The period that the points are compared with, step by step. */
  readonly comparison?: readonly Point[] | undefined;
  /** Whether scans by bots are drawn, on top of those by people. */
  readonly bots?: boolean;
}

/** Pixels. The width is that of the page. */
const height = 220;
const padding = 8;
const labelHeight = 24;
const characterWidth = 8;

/** Steps beyond which bars would be thinner than a pixel on a phone, so that an area is drawn. */
const mostBars = 130;

/** Width of the coordinates of lines and areas, which are stretched to the width of the page. */
const stretched = 10_000;

/** Scans over time, with a table of the same numbers. */
export function TimeSeries({ interval, points, comparison, bots = false }: TimeSeriesProps) {
  const drawn = points.map((point) => point.scans + (bots ? point.botScans : 0));
  const scale = countScale(Math.max(0, ...drawn, ...(comparison ?? []).map(({ scans }) => scans)));
  const Shape = points.length > mostBars ? Areas : Bars;
  return (
    <figure class="chart">
      <div class="chart-frame" role="img" aria-label={describe(interval, points, bots)}>
        <CountAxis scale={scale} />
        <svg class="chart-plot" width="100%" height={height} aria-hidden="true">
          {scale.ticks.map((tick) => (
            <line class="chart-grid" x1="0" x2="100%" y1={yOf(tick, scale)} y2={yOf(tick, scale)} />
          ))}
          <Shape interval={interval} points={points} bots={bots} scale={scale} />
          {comparison !== undefined && (
            <Stretched>
              <path class="chart-comparison" d={line(comparison, points.length, scale)} />
            </Stretched>
          )}
        </svg>
        <StepAxis interval={interval} points={points} />
      </div>
      <Legend comparison={comparison !== undefined} bots={bots} />
      <SeriesTable interval={interval} points={points} comparison={comparison} />
    </figure>
  );
}

const yOf = (count: number, { top }: CountScale) =>
  round(padding + (1 - count / top) * (height - 2 * padding));

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

/** The counts on the left. */
function CountAxis({ scale }: { scale: CountScale }) {
  const labels = scale.ticks.map(formatShortNumber);
  const width = Math.max(...labels.map(({ length }) => length)) * characterWidth + padding;
  return (
    <svg class="chart-counts" width={width} height={height} aria-hidden="true">
      {scale.ticks.map((tick, index) => (
        <text x={width - padding} y={yOf(tick, scale)} dy="0.32em" text-anchor="end">
          {labels[index]}
        </text>
      ))}
    </svg>
  );
}

/** The times below. */
function StepAxis({ interval, points }: Pick<TimeSeriesProps, "interval" | "points">) {
  return (
    <svg class="chart-steps" width="100%" height={labelHeight} aria-hidden="true">
      {labelledSteps(points.length).map(({ index, wide }) => {
        const x = (index + 0.5) / points.length;
        const anchor = x < 0.05 ? "start" : x > 0.94 ? "end" : "middle";
        return (
          <text
            class={wide ? "chart-wide" : undefined}
            x={percent(anchor === "middle" ? x : (index + (anchor === "end" ? 1 : 0)) / points.length)}
            y="17"
            text-anchor={anchor}
          >
            {stepLabels[interval].short(points[index]?.start ?? "")}
          </text>
        );
      })}
    </svg>
  );
}

interface ShapeProps {
  readonly interval: Interval;
  readonly points: readonly Point[];
  readonly bots: boolean;
  readonly scale: CountScale;
}

function Bars({ interval, points, bots, scale }: ShapeProps) {
  const part = 1 / points.length;
  const bar = (name: string, index: number, from: number, to: number) =>
    to > from && (
      <rect
        class={name}
        x={percent((index + 0.1) * part)}
        width={percent(part * 0.8)}
        y={yOf(to, scale)}
        height={round(yOf(from, scale) - yOf(to, scale))}
      />
    );
  return (
    <>
      {points.map(({ start, scans, botScans }, index) => (
        <g class="chart-step">
          <title>{`${stepLabels[interval].full(start)}: ${formatCount(scans, "scan")}${botScans > 0 ? `, ${formatNumber(botScans)} by bots` : ""}`}</title>
          <rect class="chart-target" x={percent(index * part)} width={percent(part)} height={height} />
          {bar("chart-scans", index, 0, scans)}
          {bots && bar("chart-bots", index, scans, scans + botScans)}
        </g>
      ))}
    </>
  );
}

function Areas({ points, bots, scale }: ShapeProps) {
  const area = (name: string, heightOf: (point: Point) => number) => {
    const base = yOf(0, scale);
    const edges = points.map((point, index) => {
      const [left, right] = [xOf(index, points.length), xOf(index + 1, points.length)];
      return `L${left} ${yOf(heightOf(point), scale)}H${right}`;
    });
    return <path class={name} d={`M0 ${base}${edges.join("")}V${base}Z`} />;
  };
  return (
    <Stretched>
      {bots && area("chart-bots", ({ scans, botScans }) => scans + botScans)}
      {area("chart-scans", ({ scans }) => scans)}
    </Stretched>
  );
}

const xOf = (index: number, count: number) => round((index / count) * stretched);

/** A line through the middle of each step. Steps beyond those of the chart are left out. */
function line(points: readonly Point[], count: number, scale: CountScale): string {
  const places = points
    .slice(0, count)
    .map(({ scans }, index) => `${xOf(index + 0.5, count)} ${yOf(scans, scale)}`);
  return places.length === 0 ? "" : `M${places.join("L")}`;
}

function Stretched({ children }: { children?: Child }) {
  return (
    <svg
      viewBox={`0 0 ${stretched} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

function Legend({ comparison, bots }: { comparison: boolean; bots: boolean }) {
  const entries = [
    ["chart-scans", "Scans by people"],
    ...(bots ? [["chart-bots", "Scans by bots"]] : []),
    ...(comparison ? [["chart-comparison", "Scans by people in the earlier period"]] : []),
  ];
  return (
    <ul class="chart-legend">
      {entries.map(([name, label]) => (
        <li>
          <svg width="16" height="12" aria-hidden="true">
            {name === "chart-comparison" ? (
              <path class={name} d="M0 6h16" />
            ) : (
              <rect class={name} width="12" height="12" rx="2" x="2" />
            )}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

function SeriesTable({ interval, points, comparison }: Omit<TimeSeriesProps, "bots">) {
  const label = stepLabels[interval].full;
  return (
    <details class="chart-table">
      <summary>Show the numbers</summary>
      <section class="chart-scroll" aria-label="Scans over time, in numbers" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                {interval === "hour"
                  ? "Hour"
                  : interval === "day"
                    ? "Day"
                    : interval === "week"
                      ? "Week"
                      : "Month"}
              </th>
              <th scope="col">Scans</th>
              <th scope="col">By bots</th>
              {comparison !== undefined && <th scope="col">Earlier</th>}
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
