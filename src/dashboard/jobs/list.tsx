import { type DescribedJob, listBulkJobs } from "../../domain/bulk/job-lists.ts";
import { type Names, readNames } from "../bulk/change-facts.tsx";
import { Empty } from "../components/empty.tsx";
import { Head } from "../components/head.tsx";
import { Pages } from "../components/pages.tsx";
import { Table } from "../components/table.tsx";
import { formatInstant } from "../components/values/format.ts";
import { Modules } from "../components/values/modules.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
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

const JobTable = ({ jobs, names, timeZone }: TableProps) => (
  <Table
    kind="stacked job-list"
    rows={jobs}
    columns={[
      {
        head: "Job",
        cell: ({ job, ...work }) => (
          <div class="what">
            <a class="name" href={`${path}/${job.jobId}`}>
              {titleOfJob({ job, ...work }, names)}
            </a>
            <span class="where small quiet">{formatInstant(job.createdAt, timeZone)}</span>
          </div>
        ),
      },
      { head: "Status", cell: JobStatus },
      {
        head: "Done",
        kind: "number",
        cell: ({ job }) => (
          <>
            {progressOf(job)}
            {job.completedAt === null && (
              <Modules value={doneOf(job)} max={job.totalItems} label="Codes done" kind="running" />
            )}
          </>
        ),
      },
    ]}
  />
);
