import { type MostScanned, mostScanned, type ScannedCode } from "../../../domain/analytics/most-scanned.ts";
import { formatShare } from "../../charts/format.ts";
import { percent } from "../../charts/scale.ts";
import { Badge, NumberCell } from "../../components/values/cells.tsx";
import { Empty } from "../../components/empty.tsx";
import { formatCount, formatDate, formatNumber } from "../../components/values/format.ts";
import { Head } from "../../components/head.tsx";
import type { PageResponse, DashboardRequest } from "../../frame/request.ts";
import { NameAndDestination, Thumbnail } from "./cells.tsx";
import { CodeTabs } from "../tabs.tsx";
import { statusOfCode } from "../form/types.ts";

const path = "/dashboard/codes/most-scanned";

/** The ranges, by their name in the address. */
const ranges = {
  "7d": [7, "7 days"],
  "30d": [30, "30 days"],
  "90d": [90, "90 days"],
  "1y": [365, "A year"],
} as const;
type Range = keyof typeof ranges;

const rangeOf = (text: string | null): Range =>
  text !== null && Object.hasOwn(ranges, text) ? (text as Range) : "30d";

/** The codes with the most scans in a range of days that ends today. */
export async function mostScannedCodes({ deps, context, query }: DashboardRequest): Promise<PageResponse> {
  const range = rangeOf(query.get("range"));
  const [days] = ranges[range];
  const found = await mostScanned(deps, context, days);
  return {
    title: "Most scanned",
    content: (
      <>
        <Head title="Codes" />
        <CodeTabs current={path} />
        <Ranges current={range} />
        {found.codes.length === 0 ? (
          <Empty
            title={`No scans in the last ${days} days`}
            text="A code shows up here once it has been scanned."
          >
            <a class="button" href="/dashboard/codes">
              Show all codes
            </a>
          </Empty>
        ) : (
          <Ranking found={found} now={deps.now()} />
        )}
        <p class="small quiet under-table">
          {formatDate(found.from)} to {formatDate(found.to)}, in the time zone{" "}
          <a href="/dashboard/settings/reports">{found.timeZone}</a>. Scans by bots are not counted.
        </p>
      </>
    ),
  };
}

function Ranges({ current }: { current: Range }) {
  return (
    <nav aria-label="Range">
      <ul class="tabs">
        {(Object.keys(ranges) as Range[]).map((range) => (
          <li>
            <a href={`${path}?range=${range}`} aria-current={range === current ? "true" : undefined}>
              {ranges[range][1]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Ranking({ found: { codes, others, scans: all }, now }: { found: MostScanned; now: number }) {
  return (
    <>
      <table class="table codes">
        <thead>
          <tr>
            <th scope="col">
              <span class="visually-hidden">Image</span>
            </th>
            <th scope="col">Code</th>
            <th scope="col">Share of all scans</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Scans
            </th>
          </tr>
        </thead>
        <tbody>
          {codes.map((code) => (
            <Row code={code} all={all} now={now} />
          ))}
        </tbody>
      </table>
      {others.codes > 0 && (
        <p class="small quiet under-table">
          {formatCount(others.codes, "more code has", "more codes have")} {formatCount(others.scans, "scan")}{" "}
          together.
        </p>
      )}
    </>
  );
}

interface RowProps {
  readonly code: ScannedCode;
  /** Scans of all codes. */
  readonly all: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

function Row({ code: { qr, isDeleted, scans }, all, now }: RowProps) {
  const status =
    qr === null || isDeleted ? ({ kind: "bad", text: "Deleted" } as const) : statusOfCode(qr, now);
  return (
    <tr>
      <td>{qr !== null && !isDeleted && <Thumbnail qr={qr} />}</td>
      <td>{qr === null ? "A code that was deleted for good" : <NameAndDestination qr={qr} />}</td>
      <td>
        <span class="small quiet">{formatShare(scans, all)}</span>
        <svg class="bar" width="100%" height="6" aria-hidden="true">
          <rect class="bar-track" width="100%" height="6" rx="3" />
          <rect class="bar-fill" width={percent(scans / all)} height="6" rx="3" />
        </svg>
      </td>
      <td>
        <Badge kind={status.kind}>{status.text}</Badge>
      </td>
      <NumberCell unit={scans === 1 ? "scan" : "scans"}>{formatNumber(scans)}</NumberCell>
    </tr>
  );
}
