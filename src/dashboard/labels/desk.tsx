import { type CodeSelection, PrintOptions } from "../../contract/resources/images/prints.ts";
import { createLabelJob } from "../../domain/print/jobs.ts";
import { printLabels } from "../../domain/print/labels.ts";
import { firstPageSvg } from "../../domain/print/page-svg.ts";
import { previewLabels } from "../../domain/print/preview.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import type { FormState } from "../../ui/forms/form.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { onceFor } from "../frame/once.ts";
import type { DashboardRequest, DashboardResponse, Fragment, PageResponse } from "../frame/request.ts";
import type { Rejection } from "../frame/submit-form.ts";
import { fieldLabels, PrintFields, SheetFields } from "./form.tsx";
import { entriesOf, type Printed, readOptions, readPrinted } from "./read-form.ts";
import {
  amountOf,
  fileResponse,
  JobHint,
  mustAsk,
  nothingSelected,
  SelectionFields,
  submitPrint,
  UnreadableNotice,
} from "./shared.tsx";

const path = "/dashboard/print";
const title = "Print labels";

/** The print desk, with labels of the codes named by its address or a form. */
export const printDesk = async (request: DashboardRequest): Promise<PageResponse> =>
  show(request, await readPrinted(request));

/** A form that leads to the print desk, or its own: the button `file` asks for the PDF, or the job that makes it. */
export async function printFiles(request: DashboardRequest): Promise<DashboardResponse> {
  const printed = await readPrinted(request);
  const { deps, context } = request;
  const form = entriesOf(request);
  const { selection } = printed;
  if (selection === null || !form.has("file")) return show(request, printed);
  if (await mustAsk(request, selection)) return show(request, printed, { isAsking: true });
  const { isJob } = await amountOf(request, selection);
  const outcome = await submitPrint(PrintOptions, readOptions(form), async (options) => {
    if (!isJob) {
      const pdf = await printLabels(deps, context, selection, options);
      return fileResponse("labels.pdf", "application/pdf", pdf);
    }
    const { jobId } = await createLabelJob(deps, context, selection, options, await onceFor(request));
    return { seeOther: `/dashboard/prints/${jobId}` };
  });
  return "done" in outcome ? outcome.done : show(request, printed, outcome);
}

/** The fields of the sheet, when another one is chosen. */
export function sheetPart(request: DashboardRequest): Fragment {
  return { fragment: <SheetFields form={{ values: entriesOf(request), problems: {} }} /> };
}

/** The preview, updated while the form is filled in. */
export async function previewPart(request: DashboardRequest): Promise<Fragment> {
  const { selection } = await readPrinted(request);
  const preview = selection === null ? null : await look(request, selection);
  return {
    fragment: (
      <>{preview !== null && <PreviewOf preview={preview} address={addressOf(entriesOf(request))} />}</>
    ),
  };
}

/** Returns the first page as an image, with the options in the address. */
export async function firstPage(request: DashboardRequest): Promise<Response> {
  const { selection } = await readPrinted(request);
  const outcome = selection === null ? null : await look(request, selection);
  if (outcome === null || "rejection" in outcome) return new Response(null, { status: 404 });
  const headers = fileHeaders({ tag: '""', filename: "page.svg", attachment: false });
  return new Response(firstPageSvg(outcome.done.document), {
    headers: { ...headers, "content-type": "image/svg+xml", "cache-control": "no-store" },
  });
}

/** A print before it is made, or why there is none. */
type Look = Awaited<ReturnType<typeof look>>;

const look = (request: DashboardRequest, selection: CodeSelection) =>
  submitPrint(PrintOptions, readOptions(entriesOf(request)), (options) =>
    previewLabels(request.deps, request.context, selection, options),
  );

const addressOf = (entries: URLSearchParams): string => {
  const address = new URLSearchParams(entries);
  for (const name of ["step", "file", "key"]) address.delete(name);
  return `${path}/page.svg?${address}`;
};

async function show(
  request: DashboardRequest,
  { selection, fields, back }: Printed,
  { rejection, isAsking = false }: { readonly rejection?: Rejection; readonly isAsking?: boolean } = {},
): Promise<PageResponse> {
  if (selection === null) return nothingSelected(title, back);
  const entries = entriesOf(request);
  const [{ count, isJob, isPossible }, preview] = await Promise.all([
    amountOf(request, selection),
    look(request, selection),
  ]);
  const wasSent = rejection !== undefined || request.form.has("format") || request.query.has("format");
  const problem = rejection ?? ("rejection" in preview && wasSent ? preview.rejection : undefined);
  const form: FormState = { values: entries, problems: byFields(problem) };
  const values = new URLSearchParams(
    [...entries].filter(([name]) => !["id", "ids", "q", "all", "job"].includes(name)),
  );
  for (const [name, value] of fields) values.append(name, value);
  return {
    title: problem === undefined ? title : `Problem: ${title}`,
    status: problem?.status ?? 200,
    content: (
      <>
        <Head title={title} back={back} />
        <form
          class="beside-preview print-desk"
          method="post"
          action={path}
          hx-boost="false"
          novalidate
          data-draft="none"
        >
          <SelectionFields fields={fields} />
          <div>
            {isAsking && <UnreadableNotice count={count} />}
            <Problems form={form} labels={labels} />
            <PrintFields form={form} />
          </div>
          <div class="preview-bar">
            <div
              class="page-preview"
              hx-get={`${path}/preview`}
              hx-trigger="change delay:100ms from:closest form, input delay:600ms from:closest form"
              hx-include="closest form"
              hx-target="this"
              hx-sync="this:replace"
              aria-live="polite"
            >
              <PreviewOf preview={preview} address={addressOf(values)} />
            </div>
            <div class="preview-buttons">
              {isPossible && (
                <button class="button primary" type="submit" name="file" value="pdf">
                  <Icon name="printer" />
                  {isAsking ? "Print anyway" : isJob ? "Prepare labels" : "Download PDF"}
                </button>
              )}
              <noscript>
                <button class="button" type="submit">
                  Preview
                </button>
              </noscript>
            </div>
            {isJob && <JobHint count={count} isPossible={isPossible} />}
            <p class="small quiet">Print at 100 %, without “Fit to page”.</p>
          </div>
        </form>
      </>
    ),
  };
}

const labels = { ...fieldLabels, ids: "The selection", filter: "The selection", jobId: "The job" };

/** Assigns problems to the fields of the form; one of them covers two options. */
function byFields(rejection: Rejection | undefined): Readonly<Record<string, string>> {
  const { "sheet.label": label, ...problems } = rejection?.problems ?? {};
  return label === undefined ? problems : { ...problems, "sheet.label.width": label };
}

function PreviewOf({ preview, address }: { preview: Look; address: string }) {
  if ("rejection" in preview) {
    const [[field = "", problem = ""] = []] = Object.entries(byFields(preview.rejection));
    const subject = labels[field as keyof typeof labels];
    return <p class="problem">{subject === undefined ? `${problem}.` : `${subject} ${problem}.`}</p>;
  }
  const { sheets, labels: count } = preview.done;
  return (
    <>
      <img src={address} alt="The first page as it will be printed" width="256" height="362" />
      <p class="small quiet">
        {formatCount(count, "label")} on {formatCount(sheets, "page")}
      </p>
    </>
  );
}
