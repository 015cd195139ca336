import { fieldLabel } from "../../contract/resources/history/field-names.ts";
import { HistoryQuery } from "../../contract/resources/history/history.ts";
import { getJobDetails, isDone, type JobDetails } from "../../domain/bulk/job-lists.ts";
import { createRevertJob } from "../../domain/bulk/revert-jobs.ts";
import { listHistory } from "../../domain/history/history.ts";
import { safeReturn } from "../../domain/identity/sign-in.ts";
import { revertChange } from "../../domain/undo.ts";
import { formSentence } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";

/** How many changes of an object are searched for the one that a message is about. */
const examined = 10;

/** Undoes a change of the history; explains if that is impossible. @throws not_found */
export const putBack = (request: DashboardRequest): Promise<DashboardResponse> =>
  revert(request, request.param("id"));

/** Undoes the change that a message confirmed: that of an object by a request. */
export async function undoChange(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const query = HistoryQuery.parse({ object: form.get("object") ?? "-", limit: String(examined) });
  const { items } = await listHistory(deps, context, query);
  const entry = items.find(({ requestId }) => requestId === form.get("request"));
  return entry === undefined
    ? { seeOther: backOf(request), flash: "nothingToUndo" }
    : revert(request, entry.id);
}

/** Returns the page that a form is on. */
const backOf = ({ deps, form }: DashboardRequest): string => safeReturn(deps, form.get("back") ?? undefined);

async function revert(request: DashboardRequest, id: string): Promise<DashboardResponse> {
  const { deps, context } = request;
  try {
    const { entry } = await revertChange(deps, context, id, { scope: "change" });
    return {
      seeOther: backOf(request),
      flash: "undone",
      ...(entry !== null && { subject: entry.object.id }),
    };
  } catch (error) {
    return explain(rejectionOf(error), backOf(request));
  }
}

/** Says why a change can't be undone. */
function explain({ problems, status }: Rejection, back: string): PageResponse {
  const title = "That can't be undone";
  return {
    title,
    status,
    content: (
      <>
        <Head title={title} />
        {Object.entries(problems).map(([field, problem]) => (
          <p>{field === "" ? problem : formSentence(fieldLabel("code", field), problem)}</p>
        ))}
        <a class="button" href={back}>
          Go back
        </a>
      </>
    ),
  };
}

/** Asks before a job is undone. @throws not_found */
export const confirmJobUndo: Answer = async ({ deps, context, param }) => {
  const { job, change } = await getJobDetails(deps, context, param("id"));
  const codes = formatCount(job.successCount, "code");
  const back = { path: `/dashboard/jobs/${job.jobId}`, name: "Job" };
  return confirmPage(
    { title: "Undo this job?", action: "Undo job", back, isSafe: job.kind === "update" },
    <>
      <p>{effectOfUndo(job, change, codes)}</p>
      <p>Codes edited since are skipped and listed.</p>
    </>,
  );
};

/** @param codes with their number, such as `12 codes` */
function effectOfUndo({ kind }: JobDetails["job"], change: JobDetails["change"], codes: string): string {
  const deleted = "are deleted, and scans of them stop working. You can restore them from the bin.";
  if (kind === "create" && change !== null) {
    return `Of its ${codes}, those that it changed go back to how they were before. Those that it created ${deleted}`;
  }
  if (change === null) return `The ${codes} it created ${deleted}`;
  return change.delete === true
    ? `The ${codes} it deleted are restored, and work as before.`
    : `${codes} go back to how they were before this job, at once.`;
}

/**
 * Starts a job that undoes another; explains if that is impossible. From a message on another page, it returns there once
 * the few codes are reverted. @throws not_found
 */
export async function undoJob(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form, param } = request;
  try {
    const { jobId } = await createRevertJob(deps, context, param("id"), { atOnce: form.has("back") });
    const { job } = await getJobDetails(deps, context, jobId);
    if (!form.has("back") || !isDone(job)) return { seeOther: `/dashboard/jobs/${jobId}` };
    return { seeOther: backOf(request), flash: "codesChanged", about: "Change undone.", subject: jobId };
  } catch (error) {
    return explain(rejectionOf(error), `/dashboard/jobs/${param("id")}`);
  }
}
