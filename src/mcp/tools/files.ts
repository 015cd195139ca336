import * as z from "zod";
import { printEndpoints } from "../../contract/endpoints/prints.ts";
import { describeIssues } from "../../contract/issues.ts";
import { limits } from "../../contract/limits.ts";
import { PrintJobStatus } from "../../contract/resources/enums.ts";
import { CodeImageQuery } from "../../contract/resources/images/images.ts";
import {
  LabelJobInput,
  type PrintJob,
  PrintOptions,
  SheetFormat,
} from "../../contract/resources/images/prints.ts";
import type { Deps } from "../../domain/deps.ts";
import { ServiceError } from "../../domain/errors.ts";
import { getCodeFile } from "../../domain/print/code-file.ts";
import { createLabelJob } from "../../domain/print/jobs.ts";
import { asInApi, idOf, requireKnown, tool } from "../tool.ts";
import { Filter, readSelected } from "./codes.ts";

export const Print = asInApi("GET /qr/print-jobs/{jobId}", { jobId: z.string(), status: PrintJobStatus });

/** Where a print job's file is. */
export const PrintFile = z.object({
  page: z.string().describe("A page for members of the workspace, with progress and download"),
  download: z.string().describe("The file, for programs that send the key as bearer"),
  removedAt: z.string().nullable().describe("When the file is removed; null until it is complete"),
});

export const fileOf = (
  { settings }: Deps,
  { jobId, fileExpiresAt }: z.output<typeof PrintJob>,
): z.input<typeof PrintFile> => ({
  page: `${settings.appOrigin}/dashboard/prints/${jobId}`,
  download: `${settings.appOrigin}/api/v1${printEndpoints.downloadPrintJob.path.replace("{jobId}", jobId)}`,
  removedAt: fileExpiresAt,
});

const { size } = limits.image;

const image = tool({
  name: "code_image",
  title: "See a code",
  description: "Returns the image of a QR code as PNG.",
  scopes: ["qr:read"],
  effect: "reads",
  input: z.strictObject({
    id: idOf("a QR code"),
    size: z.int().min(size.min).max(1024).default(512).describe("Width and height, pixels"),
  }),
  output: z.object({ mediaType: z.string(), bytes: z.int() }),
  async run({ deps, caller }, { id, size }) {
    const query = CodeImageQuery.parse({ format: "png", size: String(size) });
    const file = await getCodeFile(deps, caller, id, query);
    const drawn = new Uint8Array(await new Response(await file.draw()).arrayBuffer());
    return {
      value: { mediaType: file.mediaType, bytes: drawn.length },
      content: [{ type: "image", data: drawn.toBase64(), mimeType: file.mediaType }],
    };
  },
});

const measures = "measures as POST /qr/labels/jobs takes them";

const labels = tool({
  name: "print_labels",
  title: "Print labels",
  description: `Prints codes on sheets of labels, as PDF in a zip: those of ids, a filter or a bulk job. The file can be downloaded for ${limits.printJob.fileHours} hours. Changes no code.`,
  scopes: ["qr:read"],
  effect: "adds",
  input: z
    .looseObject({
      ids: z.array(z.string()).optional(),
      filter: Filter.optional(),
      jobId: z.string().optional().describe("Codes that a bulk job has created or changed"),
      format: SheetFormat.optional().describe("The sheet, by its name"),
      sheet: z
        .looseObject({}, `must be ${measures}. The name of a sheet is its format`)
        .optional()
        .describe(`Instead of format: ${measures}`),
      start: z.int().optional().describe("The first label to print on, of a sheet that has been used"),
      copies: z.int().optional(),
      captions: z.array(z.string()).optional().describe("Of name, link, tags"),
    })
    .describe("The other fields of POST /qr/labels/jobs are accepted, too"),
  output: z.object({ print: Print, file: PrintFile, next: z.string() }),
  async run({ deps, caller }, given) {
    requireKnown(LabelJobInput, given);
    const { data: sent, error } = LabelJobInput.safeParse(given);
    if (sent === undefined) throw new ServiceError("invalid_input", describeIssues(error.issues));
    const print = await createLabelJob(
      deps,
      caller,
      await readSelected({ deps, caller }, sent),
      PrintOptions.parse(sent),
    );
    const file = fileOf(deps, print);
    return {
      value: {
        print,
        file,
        next: "Give the page's address to the person, or call the tool job with the print's jobId as id.",
      },
      content: [
        { type: "resource_link", uri: file.page, name: "labels", title: "Labels", mimeType: "text/html" },
      ],
    };
  },
});

export const fileTools = [image, labels];
