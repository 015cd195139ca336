import type { Child } from "hono/jsx";
import type { Analytics, AnalyticsSums, DistinctVisitors } from "../../contract/resources/scans/analytics.ts";
import { formatChange, formatPercent } from "../charts/format.ts";
import { Sparkline } from "../charts/sparkline.tsx";
import { Icon } from "../icon.tsx";
import { formatNumber } from "../values/format.ts";

type Props = Pick<Analytics, "totals" | "comparison" | "series">;

/** The sums of a report, each with its change from the previous period and a sparkline. */
export function Totals({ totals, comparison, series }: Props) {
  const before = comparison?.totals;
  return (
    <dl class="totals">
      <Total
        name="Scans"
        now={totals.scans}
        before={before?.scans}
        course={series.map(({ scans }) => scans)}
      />
      <Visitors now={totals.visitors} before={before?.visitors} series={series} />
      <Total
        name="New visitors"
        now={totals.newVisitors}
        before={before?.newVisitors}
        course={series.map(({ newVisitors }) => newVisitors)}
      />
      <Total
        name="Bots"
        now={totals.botScans}
        before={before?.botScans}
        course={series.map(({ botScans }) => botScans)}
        kind="bots"
      />
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly now: number;
  readonly before: number | undefined;
  readonly course: readonly number[];
  readonly kind?: "scans" | "bots";
  /** Shown beside the number. */
  readonly children?: Child;
}

function Total({ name, now, before, course, kind = "scans", children }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">
        {children ?? formatNumber(now)}
        <Sparkline values={course} kind={kind} />
      </dd>
      <Change now={now} before={before} />
    </div>
  );
}

type MaybeVisitors = AnalyticsSums["visitors"] | undefined;

interface VisitorsProps extends Pick<Props, "series"> {
  readonly now: MaybeVisitors;
  readonly before: MaybeVisitors;
}

/** Distinct visitors. An estimate is marked and has its standard error. An hourly series has none. */
function Visitors({ now, before, series }: VisitorsProps) {
  if (now === null || now === undefined) {
    return (
      <div>
        <dt>Visitors</dt>
        <dd class="figure">–</dd>
        <dd class="change">Unknown for this range</dd>
      </div>
    );
  }
  const error = errorOf(now);
  const course = series.flatMap(({ visitors }) => visitors?.count ?? []);
  return (
    <Total name="Visitors" now={now.count} before={before?.count} course={course}>
      {now.exact ? "" : "≈ "}
      {formatNumber(now.count)}
      {error !== null && <small class="estimate"> ±{error}</small>}
    </Total>
  );
}

const errorOf = ({ exact, error }: DistinctVisitors) =>
  exact || error === null ? null : formatPercent(error);

/** More isn't always better, so both directions look the same. */
function Change({ now, before }: Pick<TotalProps, "now" | "before">) {
  if (before === undefined) return null;
  const change = formatChange(before, now);
  return (
    <dd class="change">
      {change !== null && now !== before && (
        <>
          <Icon name={now > before ? "arrow-up" : "arrow-down"} />
          <span class="visually-hidden">{now > before ? "Up " : "Down "}</span>
        </>
      )}
      {change !== null && <strong>{change}</strong>} <span class="before">from {formatNumber(before)}</span>
    </dd>
  );
}
