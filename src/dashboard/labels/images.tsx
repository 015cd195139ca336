import { limits } from "../../contract/limits.ts";
import { ArchiveOptions } from "../../contract/resources/images/prints.ts";
import { archiveImages } from "../../domain/print/archive.ts";
import { createImageJob } from "../../domain/print/jobs.ts";
import { selectFirst } from "../../domain/print/selection.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { Checkbox, Select, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { onceFor } from "../frame/once.ts";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import type { Rejection } from "../frame/submit-form.ts";
import { entriesOf, type Printed, readImageOptions, readPrinted } from "./read-form.ts";
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

const path = "/dashboard/print/images";
const title = "Download images";

const labels = {
  format: "Format",
  size: "Size",
  mm: "Width in mm",
  ids: "The selection",
  filter: "The selection",
  jobId: "The job",
};

/** The images of the codes that the address or a form names. */
export const imageDesk = async (request: DashboardRequest): Promise<PageResponse> =>
  show(request, await readPrinted(request));

/** A form that leads to the page, or its own: the button `file` asks for the ZIP, or the job that makes it. */
export async function downloadImages(request: DashboardRequest): Promise<DashboardResponse> {
  const printed = await readPrinted(request);
  const { deps, context } = request;
  const form = entriesOf(request);
  const { selection } = printed;
  if (selection === null || !form.has("file")) return show(request, printed);
  if (await mustAsk(request, selection)) return show(request, printed, { isAsking: true });
  const { isJob } = await amountOf(request, selection);
  const outcome = await submitPrint(ArchiveOptions, readImageOptions(form), async (options) => {
    if (!isJob) {
      const zip = streamOf(await archiveImages(deps, context, selection, options), deps);
      return fileResponse("qr-codes.zip", "application/zip", zip);
    }
    const { jobId } = await createImageJob(deps, context, selection, options, await onceFor(request));
    return { seeOther: `/dashboard/prints/${jobId}` };
  });
  return "done" in outcome ? outcome.done : show(request, printed, outcome);
}

async function show(
  request: DashboardRequest,
  { selection, fields, back }: Printed,
  { rejection, isAsking = false }: { readonly rejection?: Rejection; readonly isAsking?: boolean } = {},
): Promise<PageResponse> {
  if (selection === null) return nothingSelected(title, back);
  const { deps, context } = request;
  const [{ count, isJob, isPossible }, [first]] = await Promise.all([
    amountOf(request, selection),
    selectFirst(deps, context, selection, 1),
  ]);
  if (first === undefined) return nothingSelected(title, back);
  const form: FormState = { values: entriesOf(request), problems: rejection?.problems ?? {} };
  return {
    title: rejection === undefined ? title : `Problem: ${title}`,
    status: rejection?.status ?? 200,
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
            <ImageFields form={form} />
          </div>
          <div class="preview-bar">
            <div class="page-preview">
              <img
                src={`/dashboard/codes/${first.id}/image`}
                alt={count === 1 ? "The code" : "The first of the codes"}
                width="256"
                height="256"
              />
              <p class="small quiet">{formatCount(count, "image")}, and a table of names and short links</p>
            </div>
            {isPossible && (
              <div class="preview-buttons">
                <button class="button primary" type="submit" name="file" value="zip">
                  <Icon name="download" />
                  {isAsking ? "Download anyway" : isJob ? "Prepare images" : "Download ZIP"}
                </button>
              </div>
            )}
            {isJob && <JobHint count={count} isPossible={isPossible} />}
          </div>
        </form>
      </>
    ),
  };
}

/** The format, and the fields that count for it. */
const ImageFields = ({ form }: { form: FormState }) => (
  <div class="image-fields">
    <Select
      form={form}
      name="images"
      label={labels.format}
      required
      choices={[
        ["svg", "SVG, sharp at any size"],
        ["png", "PNG, for screens and documents"],
        ["pdf", "PDF, for print shops"],
      ]}
    />
    <div class="of-png">
      <Select
        form={form}
        name="size"
        label={labels.size}
        required
        choices={[512, 1024, limits.drawnPng].map((side) => [String(side), `${side} px`] as const)}
      />
    </div>
    <div class="of-png of-pdf">
      <TextField
        form={form}
        name="mm"
        label={labels.mm}
        inputMode="decimal"
        hint={`Replaces the size of a PNG. A PDF is ${limits.printedImage.width.default} mm wide if empty.`}
      />
    </div>
    <div class="of-png">
      <Select
        form={form}
        name="dpi"
        label="Printer"
        required
        choices={[
          ["300", "300 dpi"],
          ["600", "600 dpi, laser printers"],
          ["203", "203 dpi, label printers"],
        ]}
      />
    </div>
    <div class="of-pdf">
      <Checkbox form={form} name="ink" label="Black ink only, for print shops (K100)" />
    </div>
  </div>
);
