import type { Analytics, AnalyticsSums, DistinctVisitors } from "../../contract/resources/analytics.ts";
import { formatNumber } from "../components/values/format.ts";
import { formatChange, formatPercent } from "../charts/format.ts";

/** The sums of a report, each with its change against the earlier period. */
export function Totals({ totals, comparison }: Pick<Analytics, "totals" | "comparison">) {
  const before = comparison?.totals;
  return (
    <dl class="figures">
      <Total name="Scans" now={totals.scans} before={before?.scans} />
      <Visitors now={totals.visitors} before={before?.visitors} />
      <Total name="New visitors" now={totals.newVisitors} before={before?.newVisitors} />
      <Total name="Scans by bots" now={totals.botScans} before={before?.botScans} neutral />
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly now: number;
  readonly before: number | undefined;
  /** Neither more nor less is better. */
  readonly neutral?: boolean;
}

function Total({ name, now, before, neutral = false }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(now)}</dd>
      <Change now={now} before={before} neutral={neutral} />
    </div>
  );
}

type MaybeVisitors = AnalyticsSums["visitors"] | undefined;

/** Distinct visitors. An estimate is marked, with its standard error. */
function Visitors({ now, before }: { now: MaybeVisitors; before: MaybeVisitors }) {
  return (
    <div>
      <dt>Visitors</dt>
      {now === null || now === undefined ? (
        <>
          <dd>–</dd>
          <dd class="change">Not known for this range</dd>
        </>
      ) : (
        <>
          <dd>
            {now.exact ? "" : "≈ "}
            {formatNumber(now.count)}
            {errorOf(now) !== null && <small class="estimate"> ±{errorOf(now)}</small>}
          </dd>
          <Change now={now.count} before={before?.count} />
        </>
      )}
    </div>
  );
}

const errorOf = ({ exact, error }: DistinctVisitors) =>
  exact || error === null ? null : formatPercent(error);

function Change({ now, before, neutral = false }: Omit<TotalProps, "name">) {
  if (before === undefined) return null;
  const change = formatChange(before, now);
  const direction = neutral || now === before ? "same" : now > before ? "up" : "down";
  return (
    <dd class={`change ${direction}`}>
      {change !== null && <strong>{change}</strong>} from {formatNumber(before)}
    </dd>
  );
}
