import type { z } from "zod";
import type { Scope } from "./enums.ts";
import { Folder, FolderInput, FolderList } from "./folders.ts";
import { Deleted, Qr, QrCreateInput, QrList, QrListQuery, QrUpdateInput } from "./qr.ts";
import { ScanListQuery, ScanListResponse } from "./scans.ts";

/** One row of the interface. Routing, scopes, validation, OpenAPI and the looped tests all read this table. */
export interface Endpoint {
  readonly method: "get" | "post" | "patch" | "delete";
  /** Under `/api/v1`, with `{id}` for the one path parameter there may be. */
  readonly path: string;
  readonly tag: "QR codes" | "Scans" | "Folders";
  readonly summary: string;
  readonly scope: Scope;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The same `Idempotency-Key` and body get the first answer again for 24 hours. */
  readonly idempotent?: true;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
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
