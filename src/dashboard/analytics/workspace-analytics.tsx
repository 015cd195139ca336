import type { DimensionItems } from "../../contract/resources/analytics.ts";
import { findCodeTitles } from "../../domain/codes/titles.ts";
import { BarList } from "../charts/bar-list.tsx";
import { Empty } from "../components/empty.tsx";
import { choicesOf } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { reportingSettings } from "./code-analytics.tsx";
import { Controls } from "./controls.tsx";
import { loadWorkspaceReport } from "./load.ts";
import { Report, reportDimensions, withRest } from "./report.tsx";
import { viewAddress } from "./view.ts";

const path = "/dashboard";

/** Codes in the list of those with the most scans. */
const topCodes = 10;

/** The analytics of the workspace, or of a tag or folder, as a part of the overview. */
export async function WorkspaceAnalytics({ request }: { request: DashboardRequest }) {
  const [{ view, today, report, problem }, folders] = await Promise.all([
    loadWorkspaceReport(request, [...reportDimensions, "code"]),
    choicesOf(folderSource, request, request.query, "folder"),
  ]);
  const isFiltered = view.tag !== "" || view.folderId !== "";
  const isEmpty = report?.allTime.scans === 0 && report.totals.botScans === 0 && !isFiltered;
  if (isEmpty) {
    return (
      <Empty title="No scans yet" text="Scan a code with your phone: it shows up here within two seconds.">
        <a class="button" href="/dashboard/codes">
          Show the codes
        </a>
      </Empty>
    );
  }
  return (
    <section aria-label="Analytics">
      <Controls
        path={path}
        view={view}
        from={report?.from ?? today}
        to={report?.to ?? today}
        folders={folders}
        problem={problem}
      />
      {view.tag !== "" && view.folderId === "" && (
        <p>
          <a href={viewAddress("/dashboard/share", view)}>Share a report on the tag {view.tag}</a>
        </p>
      )}
      {report !== null && (
        <Report report={report} bots={view.bots} settings={reportingSettings}>
          <TopCodes request={request} found={report.dimensions.code} />
        </Report>
      )}
    </section>
  );
}

interface TopCodesProps {
  readonly request: DashboardRequest;
  readonly found: DimensionItems | undefined;
}

async function TopCodes({ request: { deps, context }, found }: TopCodesProps) {
  if (found === undefined || found.items.length === 0) return null;
  const shown = found.items.slice(0, topCodes);
  const titles = await findCodeTitles(
    deps,
    context,
    shown.flatMap(({ value }) => value ?? []),
  );
  const bars = shown.map(({ value, scans }) => {
    const title = titles.get(value ?? "");
    return {
      scans,
      label: title === undefined ? "A code" : <a href={`/dashboard/codes/${value}`}>{title}</a>,
    };
  });
  return (
    <section class="card" aria-labelledby="top-codes">
      <h2 id="top-codes">Most scanned codes</h2>
      <BarList title="Code" bars={bars} other={withRest(found.items.slice(topCodes), found.other)} />
    </section>
  );
}
