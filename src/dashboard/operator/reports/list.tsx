import { limits } from "../../../contract/limits.ts";
import { type AbuseReport, AbuseReportStatus } from "../../../contract/resources/operations/abuse-reports.ts";
import { listAbuseReports } from "../../../domain/abuse-reports/review.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Head } from "../../../ui/head.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { Segmented } from "../../../ui/segmented.tsx";
import { Table } from "../../../ui/table.tsx";
import { formatCount } from "../../../ui/values/format.ts";
import { RelativeTime } from "../../../ui/values/relative-time.tsx";
import type { PageResponse } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";
import { ReportStatus, reasonTexts, statusTexts, subjectOf } from "./texts.tsx";

const path = "/operator/reports";

/** Abuse reports, newest first: the open ones, or those with another status. */
export async function reportList({ deps, query }: OperatorRequest): Promise<PageResponse> {
  const asked = query.get("status");
  const isAll = asked === "all";
  const { data: status = "open" } = AbuseReportStatus.safeParse(asked);
  const cursor = query.get("cursor") ?? undefined;
  const filter = isAll ? {} : { status };
  const { items, nextCursor } = await listAbuseReports(deps, {
    ...filter,
    cursor,
    limit: limits.operatorList.default,
  });
  const shown = isAll ? "all" : status;
  const addressOf = (name: string) => (name === "open" ? path : `${path}?status=${name}`);
  return {
    title: "Abuse reports",
    content: (
      <>
        <Head title="Abuse reports" />
        <div class="below-head">
          <Segmented
            label="Status"
            items={[...AbuseReportStatus.options, "all" as const].map((name) => ({
              href: addressOf(name),
              text: name === "all" ? "All" : statusTexts[name],
              current: name === shown,
            }))}
          />
        </div>
        {items.length === 0 ? (
          <Empty
            title={shown === "open" ? "No open reports" : "No reports"}
            text="People report codes and hosted pages at /report. What they send is here until you decide."
          />
        ) : (
          <ReportTable reports={items} now={deps.now()} />
        )}
        <Pages address={addressOf(shown)} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

const ReportTable = ({ reports, now }: { reports: readonly AbuseReport[]; now: number }) => (
  <Table
    kind="records"
    rows={reports}
    columns={[
      {
        head: "Reported",
        cell: (report) => (
          <>
            <a class="name" dir="auto" href={`${path}/${report.id}`}>
              {subjectOf(report)}
            </a>
            {report.destination !== null && <code class="second quiet clipped">{report.destination}</code>}
          </>
        ),
      },
      [
        "Reason",
        ({ reason, furtherReports, otherReports }) => (
          <>
            {reasonTexts[reason]}
            {furtherReports > 0 && (
              <span class="second quiet">and {formatCount(furtherReports, "further report")}</span>
            )}
            {otherReports > 0 && (
              <span class="second quiet">
                {formatCount(otherReports, "report")} about others only counted
              </span>
            )}
          </>
        ),
      ],
      ["Status", (report) => <ReportStatus report={report} />],
      [
        "Received",
        ({ createdAt }) => <RelativeTime time={createdAt} now={now} timeZone="UTC" />,
        { priority: 2 },
      ],
    ]}
  />
);
