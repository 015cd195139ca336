import { ArchiveOptions, type CodeSelection, PrintOptions } from "../../contract/resources/prints.ts";
import { archiveImages } from "../../domain/print/archive.ts";
import { composeLabels, printLabels } from "../../domain/print/labels.ts";
import { firstPageSvg } from "../../domain/print/page-svg.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { Empty } from "../components/empty.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Select } from "../components/forms/field.tsx";
import { Problems } from "../components/forms/problems.tsx";
import { Head } from "../components/head.tsx";
import { Icon } from "../components/icon.tsx";
import { formatCount } from "../components/values/format.ts";
import type { DashboardRequest, DashboardResponse, Fragment, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { fieldLabels, PrintFields, SheetFields } from "./form.tsx";
import { entriesOf, type Printed, readOptions, readPrinted } from "./read-form.ts";

const path = "/dashboard/print";

/** The print desk: labels of the codes that its address or a form names. */
export const printDesk = async (request: DashboardRequest): Promise<PageResponse> =>
  show(request, await readPrinted(request));

/** A form that leads to the print desk, or its own: the button `file` asks for a PDF or a ZIP. */
export async function printFiles(request: DashboardRequest): Promise<DashboardResponse> {
  const printed = await readPrinted(request);
  const { deps, context } = request;
  const form = entriesOf(request);
  const { selection } = printed;
  const file = form.get("file");
  if (selection === null || file === null) return show(request, printed);
  const outcome =
    file === "zip"
      ? await submitForm(ArchiveOptions, { format: form.get("images") ?? "svg" }, async (options) =>
          fileResponse("qr-codes.zip", "application/zip", {
            body: streamOf(await archiveImages(deps, context, selection, options), deps),
          }),
        )
      : await submitForm(PrintOptions, readOptions(form), async (options) =>
          fileResponse("labels.pdf", "application/pdf", {
            body: await printLabels(deps, context, selection, options),
          }),
        );
  return "done" in outcome ? outcome.done : show(request, printed, outcome.rejection);
}

const fileResponse = (filename: string, mediaType: string, { body }: { readonly body: BodyInit }): Response =>
  new Response(body, {
    headers: {
      "content-type": mediaType,
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });

/** The fields of the sheet, when another one is chosen. */
export function sheetPart(request: DashboardRequest): Fragment {
  return { fragment: <SheetFields form={{ values: entriesOf(request), problems: {} }} /> };
}

/** The preview, while the form is filled in. */
export async function previewPart(request: DashboardRequest): Promise<Fragment> {
  const { selection } = await readPrinted(request);
  const preview = selection === null ? null : await look(request, selection);
  return {
    fragment: (
      <>{preview !== null && <PreviewOf preview={preview} address={addressOf(entriesOf(request))} />}</>
    ),
  };
}

/** The first page as an image, with the options of the address. */
export async function firstPage(request: DashboardRequest): Promise<Response> {
  const { selection } = await readPrinted(request);
  const { deps, context } = request;
  const outcome =
    selection === null
      ? null
      : await submitForm(PrintOptions, readOptions(entriesOf(request)), (options) =>
          composeLabels(deps, context, selection, options),
        );
  if (outcome === null || !("done" in outcome)) return new Response(null, { status: 404 });
  const headers = fileHeaders({ tag: '""', filename: "page.svg", attachment: false });
  return new Response(firstPageSvg(outcome.done), {
    headers: { ...headers, "content-type": "image/svg+xml", "cache-control": "no-store" },
  });
}

/** A print before it is made: its size, or why there is none. */
type Preview = { readonly sheets: number; readonly labels: number } | { readonly rejection: Rejection };

async function look(request: DashboardRequest, selection: CodeSelection): Promise<Preview> {
  const { deps, context } = request;
  const outcome = await submitForm(PrintOptions, readOptions(entriesOf(request)), async (options) => {
    const { pages } = await composeLabels(deps, context, selection, options);
    return { sheets: pages.length, labels: pages.reduce((sum, { drawings }) => sum + drawings.length, 0) };
  });
  return "done" in outcome ? outcome.done : outcome;
}

const addressOf = (entries: URLSearchParams): string => {
  const address = new URLSearchParams(entries);
  for (const name of ["step", "file", "images"]) address.delete(name);
  return `${path}/page.svg?${address}`;
};

async function show(
  request: DashboardRequest,
  { selection, fields, back }: Printed,
  rejection?: Rejection,
): Promise<PageResponse> {
  if (selection === null) return nothingSelected(back);
  const entries = entriesOf(request);
  const preview = await look(request, selection);
  const wasSent = rejection !== undefined || request.form.has("format") || request.query.has("format");
  const problem = rejection ?? ("rejection" in preview && wasSent ? preview.rejection : undefined);
  const form: FormState = { values: entries, problems: byFields(problem) };
  const values = new URLSearchParams(
    [...entries].filter(([name]) => !["id", "ids", "q", "all", "job"].includes(name)),
  );
  for (const [name, value] of fields) values.append(name, value);
  return {
    title: problem === undefined ? "Print labels" : "Problem: Print labels",
    status: problem?.status ?? 200,
    content: (
      <>
        <Head title="Print labels" back={back} />
        <form class="beside-preview print-desk" method="post" action={path} hx-boost="false" novalidate>
          {fields.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <div>
            <Problems form={form} labels={labels} />
            <PrintFields form={form} />
            <section aria-labelledby="zip-title">
              <h2 class="section-title" id="zip-title">
                Images as ZIP
              </h2>
              <div class="zip">
                <Select
                  form={form}
                  name="images"
                  label="Format"
                  required
                  choices={[
                    ["svg", "SVG"],
                    ["png", "PNG"],
                  ]}
                />
                <button class="button" type="submit" name="file" value="zip">
                  <Icon name="download" />
                  Download ZIP
                </button>
              </div>
            </section>
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
              <button class="button primary" type="submit" name="file" value="pdf">
                <Icon name="printer" />
                Download PDF
              </button>
              <noscript>
                <button class="button" type="submit">
                  Preview
                </button>
              </noscript>
            </div>
            <p class="small quiet">Print at 100 %, without “Fit to page”.</p>
          </div>
        </form>
      </>
    ),
  };
}

const labels = { ...fieldLabels, ids: "The selection", filter: "The selection", jobId: "The job" };

/** Problems by the fields of the form, whose label has two. */
function byFields(rejection: Rejection | undefined): Readonly<Record<string, string>> {
  const { "sheet.label": label, ...problems } = rejection?.problems ?? {};
  return label === undefined ? problems : { ...problems, "sheet.label.width": label };
}

function PreviewOf({ preview, address }: { preview: Preview; address: string }) {
  if ("rejection" in preview) {
    const [[field = "", problem = ""] = []] = Object.entries(byFields(preview.rejection));
    const subject = labels[field as keyof typeof labels];
    return <p class="problem">{subject === undefined ? `${problem}.` : `${subject} ${problem}.`}</p>;
  }
  const { sheets, labels: count } = preview;
  return (
    <>
      <img src={address} alt="The first page as it will be printed" width="256" height="362" />
      <p class="small quiet">
        {formatCount(count, "label")} on {formatCount(sheets, "page")}
      </p>
    </>
  );
}

const nothingSelected = (back: Printed["back"]): PageResponse => ({
  title: "Print labels",
  content: (
    <>
      <Head title="Print labels" back={back} />
      <Empty title="No codes selected" text="Select the codes to print in the list.">
        <a class="button primary" href="/dashboard/codes">
          Back to codes
        </a>
      </Empty>
    </>
  ),
});
