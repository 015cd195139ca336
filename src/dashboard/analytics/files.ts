import { describeIssues } from "../../contract/issues.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import { ExportQuery } from "../../contract/resources/scans/scans.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { findCodeTitles } from "../../domain/codes/titles.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";
import { exportScans } from "../../domain/scans/export.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { fileNameOf } from "../../lib/text/file-name.ts";
import { formatHour, weekdays } from "../../ui/charts/format.ts";
import { type ListedDimension, labelOf, listed } from "../../ui/report/labels.ts";
import { reportDimensions } from "../../ui/report/report.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { csvFile, csvStream } from "../frame/csv-file.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Loaded, loadCodeReport, loadWorkspaceReport } from "./load.ts";

/** Returns the name of a file about a code, such as `summer-menu-report.csv`. */
const nameFor = ({ name, hash }: Qr, what: string): string => `${fileNameOf(name ?? "") || hash}-${what}.csv`;

/** Returns the steps of a code's report as CSV. @throws not_found, invalid_input */
export async function codeReportFile(request: DashboardRequest): Promise<Response> {
  const qr = await getQr(request.deps, request.context, request.param("id"));
  return csvFile(nameFor(qr, "report"), seriesLines(required(await loadCodeReport(request, qr.id, []))));
}

/** Returns the steps of the workspace's report, or that of a tag or folder, as CSV. @throws invalid_input */
export const workspaceReportFile = async (request: DashboardRequest): Promise<Response> =>
  csvFile("report.csv", seriesLines(required(await loadWorkspaceReport(request, []))));

/** Returns the dimensions of a code's report as CSV. @throws not_found, invalid_input */
export const codeBreakdownsFile = async (request: DashboardRequest): Promise<Response> => {
  const qr = await getQr(request.deps, request.context, request.param("id"));
  const loaded = await loadCodeReport(request, qr.id, reportDimensions);
  return csvFile(nameFor(qr, "breakdowns"), dimensionLines(required(loaded), new Map()));
};

/** Returns the dimensions of the workspace's report as CSV, including its codes. @throws invalid_input */
export async function workspaceBreakdownsFile(request: DashboardRequest): Promise<Response> {
  const { deps, context } = request;
  const report = required(await loadWorkspaceReport(request, [...reportDimensions, "code"]));
  const ids = report.dimensions.code?.items.flatMap(({ value }) => value ?? []) ?? [];
  const titles = await findCodeTitles(deps, context, ids);
  return csvFile("breakdowns.csv", dimensionLines(report, titles));
}

/** Returns a code's scans as CSV, oldest first. @throws not_found, invalid_input, rate_limited */
export async function codeScansFile(request: DashboardRequest): Promise<Response> {
  const qr = await getQr(request.deps, request.context, request.param("id"));
  return scansFile(request, nameFor(qr, "scans"), { qrId: qr.id });
}

/** Returns the workspace's scans as CSV, oldest first. @throws invalid_input, rate_limited */
export const workspaceScansFile = (request: DashboardRequest): Promise<Response> =>
  scansFile(request, "scans.csv", {});

async function scansFile(request: DashboardRequest, filename: string, code: { qrId?: string }) {
  const { deps, context, query } = request;
  const [from, to] = [query.get("from") ?? undefined, query.get("to") ?? undefined];
  const parsed = ExportQuery.safeParse({ ...code, from, to, tz: await request.timeZone() });
  if (!parsed.success) {
    throw new ServiceError("invalid_input", describeIssues(parsed.error.issues));
  }
  return csvStream(filename, await exportScans(deps, context, parsed.data), deps);
}

function required(loaded: Loaded): Analytics {
  if (loaded.isMissing) throw unavailable();
  if (loaded.report === null) throw new ServiceError("invalid_input", loaded.problem);
  return loaded.report;
}

/** Returns a line per step: its start, its sums, and the scans of the same step of the previous period. */
function seriesLines({ series, comparison }: Analytics): string {
  const columns = ["start", "scans", "visitors", "newVisitors", "botScans"];
  const compared = comparison === null ? [] : ["earlierStart", "earlierScans"];
  const rows = series.map(({ start, scans, visitors, newVisitors, botScans }, index) => {
    const earlier = comparison?.series[index];
    const sums = [start, scans, visitors?.count ?? "", newVisitors, botScans];
    return comparison === null ? sums : [...sums, earlier?.start ?? "", earlier?.scans ?? ""];
  });
  return lines([[...columns, ...compared], ...rows]);
}

/** Returns a line per value of each dimension, and one for the values that the report sums. */
function dimensionLines({ dimensions }: Analytics, titles: ReadonlyMap<string, string>): string {
  const rows = Object.entries(dimensions).flatMap(([dimension, found]) => {
    const name = dimension === "code" ? "Codes" : dimension === "hourOfWeek" ? "Hours of the week" : "";
    const title = name || listed[dimension as ListedDimension];
    const values = found.items.map((item) => {
      const value = item.value ?? "";
      if (dimension === "code") return [title, titles.get(value) ?? "Deleted code", item.scans];
      if (dimension === "hourOfWeek") return [title, hourLabel(Number(value)), item.scans];
      return [title, labelOf(dimension as ListedDimension, item), item.scans];
    });
    const { other } = found;
    return other.values === 0
      ? values
      : [...values, [title, formatCount(other.values, "other"), other.scans]];
  });
  return lines([["breakdown", "value", "scans"], ...rows]);
}

const hourLabel = (hour: number): string =>
  `${weekdays[Math.floor(hour / 24)]?.long ?? ""} ${formatHour(hour % 24)}`;

const lines = (rows: readonly (readonly (string | number)[])[]): string => rows.map(csvRow).join("");
