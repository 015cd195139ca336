import type { Finding } from "../../contract/resources/operations/operations.ts";
import { countOpenReports } from "../../domain/abuse-reports/review.ts";
import { type RecentFigures, recentFigures } from "../../domain/operations/figures.ts";
import { checkReadiness } from "../../domain/operations/readiness.ts";
import { TimeSeries } from "../../ui/charts/time-series.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Figures } from "../../ui/values/figures.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import type { PageResponse } from "../frame/request.ts";
import { bySeverity, Findings, isNotOk, Mend } from "./health.tsx";
import type { OperatorRequest } from "./request.ts";

/** The first page: open work, and the activity of the last hour and the last day. */
export async function operatorOverview({ deps }: OperatorRequest): Promise<PageResponse> {
  const [reports, { findings }, figures] = await Promise.all([
    countOpenReports(deps),
    checkReadiness(deps),
    recentFigures(deps),
  ]);
  const needed = bySeverity(findings.filter(isNotOk));
  const urgent = needed.filter(isUrgent);
  return {
    title: "Overview",
    content: (
      <>
        <Head title="Overview" />
        {reports > 0 && (
          <Notice kind="warn">
            <p>
              <a href="/operator/reports">{formatCount(reports, "abuse report")}</a>{" "}
              {reports === 1 ? "waits" : "wait"} for your decision.
            </p>
          </Notice>
        )}
        {urgent.map(({ name, what, mend }) => (
          <Notice kind="bad">
            <p>
              <strong>{name === "bindings" ? "A binding is missing." : "Scans aren't being counted."}</strong>{" "}
              {what}
            </p>
            {mend !== null && (
              <p>
                <Mend name={name} mend={mend} />
              </p>
            )}
          </Notice>
        ))}
        {needed.length === 0 ? (
          <Notice kind="good">
            <p>
              <strong>Everything works.</strong> All <a href="/operator/health">checks</a> are in order.
            </p>
          </Notice>
        ) : needed.length === urgent.length ? (
          <p class="section-head">
            <a href="/operator/health">All checks</a>
          </p>
        ) : (
          <section aria-labelledby="health">
            <div class="section-head">
              <h2 id="health">Needs care</h2>
              <a href="/operator/health">All checks</a>
            </div>
            <Findings findings={needed.filter((finding) => !isUrgent(finding))} />
          </section>
        )}
        <section aria-labelledby="figures">
          <div class="section-head">
            <h2 id="figures">The last day</h2>
          </div>
          <Activity figures={figures} />
        </section>
        <section aria-labelledby="scans">
          <div class="section-head">
            <h2 id="scans">Scans by hour</h2>
          </div>
          {figures.day.scans === 0 ? (
            <p class="quiet">No scans. They are counted within half a minute.</p>
          ) : (
            <TimeSeries
              interval="hour"
              points={figures.scansByHour.map(({ start, scans }) => ({
                start: new Date(start).toISOString(),
                scans,
                botScans: 0,
              }))}
              now={deps.now()}
              caption="By hour (UTC), bots included"
            />
          )}
        </section>
      </>
    ),
  };
}

/** Whether a finding says that a binding is missing, or that scans aren't counted. */
const isUrgent = ({ name, status }: Finding): boolean =>
  name === "queue scans"
    ? status === "failed" || status === "warning"
    : (name === "bindings" || name === "ledger") && status === "failed";

/** Counts of the last day, with those of the last hour below. */
function Activity({ figures: { hour, day } }: { figures: RecentFigures }) {
  const figure = (name: string, count: keyof typeof day) =>
    [name, formatNumber(day[count]), `${formatNumber(hour[count])} in the last hour`] as const;
  return (
    <Figures
      items={[
        figure("Scans", "scans"),
        figure("Other requests", "requests"),
        figure("Failed requests (5xx)", "failedRequests"),
        figure("Webhook attempts", "deliveries"),
        figure("Failed webhook attempts", "failedDeliveries"),
      ]}
    />
  );
}
