import { bodyErrors, type KeyEndpoint } from "./endpoint.ts";
import { Image } from "../resources/images.ts";
import { ArchiveInput, PrintInput } from "../resources/prints.ts";

/** Many codes at once, for the printer. They change nothing. */
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
} as const satisfies Record<string, KeyEndpoint>;
