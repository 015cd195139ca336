import {
  Analytics,
  AnalyticsQuery,
  ReportingSettings,
  ReportingSettingsInput,
  WorkspaceAnalyticsQuery,
} from "../resources/scans/analytics.ts";
import { bodyErrors, type Endpoint } from "./endpoint.ts";

/** Reports on scans, and how a workspace's scans are reported and kept. */
export const analyticsEndpoints = {
  codeAnalytics: {
    method: "get",
    path: "/qr/{id}/analytics",
    tag: "Analytics",
    summary: "Report on the scans of a QR code: totals, series, breakdowns and a comparison",
    auth: "key",
    scope: "scans:read",
    query: AnalyticsQuery,
    status: 200,
    response: Analytics,
    errors: [404],
  },
  workspaceAnalytics: {
    method: "get",
    path: "/analytics",
    tag: "Analytics",
    summary: "Report on the scans of the workspace: of all QR codes, or of those with a tag or in a folder",
    auth: "key",
    scope: "scans:read",
    query: WorkspaceAnalyticsQuery,
    status: 200,
    response: Analytics,
    errors: [],
  },
  getReporting: {
    method: "get",
    path: "/developer/analytics",
    tag: "Analytics",
    summary: "Retrieve the reporting settings: the time zone, and how long scans are kept",
    auth: "session",
    permission: "codes.read",
    status: 200,
    response: ReportingSettings,
    errors: [],
  },
  changeReporting: {
    method: "patch",
    path: "/developer/analytics",
    tag: "Analytics",
    summary: "Update the reporting settings: the time zone, or how long scans are kept",
    auth: "session",
    permission: "settings",
    body: ReportingSettingsInput,
    status: 200,
    response: ReportingSettings,
    errors: bodyErrors,
  },
} as const satisfies Record<string, Endpoint>;
