import type { Child, PropsWithChildren } from "hono/jsx";
import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import { type TopCode, topCodes } from "../../domain/analytics/top-codes.ts";
import { codeTitle, destinationText } from "../../domain/codes/titles.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { formatDay, parseDay } from "../../lib/time/calendar.ts";
import { formatShare } from "../../ui/charts/format.ts";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { Head } from "../../ui/head.tsx";
import { Report, reportDimensions } from "../../ui/report/report.tsx";
import { Summary } from "../../ui/report/summary.tsx";
import { Thumbnail } from "../../ui/values/code-image.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { choicesOf, type Item } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { Controls } from "./controls.tsx";
import { createdDay, loadWorkspaceReport } from "./load.ts";
import type { ReportView } from "./view.ts";

const path = "/dashboard";

interface Props {
  readonly request: DashboardRequest;
  /** The first steps, shown in place of an empty report. */
  readonly firstSteps: Child;
  /** Whether they are also shown above a report. */
  readonly isNewcomer: boolean;
}

/**
 * The overview: its title and the controls on one line, and the report of the workspace, a tag or a folder.
 * @param children shown below the report
 */
export async function WorkspaceAnalytics({
  request,
  firstSteps,
  isNewcomer,
  children,
}: PropsWithChildren<Props>) {
  const [{ view, today, timeZone, report, problem }, folders] = await Promise.all([
    loadWorkspaceReport(request, [...reportDimensions, "code"]),
    choicesOf(folderSource, request, request.query, "folder"),
  ]);
  const isFiltered = view.tag !== "" || view.folderId !== "";
  const isEmpty = report?.allTime.scans === 0 && report.totals.botScans === 0 && !isFiltered;
  if (isEmpty) {
    return (
      <>
        <Head title="Overview" />
        {firstSteps}
        <div class="report-cards">{children}</div>
      </>
    );
  }
  return (
    <>
      <div class="report-head">
        <Head title="Overview" />
        <p class="on-paper quiet">{subjectOf(view, folders.items)}</p>
        <Controls
          path={path}
          files={path}
          share="/dashboard/share"
          view={view}
          from={report?.from ?? formatDay(today)}
          to={report?.to ?? formatDay(today)}
          today={today}
          since={createdDay(request.context.workspaceId, timeZone)}
          folders={folders}
          problem={problem}
        />
      </div>
      {isNewcomer && firstSteps}
      {report === null ? (
        <div class="report-cards">{children}</div>
      ) : (
        <>
          <Summary report={report} />
          <Report
            report={report}
            bots={view.bots}
            workspaceName={request.user.workspaceName}
            now={request.deps.now()}
            last={children}
          >
            <TopCodes request={request} report={report} today={today} />
          </Report>
        </>
      )}
    </>
  );
}

/** Describes the codes of a report for print, which shows no filters. */
function subjectOf({ tag, folderId }: ReportView, folders: readonly Item[]): string {
  const folder = folders.find(({ id }) => id === folderId);
  const parts = [folder && `in the folder ${folder.name}`, tag !== "" && `with the tag ${tag}`];
  return ["All codes", ...parts.filter(Boolean)].join(" ");
}

/** How many codes the list of top codes shows. */
const shown = 6;
/** The most days that a sparkline covers. */
const mostDays = 92;

interface TopCodesProps {
  readonly request: DashboardRequest;
  readonly report: Analytics;
  readonly today: number;
}

async function TopCodes({ request: { deps, context }, report, today }: TopCodesProps) {
  const found = report.dimensions.code;
  if (found === undefined || found.items.length === 0) return null;
  // Sparklines end today, but not every range does.
  const endsToday = report.to === formatDay(today);
  const days = endsToday ? Math.min(parseDay(report.to) - parseDay(report.from) + 1, mostDays) : 0;
  const codes = await ifAvailable(deps, () => topCodes(deps, context, found.items.slice(0, shown), days));
  if (codes === null) return null;
  const scanned = found.items.length + found.other.values;
  return (
    <section class="card leading" aria-labelledby="top-codes">
      <div class="section-head">
        <h2 id="top-codes">Top codes</h2>
        {scanned > shown && (
          <a class="small" href="/dashboard/codes?order=scans">
            All {formatCount(scanned, "scanned code")}
          </a>
        )}
      </div>
      <ol class="top-codes">
        {codes.map((code) => (
          <TopCodeRow code={code} all={report.totals.scans} />
        ))}
      </ol>
    </section>
  );
}

function TopCodeRow({ code: { qr, isDeleted, scans, days }, all }: { code: TopCode; all: number }) {
  return (
    <li>
      {qr === null || isDeleted ? <span class="code-image" /> : <Thumbnail qr={qr} size={28} eager />}
      <span class="what">
        {qr === null ? (
          "Deleted code"
        ) : (
          <>
            <a class="name" dir="auto" href={`/dashboard/codes/${qr.id}`}>
              {codeTitle(qr)}
            </a>
            <span class="where">{isDeleted ? "Deleted" : destinationText(qr.data)}</span>
          </>
        )}
      </span>
      {days.length > 0 && <Sparkline values={days} height={18} />}
      <span class="number">
        {formatNumber(scans)}
        <span class="visually-hidden"> {scans === 1 ? "scan" : "scans"}</span>
      </span>
      <span class="share quiet">{formatShare(scans, all)}</span>
    </li>
  );
}
