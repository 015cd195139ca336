import type { Child, PropsWithChildren } from "hono/jsx";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import { Notice } from "../../ui/notice.tsx";
import { Modules } from "../../ui/values/modules.tsx";
import { doneOf, JobStatus, progressOf } from "./job-words.tsx";

interface Props {
  readonly job: BulkJob | PrintJob;
  /** The address of the job's page. */
  readonly path: string;
  /** Shown while the job runs, such as a button that cancels it. */
  readonly actions?: Child;
  /** Shown once the job has ended, such as a button that undoes it. */
  readonly undo?: Child;
}

/** How far a job is, and below it its results. The page refreshes this part until the job has ended. */
export function JobProgress({ job, path, actions, undo = null, children }: PropsWithChildren<Props>) {
  const hasEnded = job.completedAt !== null;
  const refresh = { "hx-get": `${path}/progress`, "hx-trigger": "every 2s", "hx-swap": "outerHTML" };
  return (
    <section id="job-progress" aria-labelledby="progress-title" {...(hasEnded ? {} : refresh)}>
      <div class="card job-progress">
        <div class="job-status" role="status">
          <h2 class="section-title" id="progress-title">
            <JobStatus job={job} />
          </h2>
          <span class="digits">{progressOf(job)}</span>
        </div>
        {!hasEnded && (
          <>
            <Modules value={doneOf(job)} max={job.totalItems} label="Codes done" kind="running" />
            <p class="small quiet">
              You can leave this page; the job continues.{" "}
              <noscript>
                <a href={path}>Reload to see the progress</a>
              </noscript>
            </p>
            {actions}
          </>
        )}
        {hasEnded && undo}
      </div>
      {job.error !== null && (
        <Notice kind="bad">
          <p>{job.error}</p>
        </Notice>
      )}
      {children}
    </section>
  );
}
