import { limits } from "../../contract/limits.ts";
import { ArchiveOptions } from "../../contract/resources/images/prints.ts";
import { archiveImages } from "../../domain/print/archive.ts";
import { createImageJob } from "../../domain/print/jobs.ts";
import { listFirst } from "../../domain/print/selection.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { Checkbox, Select, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { stripCodes } from "../bulk/strip.tsx";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { PrinterSelect } from "./form.tsx";
import { entriesOf, type Printed, readImageOptions, readPrinted } from "./read-form.ts";
import { amountOf, Desk, fileResponse, nothingSelected, type Sent, submitDesk } from "./shared.tsx";

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

/** The page's form. */
export const downloadImages = (request: DashboardRequest): Promise<DashboardResponse> => {
  const { deps, context } = request;
  return submitDesk(request, {
    schema: ArchiveOptions,
    read: readImageOptions,
    make: async (selection, options) => {
      const zip = streamOf(await archiveImages(deps, context, selection, options), deps);
      return fileResponse("qr-codes.zip", "application/zip", zip);
    },
    start: (...asked) => createImageJob(deps, context, ...asked),
    show,
  });
};

async function show(
  request: DashboardRequest,
  { selection, fields, back }: Printed,
  { rejection, isAsking = false }: Sent = {},
): Promise<PageResponse> {
  if (selection === null) return nothingSelected(title, back);
  const { deps, context } = request;
  const [amount, codes] = await Promise.all([
    amountOf(request, selection),
    listFirst(deps, context, selection, stripCodes),
  ]);
  const [first] = codes;
  if (first === undefined) return nothingSelected(title, back);
  const form: FormState = { values: entriesOf(request), problems: rejection?.problems ?? {} };
  const { count } = amount;
  const preview = (
    <div class="page-preview">
      <img
        src={`/dashboard/codes/${first.id}/image`}
        alt={count === 1 ? "The code" : "The first of the codes"}
        width="256"
        height="256"
      />
      <p class="small quiet">{formatCount(count, "image")}, and a table of names and short links</p>
    </div>
  );
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <Desk
        {...{ path, form, labels, amount, codes, fields, isAsking, preview }}
        icon="download"
        submit={["Download ZIP", "Prepare images"]}
        anyway="Download anyway"
      >
        <ImageFields form={form} />
        <Checkbox form={form} name="encoding" label="Table for InDesign's data merge (UTF-16)" />
      </Desk>
    </>,
  );
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
      <PrinterSelect form={form} />
    </div>
    <div class="of-pdf">
      <Checkbox form={form} name="ink" label="Black ink only, for print shops (K100)" />
    </div>
  </div>
);
