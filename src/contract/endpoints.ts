import type * as z from "zod";
import { BulkInput, BulkJob, BulkJobWithItems, CsvText, Lines } from "./bulk.ts";
import type { Scope } from "./enums.ts";
import { Folder, FolderInput, FolderList } from "./folders.ts";
import { limits } from "./limits.ts";
import { Deleted, Qr, QrCreateInput, QrList, QrListQuery, QrUpdateInput } from "./qr.ts";
import { ExportQuery, ScanListQuery, ScanListResponse } from "./scans.ts";

/** One row of the interface. Routing, scopes, validation, OpenAPI and the looped tests all read this table. */
export interface Endpoint {
  readonly method: "get" | "post" | "patch" | "delete";
  /** Under `/api/v1`, with one path parameter at most, as `{id}`. */
  readonly path: string;
  readonly tag: "QR codes" | "Bulk jobs" | "Scans" | "Folders";
  readonly summary: string;
  readonly scope: Scope;
  readonly query?: z.ZodType;
  /** A JSON body. */
  readonly body?: z.ZodType;
  /** In place of `body`: the media types of a body that the handler reads itself, each with its schema. */
  readonly upload?: Readonly<Record<string, z.ZodType>>;
  /** Bytes of a body; `limits.body` where it is not said. */
  readonly maxBody?: number;
  /** The same `Idempotency-Key` and body get the first answer again for 24 hours. */
  readonly idempotent?: true;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** In place of JSON: the media types the answer is streamed in. */
  readonly stream?: readonly string[];
  /** Error statuses beyond 401, 403, 429 and 500, which every endpoint may answer. */
  readonly errors: readonly (400 | 402 | 404 | 413 | 415)[];
}

const bodyErrors = [400, 413, 415] as const;

export const endpoints = {
  listQr: {
    method: "get",
    path: "/qr",
    tag: "QR codes",
    summary: "List QR codes, newest first",
    scope: "qr:read",
    query: QrListQuery,
    status: 200,
    response: QrList,
    errors: [400],
  },
  createQr: {
    method: "post",
    path: "/qr",
    tag: "QR codes",
    summary: "Create a QR code",
    scope: "qr:write",
    body: QrCreateInput,
    idempotent: true,
    status: 201,
    response: Qr,
    errors: [...bodyErrors, 402],
  },
  getQr: {
    method: "get",
    path: "/qr/{id}",
    tag: "QR codes",
    summary: "Retrieve one QR code",
    scope: "qr:read",
    status: 200,
    response: Qr,
    errors: [404],
  },
  updateQr: {
    method: "patch",
    path: "/qr/{id}",
    tag: "QR codes",
    summary: "Change a QR code; scans follow a new destination at once",
    scope: "qr:write",
    body: QrUpdateInput,
    status: 200,
    response: Qr,
    errors: [...bodyErrors, 404],
  },
  deleteQr: {
    method: "delete",
    path: "/qr/{id}",
    tag: "QR codes",
    summary: "Soft-delete a QR code: it stops resolving, its scans are kept",
    scope: "qr:write",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  createBulk: {
    method: "post",
    path: "/qr/bulk",
    tag: "Bulk jobs",
    summary: "Create many QR codes, from CSV or JSON",
    scope: "qr:write",
    upload: { "text/csv": CsvText, "application/json": BulkInput },
    maxBody: limits.bulk.body,
    idempotent: true,
    status: 202,
    response: BulkJob,
    errors: bodyErrors,
  },
  getBulk: {
    method: "get",
    path: "/qr/bulk/{jobId}",
    tag: "Bulk jobs",
    summary: "State of a bulk job, with its progress and items",
    scope: "qr:read",
    status: 200,
    response: BulkJobWithItems,
    errors: [404],
  },
  downloadBulk: {
    method: "get",
    path: "/qr/bulk/{jobId}/download",
    tag: "Bulk jobs",
    summary: "Results of a bulk job as CSV, partial ones before it is completed",
    scope: "qr:read",
    status: 200,
    response: Lines,
    stream: ["text/csv"],
    errors: [404],
  },
  listScans: {
    method: "get",
    path: "/qr/{id}/scans",
    tag: "Scans",
    summary: "Statistics and recent scans of one QR code, newest first",
    scope: "scans:read",
    query: ScanListQuery,
    status: 200,
    response: ScanListResponse,
    errors: [400, 404],
  },
  exportScans: {
    method: "get",
    path: "/scans/export",
    tag: "Scans",
    summary: "Stream scans as CSV or NDJSON, oldest first, deleted codes included",
    scope: "scans:read",
    query: ExportQuery,
    status: 200,
    response: Lines,
    stream: ["text/csv", "application/x-ndjson"],
    errors: [400, 404],
  },
  listFolders: {
    method: "get",
    path: "/folders",
    tag: "Folders",
    summary: "List folders",
    scope: "qr:read",
    status: 200,
    response: FolderList,
    errors: [],
  },
  createFolder: {
    method: "post",
    path: "/folders",
    tag: "Folders",
    summary: "Create a folder",
    scope: "qr:write",
    body: FolderInput,
    status: 201,
    response: Folder,
    errors: bodyErrors,
  },
  renameFolder: {
    method: "patch",
    path: "/folders/{id}",
    tag: "Folders",
    summary: "Rename a folder",
    scope: "qr:write",
    body: FolderInput,
    status: 200,
    response: Folder,
    errors: [...bodyErrors, 404],
  },
  deleteFolder: {
    method: "delete",
    path: "/folders/{id}",
    tag: "Folders",
    summary: "Delete a folder; its codes stay, unfiled",
    scope: "qr:write",
    status: 200,
    response: Deleted,
    errors: [404],
  },
} as const satisfies Record<string, Endpoint>;
