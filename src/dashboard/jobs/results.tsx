import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { JobItem } from "../../domain/bulk/job-lists.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { Icon } from "../../ui/icon.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Table } from "../../ui/table.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";
import { May } from "../frame/may.tsx";
import { columnLabels } from "../imports/columns.ts";

interface Props {
  readonly job: BulkJob;
  readonly page: { readonly items: readonly JobItem[]; readonly nextCursor: string | null };
  /** The status of the items shown; undefined for all. */
  readonly status: "succeeded" | "failed" | undefined;
  readonly isFirst: boolean;
  /** The address of the job's page. */
  readonly path: string;
}

/** A job's codes, and the result of each item. */
export function Results({ job, page, status, isFirst, path }: Props) {
  const isCreation = job.kind === "create";
  const failed = formatCount(job.failureCount, "row");
  return (
    <section aria-labelledby="results">
      <div class="section-head">
        <h2 class="section-title" id="results">
          {isCreation ? "Codes" : "Results"}
        </h2>
        <div class="buttons">
          {isCreation && job.failureCount > 0 && (
            <>
              <May permission="codes.write">
                <a class="button primary" href={`/dashboard/codes/import?job=${job.jobId}`}>
                  Fix {failed}
                </a>
              </May>
              <a class="button" href={`${path}/failed.csv`} download="">
                <Icon name="download" />
                Download {failed}
              </a>
            </>
          )}
          {job.successCount > 0 && (
            <>
              <a class="button" href={`/dashboard/print/images?job=${job.jobId}`}>
                <Icon name="image" />
                Download images
              </a>
              <a class="button" href={`/dashboard/print?job=${job.jobId}`}>
                <Icon name="printer" />
                Print labels
              </a>
            </>
          )}
          <a class="button" href={`${path}/results.csv`} download="">
            <Icon name="download" />
            Download results
          </a>
        </div>
      </div>
      <Filters job={job} status={status} path={path} />
      {page.items.length === 0 ? (
        <p class="quiet">No results</p>
      ) : (
        <Table
          kind="stacked results"
          rows={page.items}
          columns={[
            { head: "Code", cell: CodeOf },
            {
              head: "Short link",
              kind: "address",
              cell: ({ code }) => code && withoutScheme(code.scanUrl),
            },
            {
              head: "Result",
              cell: (item) =>
                item.status === "failed" ? (
                  // The rows that an import leaves out were announced.
                  <Status kind={isCreation ? "ended" : "bad"}>
                    {item.error === null ? "Failed" : inWords(item.error)}
                  </Status>
                ) : (
                  <Status kind="active">{doneText(item, isCreation)}</Status>
                ),
            },
            [
              isCreation ? "Row" : "Number",
              ({ rowIndex }) => formatNumber(rowIndex + 1),
              { kind: "digits quiet", priority: isCreation ? undefined : 3 },
            ],
          ]}
        />
      )}
      <Pages
        address={status === undefined ? path : `${path}?show=${status}`}
        isFirst={isFirst}
        nextCursor={page.nextCursor}
      />
    </section>
  );
}

function Filters({ job, status, path }: Pick<Props, "job" | "status" | "path">) {
  const [succeeded, failed] = job.kind === "create" ? ["Created", "Left out"] : ["Succeeded", "Failed"];
  const choices = [
    [undefined, "All", job.totalItems],
    ["succeeded", succeeded, job.successCount],
    ["failed", failed, job.failureCount],
  ] as const;
  return (
    <Segmented
      label="Which results"
      items={choices.map(([value, name, count]) => ({
        href: value === undefined ? path : `${path}?show=${value}`,
        text: `${name} ${formatNumber(count)}`,
        current: value === status,
      }))}
    />
  );
}

const CodeOf = ({ code }: JobItem) =>
  code === null ? (
    <span class="quiet">No code</span>
  ) : (
    <div class="what">
      <a class="name" dir="auto" href={`/dashboard/codes/${code.id}`}>
        {code.title}
      </a>
      {code.destination !== code.title && <span class="where small quiet">{code.destination}</span>}
    </div>
  );

/** Replaces the name of a column or field at the beginning of an error, after its line, with its label. */
const inWords = (error: string): string =>
  error.replace(/^(line \d+: )?(?:data\.)?(\w+)(?:\.\d+)? /, (all, line: string = "", name: string) => {
    const label = Object.entries(columnLabels).find(([column]) => column === name)?.[1];
    return label === undefined ? all : `${line}${label} `;
  });

function doneText({ changed }: JobItem, isCreation: boolean): string {
  if (isCreation) return "Created";
  return changed === true ? "Changed" : "No change needed";
}
