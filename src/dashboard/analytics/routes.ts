import { form, type Route } from "../frame/request.ts";
import { workspaceBreakdownsFile, workspaceReportFile, workspaceScansFile } from "./files.ts";
import { replaceLink, revokeLink, saveShareCodes, shareCodes } from "./share-page.tsx";

/** The pages and forms of reports and their links. */
export const analyticsRoutes: readonly Route[] = [
  ["GET", "/report.csv", "codes.read", workspaceReportFile],
  ["GET", "/breakdowns.csv", "codes.read", workspaceBreakdownsFile],
  ["GET", "/scans.csv", "codes.read", workspaceScansFile],
  ...form("/share", "codes.write", shareCodes, saveShareCodes),
  ["POST", "/shared/:shared/replace", "codes.write", replaceLink],
  ["POST", "/shared/:shared/revoke", "codes.write", revokeLink],
];
