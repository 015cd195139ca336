import { type Activity, jobsUnderWay } from "../../domain/workspaces/activity.ts";
import { Modules } from "../../ui/values/modules.tsx";
import type { DashboardRequest, Fragment } from "../frame/request.ts";
import { addressOfJob, countsOf, titleOf } from "../jobs/job-title.ts";
import { doneOf, progressOf } from "../jobs/job-words.tsx";

/** The jobs in progress, as the overview asks for them again while there are some. */
export async function jobsPart({ deps, context }: DashboardRequest): Promise<Fragment> {
  return { fragment: <Jobs jobs={await jobsUnderWay(deps, context)} /> };
}

/** The jobs in progress. With scripts they move; there is nothing to see once all are completed. */
export function Jobs({ jobs }: Pick<Activity, "jobs">) {
  if (jobs.length === 0) return <div id="jobs" />;
  return (
    <section
      class="card"
      id="jobs"
      aria-labelledby="jobs-title"
      hx-get="/dashboard/jobs/under-way"
      hx-trigger="every 2s"
      hx-swap="outerHTML"
    >
      <h2 id="jobs-title">Running jobs</h2>
      <ul class="plain jobs">
        {jobs.map((listed) => {
          const job = countsOf(listed);
          return (
            <li>
              <a class="name" dir="auto" href={addressOfJob(listed)}>
                {titleOf(listed)}
              </a>
              <span class="small quiet">{progressOf(job)}</span>
              <Modules value={doneOf(job)} max={job.totalItems} label="Codes done" kind="running" />
            </li>
          );
        })}
      </ul>
      <p class="row-links">
        <a class="small" href="/dashboard/jobs">
          All jobs
        </a>
      </p>
    </section>
  );
}
