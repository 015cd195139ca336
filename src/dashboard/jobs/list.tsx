import { listJobs } from "../../domain/bulk/job-lists.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatInstant } from "../../ui/values/format.ts";
import { Modules } from "../../ui/values/modules.tsx";
import { type Names, readNames } from "../bulk/change-facts.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { addressOfJob, countsOf, type ListedJob, titleOf } from "./job-title.ts";
import { doneOf, JobStatus, progressOf } from "./job-words.tsx";

const path = "/dashboard/jobs";

/** The bulk jobs and print jobs of the workspace, newest first. */
export async function jobList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const [{ items, nextCursor }, timeZone] = await Promise.all([
    listJobs(deps, context, cursor),
    request.timeZone(),
  ]);
  const names = await readNames(
    request,
    items.map((listed) => ("job" in listed ? listed.change?.folderId : undefined)),
  );
  return {
    title: "Jobs",
    content: (
      <>
        <Head title="Jobs">
          <May permission="codes.write">
            <a class="button" href="/dashboard/codes/import">
              Import codes
            </a>
          </May>
        </Head>
        {items.length === 0 && cursor === undefined ? (
          <Empty
            title="No jobs yet"
            text="Imports, edits and prints of many codes run as jobs. Their progress and results are listed here."
          >
            <May permission="codes.write">
              <a class="button primary" href="/dashboard/codes/import">
                Import codes
              </a>
              <a class="button" href="/dashboard/codes">
                Select codes to edit
              </a>
            </May>
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
  readonly jobs: readonly ListedJob[];
  readonly names: Names;
  readonly timeZone: string;
}

function JobTable({ jobs, names, timeZone }: TableProps) {
  const undone = new Set(jobs.flatMap((listed) => ("job" in listed ? (listed.change?.revert ?? []) : [])));
  return (
    <Table
      kind="stacked job-list"
      rows={jobs}
      columns={[
        {
          head: "Job",
          cell: (listed) => (
            <div class="what">
              <a class="name" dir="auto" href={addressOfJob(listed)}>
                {titleOf(listed, names)}
              </a>
              <span class="where small quiet">{formatInstant(countsOf(listed).createdAt, timeZone)}</span>
            </div>
          ),
        },
        {
          head: "Status",
          cell: (listed) => (
            <>
              <JobStatus job={countsOf(listed)} />
              {undone.has(idOf(listed)) && <span class="second quiet">Undone</span>}
            </>
          ),
        },
        {
          head: "Done",
          kind: "number",
          cell: (listed) => {
            const job = countsOf(listed);
            return (
              <>
                {progressOf(job)}
                {job.completedAt === null && (
                  <Modules value={doneOf(job)} max={job.totalItems} label="Codes done" kind="running" />
                )}
              </>
            );
          },
        },
      ]}
    />
  );
}

const idOf = (listed: ListedJob): string => countsOf(listed).jobId;
