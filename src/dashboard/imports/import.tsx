import { limits } from "../../contract/limits.ts";
import { bulkBodyLimit, type PlanLimits, plans } from "../../contract/plans.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import { asSentence } from "../../contract/sentences.ts";
import { createBulkJob } from "../../domain/bulk/jobs.ts";
import { createRowUpdate } from "../../domain/bulk/row-updates.ts";

import { listFailedRows } from "../../domain/bulk/rows/failed-rows.ts";
import type { Member } from "../../domain/context/context.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { fileNameOf } from "../../lib/text/file-name.ts";
import { type FormState, formSentence } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { formChoices } from "../codes/form/choices.ts";
import { csvFile } from "../frame/csv-file.ts";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import { checkTable, isForced, readChanges, readRows } from "./check.ts";
import { CheckForm } from "./check-form.tsx";
import { columnLabels } from "./columns.ts";
import { fixed, groupProblems, problemsOfRow } from "./problems.ts";
import { ImportSteps } from "./steps.tsx";
import { fileProblem, readTableFile, readTableForm, rowsOf, sourceOf, type Table } from "./table.ts";
import { readCharset, UploadForm } from "./upload-form.tsx";

/** Returns the maximum bytes of a table: the API's limit, or as much as a page can carry along. */
const tableBytes = (context: Member): number =>
  Math.min(bulkBodyLimit(plans[context.plan]), limits.importedTable);

/** The limits of the form with a table, a choice for each of its columns, and corrections of the rows shown. */
export const importForm = (context: Member): LargeForm => ({
  bytes: tableBytes(context) + limits.form.bytesWithFiles,
  fields: limits.importedFields,
});

/** The form to upload a table, filled in with the failed rows of a job if the address names one. @throws not_found */
export async function importPage(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const jobId = query.get("job");
  if (jobId === null) return showUpload(request, query);
  const { rows, columns, names, fileName } = await listFailedRows(deps, context, jobId);
  if (rows.length === 0) {
    const note = "This job has no rows to try again, because none failed or its results were deleted.";
    return showUpload(request, new URLSearchParams(), { note });
  }
  const records = [names, ...rows.map(({ cells }) => columns.map((name) => cells[name] ?? ""))];
  return showCheck(request, { records, hasHeader: true, columns, fileName }, 200);
}

/**
 * A step of an import: `read` reads the table; `check` checks it again, after changing all cells of the group named in
 * the field `fix`; `download` returns the rows with problems as a file; `start` starts the job; `back` returns to the
 * upload.
 */
export async function importCodes(request: DashboardRequest): Promise<DashboardResponse> {
  const { form, files } = request;
  const step = form.getAll("step").at(-1);
  const file = files.get("file");
  const [field, given] =
    file === undefined ? (["text", "The table"] as const) : (["file", "The file"] as const);
  if (file !== undefined && (file.isCut || file.bytes.length > tableBytes(request.context))) {
    const most = formatNumber(Math.floor(tableBytes(request.context) / 1024));
    return showUpload(request, form, { problems: { file: `The file can have at most ${most} KiB.` } });
  }
  if (step === "back") return showUpload(request, form);
  const isUpload = step === undefined || step === "read";
  const { title, bulkRows }: PlanLimits = plans[request.context.plan];
  const mostRows = limits.bulkUpdate.ids;
  let table: Table;
  try {
    if (!isUpload) table = readTableForm(form, mostRows);
    else if (file === undefined)
      table = readTableFile(new TextEncoder().encode(form.get("text") ?? ""), mostRows);
    else table = readTableFile(file.bytes, mostRows, { name: file.name, charset: readCharset(form) });
  } catch (error) {
    return showUpload(request, form, { problems: { [field]: asSentence(given, fileProblem(error)) } });
  }
  const count = rowsOf(table).length;
  if (count === 0)
    return showUpload(request, form, { problems: { [field]: asSentence(given, emptyProblem) } });
  // Codes that exist can be changed on every plan.
  const { mode } = count > bulkRows ? await readChanges(request, table) : { mode: "create" };
  if (count > (mode === "change" ? mostRows : bulkRows)) {
    const problem = `${given} has more than ${formatNumber(bulkRows)} rows, the most that your ${title} plan can import at once. Split it, or upgrade.`;
    return showUpload(request, form, { problems: { [field]: problem }, isOverPlan: true });
  }
  if (step === "start") return start(request, table);
  if (step === "download") return badRows(request, table);
  const fix = form.get("fix");
  return showCheck(request, fix === null ? table : await withFix(request, table, fix), 400);
}

/** Applies the fix for a group of problems to the table. @param id of the group */
async function withFix(request: DashboardRequest, table: Table, id: string): Promise<Table> {
  const { failures } = await checkTable(request, table);
  const group = groupProblems(table, failures).find((known) => known.id === id);
  return group === undefined ? table : fixed(table, group, (request.form.get(`fill.${id}`) ?? "").trim());
}

