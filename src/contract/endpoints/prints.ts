import * as z from "zod";
import { Deleted } from "../resources/codes/qr.ts";
import { Image } from "../resources/images/images.ts";
import {
  ArchiveInput,
  ImageJobInput,
  LabelJobInput,
  PrintInput,
  PrintJob,
} from "../resources/images/prints.ts";
import { bodyErrors, type KeyEndpoint } from "./endpoint.ts";

/** Many codes at once, for the printer. They change no code. */
export const printEndpoints = {
  printLabels: {
    method: "post",
    path: "/qr/labels",
    tag: "Printing",
    summary: "Print labels: QR codes on a sheet or roll, as PDF",
    auth: "key",
    scope: "qr:read",
    body: PrintInput,
    status: 200,
    response: Image,
    stream: ["application/pdf"],
    headers: {
      "x-replaced-characters": z
        .string()
        .optional()
        .meta({
          description:
            "The first 40 labels on which □ is printed for characters that our font lacks: the code's `hash`, and its first eight such characters",
          example: "menu U+83DC U+5355, x7Kp2q U+1F35C",
          header: { id: "ReplacedCharacters" },
        }),
    },
    errors: [...bodyErrors, 404],
  },
  archiveImages: {
    method: "post",
    path: "/qr/images",
    tag: "Printing",
    summary: "Download images in bulk: those of QR codes as ZIP, with a table of the files",
    auth: "key",
    scope: "qr:read",
    body: ArchiveInput,
    status: 200,
    response: Image,
    stream: ["application/zip"],
    errors: [...bodyErrors, 404],
  },
  createLabelJob: {
    method: "post",
    path: "/qr/labels/jobs",
    tag: "Printing",
    summary: "Print labels of many QR codes: a job that makes a ZIP of PDFs",
    auth: "key",
    scope: "qr:read",
    body: LabelJobInput,
    idempotent: true,
    status: 202,
    response: PrintJob,
    errors: [...bodyErrors, 404],
  },
  createImageJob: {
    method: "post",
    path: "/qr/images/jobs",
    tag: "Printing",
    summary: "Download the images of many QR codes: a job that makes a ZIP",
    auth: "key",
    scope: "qr:read",
    body: ImageJobInput,
    idempotent: true,
    status: 202,
    response: PrintJob,
    errors: [...bodyErrors, 404],
  },
  getPrintJob: {
    method: "get",
    path: "/qr/print-jobs/{jobId}",
    tag: "Printing",
    summary: "Retrieve a print job: its progress",
    auth: "key",
    scope: "qr:read",
    status: 200,
    response: PrintJob,
    errors: [404],
  },
  downloadPrintJob: {
    method: "get",
    path: "/qr/print-jobs/{jobId}/file",
    tag: "Printing",
    summary: "Download the ZIP of a print job, for a day after its completion",
    auth: "key",
    scope: "qr:read",
    status: 200,
    response: Image,
    stream: ["application/zip"],
    errors: [404],
  },
  deletePrintJob: {
    method: "delete",
    path: "/qr/print-jobs/{jobId}",
    tag: "Printing",
    summary: "Cancel a print job, or remove the file of one that is completed",
    auth: "key",
    scope: "qr:read",
    status: 200,
    response: Deleted,
    errors: [404],
  },
} as const satisfies Record<string, KeyEndpoint>;
