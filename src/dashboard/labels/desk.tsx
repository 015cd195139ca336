import { type CodeSelection, PrintOptions } from "../../contract/resources/images/prints.ts";
import { createLabelJob } from "../../domain/print/jobs.ts";
import { printLabels } from "../../domain/print/labels.ts";
import { firstPageSvg } from "../../domain/print/page-svg.ts";
import { type PrintPreview, previewLabels } from "../../domain/print/preview.ts";
import { listFirst } from "../../domain/print/selection.ts";
import { missingSign } from "../../lib/image/glyphs.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { stripCodes } from "../bulk/strip.tsx";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, Fragment, PageResponse } from "../frame/request.ts";
import type { Rejection } from "../frame/submit-form.ts";
import { fieldLabels, PrintFields, SheetFields } from "./form.tsx";
import { entriesOf, type Printed, readOptions, readPrinted } from "./read-form.ts";
import {
  amountOf,
  Desk,
  fileResponse,
  nothingSelected,
  type Sent,
  submitDesk,
  submitPrint,
} from "./shared.tsx";

const path = "/dashboard/print";
const title = "Print labels";

/** The print desk, with labels of the codes named by its address or a form. */
export const printDesk = async (request: DashboardRequest): Promise<PageResponse> =>
  show(request, await readPrinted(request));

/** The page's form. */
export const printFiles = (request: DashboardRequest): Promise<DashboardResponse> => {
  const { deps, context } = request;
  return submitDesk(request, {
    schema: PrintOptions,
    read: readOptions,
    make: async (selection, options) =>
      fileResponse(
        "labels.pdf",
        "application/pdf",
        (await printLabels(deps, context, selection, options)).pdf,
      ),
    start: (...asked) => createLabelJob(deps, context, ...asked),
    show,
  });
};

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
  for (const name of ["step", "file", "key", "matched"]) address.delete(name);
  return `${path}/page.svg?${address}`;
};

async function show(
  request: DashboardRequest,
  { selection, fields, back }: Printed,
  { rejection, isAsking = false }: Sent = {},
): Promise<PageResponse> {
  if (selection === null) return nothingSelected(title, back);
  const entries = entriesOf(request);
  const [amount, codes, preview] = await Promise.all([
    amountOf(request, selection),
    listFirst(request.deps, request.context, selection, stripCodes),
    look(request, selection),
  ]);
  const wasSent = rejection !== undefined || request.form.has("format") || request.query.has("format");
  const problem = rejection ?? ("rejection" in preview && wasSent ? preview.rejection : undefined);
  const form: FormState = { values: entries, problems: byFields(problem) };
  const values = new URLSearchParams(
    [...entries].filter(([name]) => !["id", "ids", "q", "all", "job"].includes(name)),
  );
  for (const [name, value] of fields) values.append(name, value);
  const firstPage = (
    <>
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
      <noscript>
        <button class="button" type="submit">
          Preview
        </button>
      </noscript>
      <p class="small quiet">Print at 100 %, without “Fit to page”.</p>
    </>
  );
  return formPage(
    title,
    problem,
    <>
      <Head title={title} back={back} />
      <Desk
        {...{ path, form, labels, amount, codes, fields, isAsking, preview: firstPage }}
        icon="printer"
        submit={["Download PDF", "Prepare labels"]}
        anyway="Print anyway"
      >
        <PrintFields form={form} />
      </Desk>
    </>,
  );
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
  const { sheets, labels: count, replaced, isWhole } = preview.done;
  return (
    <>
      <img src={address} alt="The first page as it will be printed" width="256" height="362" />
      <p class="small quiet">
        {formatCount(count, "label")} on {formatCount(sheets, "page")}
      </p>
      {replaced.length > 0 && <Replaced replaced={replaced} isWhole={isWhole} />}
    </>
  );
}

/** How many labels are named whose characters the font lacks. */
const mostNamed = 5;

/** Names the labels on which signs stand for characters. */
const Replaced = ({ replaced, isWhole }: Pick<PrintPreview, "replaced" | "isWhole">) => (
  <Notice kind="warn">
    <p>
      Our font lacks some characters, so {missingSign} is printed for them
      {isWhole ? ":" : ". On the first page, and codes.csv in the ZIP will list all:"}
    </p>
    <ul>
      {replaced.slice(0, mostNamed).map(({ name, hash, characters }) => (
        <li>
          {name ?? hash}: {characters.join(", ")}
        </li>
      ))}
    </ul>
    {replaced.length > mostNamed && <p>And {formatCount(replaced.length - mostNamed, "other label")}.</p>}
  </Notice>
);
