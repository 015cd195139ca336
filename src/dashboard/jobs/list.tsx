import type { BulkJob } from "../../contract/resources/bulk.ts";
import { listBulkJobs } from "../../domain/bulk/job-lists.ts";
import { Empty } from "../components/empty.tsx";
import { formatInstant, formatNumber } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import { NumberCell } from "../components/values/cells.tsx";
import { Pages } from "../components/pages.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";
import { JobStatus, titleOfJob } from "./job-words.tsx";

const path = "/dashboard/jobs";

/** The bulk jobs of the workspace, newest first. */
export async function jobList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const [{ items, nextCursor }, timeZone] = await Promise.all([
    listBulkJobs(deps, context, cursor),
    request.timeZone(),
  ]);
  return {
    title: "Bulk jobs",
    content: (
      <>
        <Head title="Bulk jobs" back={{ path: "/dashboard/codes", name: "Codes" }}>
          <a class="button" href="/dashboard/codes/import">
            Create many
          </a>
        </Head>
        {items.length === 0 && cursor === undefined ? (
          <Empty
            title="No bulk jobs yet"
            text="A bulk job creates or changes many codes at once. It runs by itself, and its results are listed here."
          >
            <a class="button primary" href="/dashboard/codes/import">
              Create many codes
            </a>
            <a class="button" href="/dashboard/codes">
              Choose codes to change
            </a>
          </Empty>
        ) : (
          <>
            <JobTable jobs={items} timeZone={timeZone} />
            <p class="small quiet under-table">Times are in {timeZone}.</p>
          </>
        )}
        <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

function JobTable({ jobs, timeZone }: { jobs: readonly BulkJob[]; timeZone: string }) {
  return (
    <table class="table stacked">
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Status</th>
          <th scope="col">Begun</th>
          <th scope="col" class="number">
            Succeeded
          </th>
          <th scope="col" class="number">
            Failed
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr>
            <td>
              <a class="name" href={`${path}/${job.jobId}`}>
                {titleOfJob(job)}
              </a>
            </td>
            <td>
              <JobStatus job={job} />
            </td>
            <td>{formatInstant(job.createdAt, timeZone)}</td>
            <NumberCell unit="succeeded">{formatNumber(job.successCount)}</NumberCell>
            <NumberCell unit="failed">{formatNumber(job.failureCount)}</NumberCell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
