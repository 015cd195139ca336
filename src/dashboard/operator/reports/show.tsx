import { limits } from "../../../contract/limits.ts";
import { type AbuseReport, DecisionInput } from "../../../contract/resources/operations/abuse-reports.ts";
import { decideAbuseReport, getAbuseReport } from "../../../domain/abuse-reports/review.ts";
import { nameOfWorkspace } from "../../../domain/operations/workspaces.ts";
import { Choices } from "../../../ui/forms/choices.tsx";
import { TextArea } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { formatNumber, formatTime } from "../../../ui/values/format.ts";
import type { DashboardResponse, PageResponse } from "../../frame/request.ts";
import { submitForm } from "../../frame/submit-form.ts";
import type { OperatorRequest } from "../request.ts";
import { readSuspensionForm, SuspensionFields } from "../suspension-form.tsx";
import { ReportStatus, reasonTexts, subjectOf } from "./texts.tsx";

const labels = { decision: "Decision", reason: "Reason", note: "Note" } as const;

/** The choices of the form. Suspending is part of acting. */
const decisions = { dismiss: "dismissed", act: "acted_on", suspend: "acted_on" } as const;

/** An abuse report, with the form to decide it. @throws not_found */
export async function showReport({ deps, param }: OperatorRequest): Promise<PageResponse> {
  const report = await getAbuseReport(deps, param("id"));
  const workspaceName = await nameOfWorkspace(deps, report.workspaceId);
  const chosen = { open: "", dismissed: "dismiss", acted_on: "act" }[report.status];
  const values = new URLSearchParams({ decision: chosen, note: report.note ?? "" });
  return show(report, workspaceName, { values, problems: {} });
}

/** Decides an abuse report; shows the form again if that fails. @throws not_found */
export async function decideReport({
  deps,
  operator,
  param,
  form,
}: OperatorRequest): Promise<DashboardResponse> {
  const report = await getAbuseReport(deps, param("id"));
  const choice = form.get("decision") ?? "";
  const note = form.get("note")?.trim() || null;
  const decision = Object.hasOwn(decisions, choice) ? decisions[choice as keyof typeof decisions] : undefined;
  if (decision === undefined) {
    const problems = { decision: "Choose what to do." };
    return show(report, await nameOfWorkspace(deps, report.workspaceId), { values: form, problems }, 400);
  }
  const suspend = choice === "suspend" ? { suspend: readSuspensionForm(form) } : {};
  const outcome = await submitForm(DecisionInput, { decision, note, ...suspend }, (input) =>
    decideAbuseReport(deps, operator, report.id, input),
  );
  if ("done" in outcome) {
    return {
      seeOther: "/operator/reports",
      flash: decision === "dismissed" ? "reportDismissed" : "reportActedOn",
    };
  }
  const { problems, status } = outcome.rejection;
  const named = Object.entries(problems).map(([field, problem]) => [
    field.replace(/^suspend\./, ""),
    problem,
  ]);
  const state = { values: form, problems: Object.fromEntries(named) };
  return show(report, await nameOfWorkspace(deps, report.workspaceId), state, status);
}

function show(
  report: AbuseReport,
  workspaceName: string,
  form: FormState,
  status: PageResponse["status"] = 200,
): PageResponse {
  const title = subjectOf(report);
  return {
    title: status === 200 ? title : `Problem: ${title}`,
    status,
    content: (
      <>
        <Head title={title} back={{ path: "/operator/reports", name: "Abuse reports" }} />
        <Problems form={form} labels={labels} />
        <div class="read">
          <section class="card" aria-label="Abuse report">
            <Facts
              items={[
                ["Status", <ReportStatus report={report} />],
                ["Reason", reasonTexts[report.reason]],
                ["Reported link", report.link && <code>{report.link}</code>],
                ["Led to", report.destination && <code>{report.destination}</code>],
                ["Details", report.details && <span class="as-written">{report.details}</span>],
                ["Email", report.email],
                ["Further reports", report.furtherReports > 0 ? formatNumber(report.furtherReports) : null],
                [
                  "Reports about others",
                  report.otherReports > 0
                    ? `${formatNumber(report.otherReports)}, only counted because too many are open. Decide some to make room.`
                    : null,
                ],
                ["Received", formatTime(report.createdAt)],
                ["Decided", report.decidedAt && formatTime(report.decidedAt)],
                ["Workspace", <a href={`/operator/workspaces/${report.workspaceId}`}>{workspaceName}</a>],
              ]}
            />
          </section>
          <PostForm novalidate>
            <Choices
              form={form}
              name="decision"
              type="radio"
              label={labels.decision}
              choices={[
                { value: "dismiss", text: "Dismiss", about: "Nothing is wrong. What was reported goes on." },
                { value: "act", text: "Close as acted on", about: "You did something else about it." },
                {
                  value: "suspend",
                  text: "Suspend what was reported",
                  about: `${report.domain === null ? "The code, and the page that it showed" : `All of ${report.domain}`}. Visitors get a generic page.`,
                },
              ]}
            />
            <div class="for-suspension">
              <SuspensionFields form={form} />
            </div>
            <TextArea
              form={form}
              name="note"
              label={labels.note}
              hint={`Only you read it. At most ${formatNumber(limits.abuseReport.note)} characters`}
            />
            <button class="button primary" type="submit">
              Save decision
            </button>
          </PostForm>
        </div>
      </>
    ),
  };
}
