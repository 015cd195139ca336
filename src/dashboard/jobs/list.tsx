import { type DescribedJob, listBulkJobs } from "../../domain/bulk/job-lists.ts";
import { Empty } from "../components/empty.tsx";
import { formatInstant } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import { Modules } from "../components/values/modules.tsx";
import { Pages } from "../components/pages.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";
import { type Names, readNames } from "../bulk/change-facts.tsx";
import { titleOfJob } from "./job-title.ts";
import { doneOf, JobStatus, progressOf } from "./job-words.tsx";

const path = "/dashboard/jobs";

/** The bulk jobs of the workspace, newest first. */
export async function jobList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const [{ items, nextCursor }, timeZone] = await Promise.all([
    listBulkJobs(deps, context, cursor),
    request.timeZone(),
  ]);
  const names = await readNames(
    request,
    items.map(({ change }) => change?.folderId),
  );
  return {
    title: "Jobs",
    content: (
      <>
        <Head title="Jobs" back={{ path: "/dashboard/codes", name: "Codes" }}>
          <a class="button" href="/dashboard/codes/import">
            Import codes
          </a>
        </Head>
        {items.length === 0 && cursor === undefined ? (
          <Empty
            title="No jobs yet"
            text="Imports and edits of many codes run as jobs. Their progress and results are listed here."
          >
            <a class="button primary" href="/dashboard/codes/import">
              Import codes
            </a>
            <a class="button" href="/dashboard/codes">
              Select codes to edit
            </a>
          </Empty>
        ) : (
          <>
            <JobTable jobs={items} names={names} timeZone={timeZone} />
            <p class="small quiet under-table">Times are in {timeZone}.</p>
          </>
        )}
        <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

interface TableProps {
  readonly jobs: readonly DescribedJob[];
  readonly names: Names;
  readonly timeZone: string;
}

function JobTable({ jobs, names, timeZone }: TableProps) {
  return (
    <div class="fitting">
      <table class="table stacked job-list">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Status</th>
            <th scope="col" class="number">
              Done
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ job, ...work }) => (
            <tr>
              <td>
                <div class="what">
                  <a class="name" href={`${path}/${job.jobId}`}>
                    {titleOfJob({ job, ...work }, names)}
                  </a>
                  <span class="where small quiet">{formatInstant(job.createdAt, timeZone)}</span>
                </div>
              </td>
              <td>
                <JobStatus job={job} />
              </td>
              <td class="number">
                {progressOf(job)}
                {job.completedAt === null && (
                  <Modules value={doneOf(job)} max={job.totalItems} label="Codes done" kind="running" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
