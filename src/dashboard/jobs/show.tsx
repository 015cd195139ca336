import { limits } from "../../contract/limits.ts";
import { BulkItemStatus } from "../../contract/resources/enums.ts";
import {
  findJobDetails,
  getJobDetails,
  type JobDetails,
  listJobItems,
  undoneBy,
} from "../../domain/bulk/job-lists.ts";
import { may } from "../../domain/context/permissions.ts";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatTime } from "../../ui/values/format.ts";
import { factsOfChange, readNames } from "../bulk/change-facts.tsx";
import type { DashboardRequest, Fragment, PageResponse } from "../frame/request.ts";
import { ImportSteps } from "../imports/steps.tsx";
import { titleOfJob } from "./job-title.ts";
import { JobProgress } from "./progress.tsx";
import { Results } from "./results.tsx";

/** A bulk job: its request, progress and results. @throws not_found */
export async function showJob(request: DashboardRequest): Promise<PageResponse> {
  const details = await getJobDetails(request.deps, request.context, request.param("id"));
  const { job, change } = details;
  const [names, timeZone, progress, undone] = await Promise.all([
    change === null ? null : readNames(request, [change.folderId]),
    request.timeZone(),
    drawProgress(request, details),
    change?.revert === undefined ? null : titleOfUndone(request, change.revert),
  ]);
  const title = titleOfJob(details, names ?? undefined);
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/jobs", name: "Jobs" }}>
          {details.source !== null && (
            <ImportSteps
              current={job.completedAt === null ? 2 : 3}
              mode={change === null ? "create" : "change"}
            />
          )}
        </Head>
        {progress}
        <section aria-labelledby="asked">
          <h2 class="section-title" id="asked">
            Details
          </h2>
          <Facts
            items={[
              ...(change === null || change.rows === true || names === null
                ? []
                : factsOfChange(change, names)),
              ["Started", formatTime(job.createdAt, timeZone)],
              ["Ended", job.completedAt === null ? null : formatTime(job.completedAt, timeZone)],
              ["File", details.source?.fileName ?? null],
              [
                "Undoes",
                change?.revert === undefined ? null : (
                  <a href={`/dashboard/jobs/${change.revert}`}>{undone ?? "A job"}</a>
                ),
              ],
            ]}
          />
          <p class="small quiet">
            Results are kept for {limits.bulkItemDays} days after the job ends. The codes are kept, and{" "}
            <a href={`/dashboard/history?jobId=${job.jobId}`}>each change is in the history</a>.
          </p>
        </section>
      </>
    ),
  };
}

/** Returns the title of a job that another undoes; null if it is gone. */
async function titleOfUndone({ deps, context }: DashboardRequest, jobId: string): Promise<string | null> {
  const undone = await findJobDetails(deps, context, jobId);
  return undone === undefined ? null : titleOfJob(undone);
}

/** The part of a job's page that the page refreshes until the job has ended. @throws not_found */
export async function jobProgress(request: DashboardRequest): Promise<Fragment> {
  const details = await getJobDetails(request.deps, request.context, request.param("id"));
  return { fragment: await drawProgress(request, details) };
}

const statusOf = (text: string | null) => BulkItemStatus.exclude(["pending"]).safeParse(text).data;

async function drawProgress({ deps, context, query }: DashboardRequest, details: JobDetails) {
  const { job, areItemsExpired } = details;
  const hasEnded = job.completedAt !== null;
  const status = statusOf(query.get("show"));
  const cursor = query.get("cursor") ?? undefined;
  const hasItems = hasEnded && !areItemsExpired;
  const isUndoable = hasItems && job.successCount > 0;
  const [items, undoing] = await Promise.all([
    hasItems ? listJobItems(deps, context, job.jobId, { status, cursor }) : null,
    isUndoable ? undoneBy(deps, context, job.jobId) : undefined,
  ]);
  const path = `/dashboard/jobs/${job.jobId}`;
  return (
    <JobProgress
      job={job}
      path={path}
      undo={
        undoing !== undefined ? (
          <p>
            Undone by <a href={`/dashboard/jobs/${undoing}`}>a later job</a>.
          </p>
        ) : isUndoable && may(context, "codes.write") ? (
          <a class="button" href={`${path}/undo`}>
            <Icon name="rotate-ccw" />
            Undo job
          </a>
        ) : null
      }
    >
      {hasEnded && areItemsExpired && (
        <Notice kind="info">
          <p>
            The results were deleted {limits.bulkItemDays} days after the job ended. Its codes are still
            there.
          </p>
        </Notice>
      )}
      {items !== null && (
        <Results job={job} page={items} status={status} isFirst={cursor === undefined} path={path} />
      )}
    </JobProgress>
  );
}
