import type { BulkJob } from "../../contract/resources/bulk.ts";
import type { JobItem } from "../../domain/bulk/job-lists.ts";
import { Badge } from "../components/values/cells.tsx";
import { formatNumber } from "../components/values/format.ts";
import { columnLabels } from "../imports/columns.ts";
import { Pages } from "../components/pages.tsx";

interface Props {
  readonly job: BulkJob;
  readonly page: { readonly items: readonly JobItem[]; readonly nextCursor: string | null };
  /** Of the items that are shown; undefined for all. */
  readonly status: "succeeded" | "failed" | undefined;
  readonly isFirst: boolean;
  /** The address of the job's page. */
  readonly path: string;
}

/** The result of each item of a job. */
export function Results({ job, page, status, isFirst, path }: Props) {
  const isCreation = job.kind === "create";
  return (
    <section aria-labelledby="results">
      <div class="head">
        <h2 id="results">Results</h2>
        <div class="buttons" hx-boost="false">
          <a class="button" href={`${path}/results.csv`}>
            Download as CSV
          </a>
          {isCreation && job.failureCount > 0 && (
            <a class="button" href={`${path}/failed.csv`}>
              Download failed rows
            </a>
          )}
        </div>
      </div>
      {isCreation && job.failureCount > 0 && (
        <p>
          <a class="button primary" href={`/dashboard/codes/import?job=${job.jobId}`}>
            Correct the failed rows and try again
          </a>
        </p>
      )}
      <Filters job={job} status={status} path={path} />
      {page.items.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <div class="fitting">
          <table class="table stacked results">
            <thead>
              <tr>
                <th scope="col">{isCreation ? "Row" : "Number"}</th>
                <th scope="col">Code</th>
                <th scope="col">Result</th>
                <th scope="col">What happened</th>
              </tr>
            </thead>
            <tbody>
              {page.items.map((item) => (
                <Row item={item} isCreation={isCreation} />
              ))}
            </tbody>
          </table>
        </div>
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
  const choices = [
    [undefined, "All", job.totalItems],
    ["succeeded", "Succeeded", job.successCount],
    ["failed", "Failed", job.failureCount],
  ] as const;
  return (
    <nav aria-label="Which results">
      <ul class="tabs">
        {choices.map(([value, name, count]) => (
          <li>
            <a
              href={value === undefined ? path : `${path}?show=${value}`}
              aria-current={value === status ? "true" : undefined}
            >
              {name} ({formatNumber(count)})
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Row({ item, isCreation }: { item: JobItem; isCreation: boolean }) {
  const { code, status, error } = item;
  return (
    <tr>
      <td>
        <span class="unit">{isCreation ? "Row " : "Number "}</span>
        {formatNumber(item.rowIndex + 1)}
      </td>
      <td>
        {code === null ? (
          <span class="quiet">None</span>
        ) : (
          <a class="name" href={`/dashboard/codes/${code.id}`}>
            {code.title}
          </a>
        )}
      </td>
      <td>{status === "failed" ? <Badge kind="bad">Failed</Badge> : <Badge kind="good">Succeeded</Badge>}</td>
      <td>{error === null ? doneText(item, isCreation) : inWords(error)}</td>
    </tr>
  );
}

/** An error that begins with the name of a column or field, after its line, has its label instead. */
const inWords = (error: string): string =>
  error.replace(/^(line \d+: )?(?:data\.)?(\w+)(?:\.\d+)?: /, (all, line: string = "", name: string) => {
    const label = Object.entries(columnLabels).find(([column]) => column === name)?.[1];
    return label === undefined ? all : `${line}${label} `;
  });

function doneText({ changed }: JobItem, isCreation: boolean): string {
  if (isCreation) return "Created";
  return changed === true ? "Changed" : "Was so already";
}
