import { deletePrint, downloadPrint, getPrintWork, type PrintWork } from "../../domain/print/jobs.ts";
import { ofLength } from "../../lib/web/of-length.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatCount, formatTime } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import type { DashboardRequest, Fragment, PageResponse } from "../frame/request.ts";
import { fileResponse } from "../labels/shared.tsx";
import { formatOfPrint, titleOfPrint } from "./job-title.ts";
import { JobProgress } from "./progress.tsx";

const path = "/dashboard/prints";

const readWork = ({ deps, context, param }: DashboardRequest): Promise<PrintWork> =>
  getPrintWork(deps, context, param("id"));

/** A print job: how far it is, and its file. @throws not_found */
export async function showPrint(request: DashboardRequest): Promise<PageResponse> {
  const [work, timeZone] = await Promise.all([readWork(request), request.timeZone()]);
  const { job, options } = work;
  const title = titleOfPrint(job);
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/jobs", name: "Jobs" }} />
        <Progress {...work} now={request.deps.now()} timeZone={timeZone} />
        <section aria-labelledby="asked">
          <h2 class="section-title" id="asked">
            Details
          </h2>
          <Facts
            items={[
              ["Format", formatOfPrint(options)],
              ["Started", formatTime(job.createdAt, timeZone)],
              ["Ended", job.completedAt === null ? null : formatTime(job.completedAt, timeZone)],
            ]}
          />
        </section>
      </>
    ),
  };
}

/** The part of the page that moves, as the page asks for it again until the job has ended. @throws not_found */
export async function printProgress(request: DashboardRequest): Promise<Fragment> {
  const [work, timeZone] = await Promise.all([readWork(request), request.timeZone()]);
  return { fragment: <Progress {...work} now={request.deps.now()} timeZone={timeZone} /> };
}

interface Props extends Pick<PrintWork, "job" | "mayDelete"> {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone: string;
}

function Progress({ job, mayDelete, now, timeZone }: Props) {
  const address = `${path}/${job.jobId}`;
  const cancel = mayDelete && (
    <PostForm action={`${address}/cancel`}>
      <button class="button" type="submit">
        Cancel job
      </button>
    </PostForm>
  );
  return (
    <JobProgress job={job} path={address} actions={cancel}>
      {job.fileExpiresAt !== null && (
        <FileOf {...{ job, mayDelete, now, timeZone }} expiresAt={job.fileExpiresAt} />
      )}
    </JobProgress>
  );
}

/** The file of a job, as long as there is one. */
function FileOf({ job, mayDelete, expiresAt, now, timeZone }: Props & { readonly expiresAt: string }) {
  if (Date.parse(expiresAt) <= now) {
    return (
      <Notice kind="info">
        <p>The file was removed. Prepare it again to download it.</p>
      </Notice>
    );
  }
  const address = `${path}/${job.jobId}`;
  return (
    <>
      {job.failureCount > 0 && (
        <Notice kind="warn">
          <p>
            {formatCount(job.failureCount, "code")} couldn’t be drawn. The table codes.csv in the ZIP says
            why.
          </p>
        </Notice>
      )}
      <div class="buttons">
        <a class="button primary" href={`${address}/file`} download="">
          <Icon name="download" />
          Download ZIP
        </a>
        {mayDelete && (
          <PostForm action={`${address}/remove`}>
            <button class="button" type="submit">
              Remove file
            </button>
          </PostForm>
        )}
      </div>
      <p class="small quiet under-table">
        {sizeOf(job.bytes)}. Available until {formatTime(expiresAt, timeZone)}.
      </p>
    </>
  );
}

/** A size such as 12.3 MB. */
const sizeOf = (bytes: number): string => `${Math.max(0.1, bytes / 1e6).toFixed(1)} MB`;

const pageOf = (id: string): string => `${path}/${id}`;

export const cancelPrint = change(deletePrint, pageOf, "printCancelled");
export const removePrintedFile = change(deletePrint, pageOf, "printRemoved");

/** The file of a print job. @throws not_found, also once it is removed */
export async function printedFile({ deps, context, param }: DashboardRequest): Promise<Response> {
  const { filename, bytes, body } = await downloadPrint(deps, context, param("id"));
  return fileResponse(filename, "application/zip", ofLength(streamOf(body, deps), bytes));
}
