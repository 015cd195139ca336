import { downloadBulkJob } from "../../domain/bulk/jobs.ts";
import { downloadFailedRows } from "../../domain/bulk/rows/failed-rows.ts";
import { csvFile, csvStream } from "../frame/csv-file.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** Returns a job's results as CSV. @throws not_found, also once they are deleted */
export async function jobResults({ deps, context, param }: DashboardRequest): Promise<Response> {
  const id = param("id");
  return csvStream(`bulk-${id}.csv`, await downloadBulkJob(deps, context, id), deps);
}

/** Returns a job's failed rows, with their cells and errors, as CSV. @throws not_found */
export async function failedRows({ deps, context, param }: DashboardRequest): Promise<Response> {
  const id = param("id");
  return csvFile(`bulk-${id}-failed.csv`, await downloadFailedRows(deps, context, id));
}