/** Returns the rows with problems as in the person's table, with their errors. */
async function badRows(request: DashboardRequest, table: Table): Promise<Response> {
  const { failures } = await checkTable(request, table);
  const header = table.hasHeader ? (table.records[0] ?? []) : table.columns.map((_, i) => `Column ${i + 1}`);
  const lines = rowsOf(table).flatMap((cells, row) => {
    const problems = problemsOfRow(table, row, failures[row] ?? null);
    const texts = problems.map(({ column, problem }) => formSentence(labelOf(table, column), problem));
    return texts.length === 0 ? [] : csvRow([...cells, texts.join(" ")]);
  });
  const name = fileNameOf((table.fileName ?? "").replace(/\.\w{1,4}$/, ""));
  return csvFile(`${name || "rows"}-left-out.csv`, csvRow([...header, "Problem"]) + lines.join(""));
}

const emptyProblem = "is empty. Choose a file, or paste a table with one row per code.";

/**
 * Starts the job, only once for a form submitted twice. Rows with problems fail in it, unless all rows have problems.
 */
async function start(request: DashboardRequest, table: Table): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const options = { requireValid: true, source: sourceOf(table) };
  const changes = await readChanges(request, table);
  if (changes.mode === "change") {
    const force = isForced(form);
    return startJob(request, table, changes.problems, (once) =>
      createRowUpdate(deps, context, changes.rows, { ...options, force }, once),
    );
  }
  const { rows, problems } = await readRows(request, table);
  return startJob(request, table, problems, (once) => createBulkJob(deps, context, rows, once, options));
}

/** @param problems of the settings @param create stores the job */
async function startJob(
  request: DashboardRequest,
  table: Table,
  problems: Readonly<Record<string, string>>,
  create: (once: Awaited<ReturnType<typeof onceFor>>) => Promise<BulkJob>,
): Promise<DashboardResponse> {
  if (Object.keys(problems).length > 0) return showCheck(request, table, 400);
  try {
    const { jobId } = await create(await onceFor(request, ["step", "show"]));
    return { seeOther: `/dashboard/jobs/${jobId}` };
  } catch (error) {
    return showCheck(request, table, 400, rejectionOf(error));
  }
}

/**
 * @param problemStatus the status if there are problems
 * @param rejection why the job was refused
 */
async function showCheck(
  request: DashboardRequest,
  table: Table,
  problemStatus: 200 | 400,
  rejection?: Rejection,
): Promise<PageResponse> {
  const checked = await checkTable(request, table);
  const groups = groupProblems(table, checked.failures);
  const problems = { ...rejection?.problems, ...checked.problems };
  const hasProblems =
    Object.keys(problems).length > 0 || checked.failures.some((failure) => failure !== null);
  const form: FormState = { values: request.form, problems };
  const title = `Check ${formatCount(rowsOf(table).length, "row")}`;
  return {
    title: hasProblems ? `Problem: ${title}` : title,
    status: hasProblems ? (rejection?.status ?? checked.status ?? problemStatus) : 200,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/codes/import", name: "Import" }}>
          <ImportSteps current={1} mode={checked.mode} />
        </Head>
        <CheckForm
          request={request}
          form={form}
          table={table}
          checked={checked}
          groups={groups}
          choices={await formChoices(request, "url", request.form)}
        />
      </>
    ),
  };
}

interface Upload {
  /** By field. */
  readonly problems?: Readonly<Record<string, string>>;
  /** Whether the table has more rows than the plan allows. */
  readonly isOverPlan?: boolean;
  readonly note?: string;
}

function showUpload(
  request: DashboardRequest,
  values: URLSearchParams,
  { problems = {}, isOverPlan = false, note }: Upload = {},
): PageResponse {
  const isProblem = Object.keys(problems).length > 0;
  return {
    title: isProblem ? "Problem: import codes" : "Import codes",
    status: isProblem ? 400 : 200,
    content: (
      <>
        <Head title="Import codes" back={{ path: "/dashboard/codes", name: "Codes" }}>
          <ImportSteps current={0} mode="create" />
        </Head>
        {note !== undefined && (
          <Notice kind="info">
            <p>{note}</p>
          </Notice>
        )}
        {isOverPlan && (
          <p>
            <UpgradeLink url={request.deps.settings.upgradeUrl} />
          </p>
        )}
        <UploadForm request={request} form={{ values, problems }} />
      </>
    ),
  };
}

/** Returns a column's label followed by a space; an empty text for the row as a whole. */
function labelOf({ columns }: Table, index: number): string {
  const column = columns[index];
  return (column && columnLabels[column]) ?? "";
}
