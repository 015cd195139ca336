import { Deleted, ExternalIdInPath, ExternalIdQuery, Qr, QrPutInput } from "../resources/codes/qr.ts";
import { bodyErrors, type KeyEndpoint } from "./endpoint.ts";

const ofCode = { tag: "QR codes", auth: "key", versioned: true } as const;
const inQuery = { path: "/qr", query: ExternalIdQuery } as const;
const inPath = {
  path: "/qr/by-external-id/{externalId}",
  parameters: { externalId: ExternalIdInPath },
} as const;
const put = {
  method: "put",
  scope: "qr:write",
  body: QrPutInput,
  status: 200,
  creates: true,
  response: Qr,
  errors: [...bodyErrors, 402, 409],
} as const;
const remove = {
  method: "delete",
  scope: "qr:write",
  status: 200,
  response: Deleted,
  errors: [404],
} as const;

/** Codes by their client's own id: any in the query, most in the path. `GET /qr?externalId=` is the list. */
export const ownIdEndpoints = {
  putQr: {
    ...{ ...ofCode, ...inQuery, ...put },
    summary: "Create or update a QR code by own id (any characters)",
  },
  deleteQrWithOwnId: {
    ...{ ...ofCode, ...inQuery, ...remove },
    summary: "Delete a QR code by own id (any characters)",
  },
  getQrByOwnId: {
    ...{ ...ofCode, ...inPath },
    method: "get",
    summary: "Retrieve a QR code by your own id",
    scope: "qr:read",
    status: 200,
    response: Qr,
    errors: [404],
  },
  putQrByOwnId: {
    ...{ ...ofCode, ...inPath, ...put },
    summary: "Create or update a QR code by your own id; scans follow a new destination at once",
  },
  deleteQrByOwnId: {
    ...{ ...ofCode, ...inPath, ...remove },
    summary: "Delete a QR code by your own id; it stops resolving, its scans are kept",
  },
} as const satisfies Record<string, KeyEndpoint>;
