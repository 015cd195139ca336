import { limits } from "../../contract/limits.ts";
import { bulkBodyLimit, type PlanLimits, plans } from "../../contract/plans.ts";
import { listFailedRows, usedColumns } from "../../domain/bulk/failed-rows.ts";
import { createBulkJob } from "../../domain/bulk/jobs.ts";
import type { Member } from "../../domain/identity/caller.ts";
import type { FormState } from "../components/forms/form.ts";
import { formatCount, formatNumber } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import { Notice } from "../components/notice.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";
import { formChoices } from "../codes/form/choices.ts";
import { checkTable, readRows } from "./check.ts";
import { CheckForm } from "./check-form.tsx";
import { fileProblem, readTableForm, readUpload, rowsOf, type Table } from "./table.ts";
import { readCharset, UploadForm } from "./upload-form.tsx";

/** Bytes of a table at most: what the API takes, as far as a page can carry it along. */
const tableBytes = (owner: Member): number =>
  Math.min(bulkBodyLimit(plans[owner.plan]), limits.importedTable);

/** The form with a table, a choice for each of its columns, and the corrections of the rows that are shown. */
export const importForm = (owner: Member): LargeForm => ({
  bytes: tableBytes(owner) + limits.form.bytesWithFiles,
  fields: limits.importedFields,
});

/** The form for a table; filled in with the failed rows of a job, if the address names one. @throws not_found */
export async function importPage(visit: Visit): Promise<PageAnswer> {
  const { deps, owner, query } = visit;
  const jobId = query.get("job");
  if (jobId === null) return showUpload(visit, query);
  const rows = await listFailedRows(deps, owner, jobId);
  if (rows.length === 0) {
    const note = "No row of this job can be tried again: none has failed, or its results were deleted.";
    return showUpload(visit, new URLSearchParams(), { note });
  }
  const columns = usedColumns(rows);
  const records = [columns, ...rows.map(({ cells }) => columns.map((name) => cells[name] ?? ""))];
  return showCheck(visit, { records, hasHeader: true, columns }, 200);
}

/** A step of an import: `read` takes the table, `check` looks at it again, `start` starts the job. */
export async function importCodes(visit: Visit): Promise<Answer> {
  const { form, files } = visit;
  const step = form.getAll("step").at(-1);
  const file = files.get("file");
  const field = file === undefined ? "text" : "file";
  if (file !== undefined && (file.isCut || file.bytes.length > tableBytes(visit.owner))) {
    const most = formatNumber(Math.floor(tableBytes(visit.owner) / 1024));
    return showUpload(visit, form, { problems: { file: `must be at most ${most} KiB` } });
  }
  const isUpload = step !== "check" && step !== "start";
  const { title, bulkRows }: PlanLimits = plans[visit.owner.plan];
  let table: Table;
  try {
    if (!isUpload) table = readTableForm(form, bulkRows);
    else if (file === undefined)
      table = readUpload(new TextEncoder().encode(form.get("text") ?? ""), bulkRows);
    else table = readUpload(file.bytes, bulkRows, readCharset(form));
  } catch (error) {
    return showUpload(visit, form, { problems: { [field]: fileProblem(error) } });
  }
  const count = rowsOf(table).length;
  if (count === 0) return showUpload(visit, form, { problems: { [field]: emptyProblem } });
  if (count > bulkRows) {
    const problem = `has more than the ${formatNumber(bulkRows)} rows that your plan ${title} allows a job: split it`;
    return showUpload(visit, form, { problems: { [field]: problem }, isOverPlan: true });
  }
  return step === "start" ? start(visit, table) : showCheck(visit, table, 400);
}

const emptyProblem = "is empty: paste a table with a row for each code, or choose a file";

/** Starts the job, once for a form that is submitted twice. Rows with problems fail in it, if not all have some. */
async function start(visit: Visit, table: Table): Promise<Answer> {
  const { deps, owner } = visit;
  const { rows, problems } = await readRows(visit, table);
  if (Object.keys(problems).length > 0) return showCheck(visit, table, 400);
  try {
    const once = await onceFor(visit, ["step"]);
    const { jobId } = await createBulkJob(deps, owner, rows, once, { requireValid: true });
    return { seeOther: `/dashboard/jobs/${jobId}` };
  } catch (error) {
    return showCheck(visit, table, 400, rejectionOf(error));
  }
}

/**
 * @param problemStatus the status if there are problems
 * @param rejection why the job was refused
 */
async function showCheck(
  visit: Visit,
  table: Table,
  problemStatus: 200 | 400,
  rejection?: Rejection,
): Promise<PageAnswer> {
  const checked = await checkTable(visit, table);
  const problems = { ...rejection?.problems, ...checked.problems };
  const hasProblems =
    Object.keys(problems).length > 0 || checked.failures.some((failure) => failure !== null);
  const form: FormState = { values: visit.form, problems };
  const title = `Create ${formatCount(rowsOf(table).length, "code")}`;
  return {
    title: hasProblems ? `Problem: ${title}` : title,
    status: hasProblems ? (rejection?.status ?? checked.status ?? problemStatus) : 200,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/codes/import", name: "Create many" }} />
        <CheckForm
          visit={visit}
          form={form}
          table={table}
          checked={checked}
          choices={await formChoices(visit, "url", visit.form)}
        />
      </>
    ),
  };
}

interface Upload {
  /** By field. */
  readonly problems?: Readonly<Record<string, string>>;
  /** Whether the plan has fewer rows than the table. */
  readonly isOverPlan?: boolean;
  readonly note?: string;
}

function showUpload(
  visit: Visit,
  values: URLSearchParams,
  { problems = {}, isOverPlan = false, note }: Upload = {},
): PageAnswer {
  const isProblem = Object.keys(problems).length > 0;
  return {
    title: isProblem ? "Problem: create many" : "Create many",
    status: isProblem ? 400 : 200,
    content: (
      <>
        <Head title="Create many" back={{ path: "/dashboard/codes", name: "Codes" }} />
        {note !== undefined && (
          <Notice kind="info">
            <p>{note}</p>
          </Notice>
        )}
        {isOverPlan && (
          <p>
            <UpgradeLink url={visit.deps.upgradeUrl} />
          </p>
        )}
        <UploadForm visit={visit} form={{ values, problems }} />
      </>
    ),
  };
}
