import { Lines } from "../resources/codes/bulk.ts";
import { exportTypes } from "../resources/enums.ts";
import {
  HistoryExportQuery,
  HistoryList,
  HistoryQuery,
  ObjectHistoryQuery,
} from "../resources/history/history.ts";
import { Reverted, RevertQuery } from "../resources/history/revert.ts";
import type { KeyEndpoint, SessionEndpoint } from "./endpoint.ts";

/** Who changed what. */
export const historyEndpoints = {
  listQrHistory: {
    method: "get",
    path: "/qr/{id}/history",
    tag: "History",
    summary: "List the changes of a QR code: who made them, and the values before and after; newest first",
    auth: "key",
    scope: "qr:read",
    query: ObjectHistoryQuery,
    status: 200,
    response: HistoryList,
    errors: [404],
  },
  listHistory: {
    method: "get",
    path: "/developer/history",
    tag: "History",
    summary: "List all changes in the workspace: newest first",
    auth: "session",
    permission: "codes.read",
    scope: "history:read",
    query: HistoryQuery,
    status: 200,
    response: HistoryList,
    errors: [],
  },
  exportHistory: {
    method: "get",
    path: "/developer/history/export",
    tag: "History",
    summary: "Export the changes in the workspace: as NDJSON, newest first",
    auth: "session",
    permission: "codes.read",
    scope: "history:read",
    query: HistoryExportQuery,
    status: 200,
    response: Lines,
    stream: [exportTypes.ndjson],
    errors: [],
  },
  revertChange: {
    method: "post",
    path: "/developer/history/{id}/revert",
    tag: "History",
    summary: "Undo a change, or all changes of its bulk job. A key also needs the scope to change that again",
    auth: "session",
    permission: "codes.write",
    scope: "history:read",
    query: RevertQuery,
    status: 200,
    response: Reverted,
    errors: [402, 404],
  },
} as const satisfies Record<string, KeyEndpoint | SessionEndpoint>;
