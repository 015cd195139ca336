import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { HistoryEntry } from "../../contract/resources/history/history.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { Empty } from "../../ui/empty.tsx";
import { Report, reportDimensions } from "../../ui/report/report.tsx";
import { Summary } from "../../ui/report/summary.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { changeMarks } from "./change-marks.ts";
import { Controls } from "./controls.tsx";
import { createdDay, loadCodeReport } from "./load.ts";

/** The report on a code, as part of its page. @param changes the code's history */
export async function codeAnalytics(
  request: DashboardRequest,
  { id }: Qr,
  changes: Promise<readonly HistoryEntry[]>,
): Promise<Child> {
  const path = `/dashboard/codes/${encodeURIComponent(id)}`;
  const { view, today, timeZone, report, problem } = await loadCodeReport(request, id, reportDimensions);
  const now = request.deps.now();
  const isEmpty = report?.allTime.scans === 0 && report.totals.botScans === 0;
  if (isEmpty) {
    return (
      <section id="analytics" aria-label="Report">
        <Empty
          title="No scans yet"
          text="Scan the code with your phone: it shows up here within two seconds."
        >
          <a class="button" href={`${path}/test`}>
            Test it now
          </a>
        </Empty>
      </section>
    );
  }
  return (
    <section id="analytics" aria-label="Report">
      {report !== null && <Summary report={report} />}
      <Controls
        path={path}
        files={path}
        view={view}
        from={report?.from ?? formatDay(today)}
        to={report?.to ?? formatDay(today)}
        today={today}
        since={createdDay(id, timeZone)}
        problem={problem}
      />
      {report !== null && (
        <Report
          report={report}
          bots={view.bots}
          workspaceName={request.user.workspaceName}
          now={now}
          marks={changeMarks(await changes, report, now)}
        />
      )}
    </section>
  );
}
