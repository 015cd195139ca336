import type { Child } from "hono/jsx";
import { Empty } from "../components/empty.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { Controls } from "./controls.tsx";
import { loadCodeReport } from "./load.ts";
import { Report, reportDimensions } from "./report.tsx";
import { viewAddress } from "./view.ts";

/** Where the time zone is set. */
export const reportingSettings = "/dashboard/settings/reports";

/** The analytics of a code, as a part of its page. @param id of the code @throws not_found */
export async function codeAnalytics(request: DashboardRequest, id: string): Promise<Child> {
  const path = `/dashboard/codes/${encodeURIComponent(id)}`;
  const { view, today, report, problem } = await loadCodeReport(request, id, reportDimensions);
  const isEmpty = report?.allTime.scans === 0 && report.totals.botScans === 0;
  return (
    <section id="analytics" aria-labelledby="analytics-title">
      <div class="head">
        <h2 id="analytics-title">Analytics</h2>
        {!isEmpty && (
          <div class="buttons">
            <a class="button" href={`${path}/test`}>
              Test it now
            </a>
            <a class="button" href={`${path}/scans`}>
              Single scans
            </a>
            <a class="button" href={viewAddress(`${path}/share`, view)}>
              Share
            </a>
          </div>
        )}
      </div>
      {isEmpty ? (
        <Empty
          title="No scans yet"
          text="Scan the code with your phone: it shows up here within two seconds."
        >
          <a class="button" href={`${path}/test`}>
            Test it now
          </a>
        </Empty>
      ) : (
        <>
          <Controls
            path={path}
            view={view}
            from={report?.from ?? today}
            to={report?.to ?? today}
            problem={problem}
          />
          {report !== null && <Report report={report} bots={view.bots} settings={reportingSettings} />}
        </>
      )}
    </section>
  );
}
