import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createBulkJob, downloadBulkJob, getBulkJob } from "../../domain/bulk/jobs.ts";
import { type BulkRow, parseCsvRows, parseJsonRows } from "../../domain/bulk/rows.ts";
import { readJson } from "../../lib/text/json.ts";
import { bind, bindStream } from "../bind.ts";
import type { Upload } from "../streams.ts";
import type { ApiEnv } from "../context.ts";
import { asInvalid } from "../validate.ts";

export function bulkRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createBulk, ({ deps, caller, body, idempotency }) =>
    createBulkJob(deps, caller, rowsOf(body), idempotency),
  );
  bind(app, endpoints.getBulk, ({ deps, caller, params }) => getBulkJob(deps, caller, params.jobId));
  bindStream(app, endpoints.downloadBulk, async ({ deps, caller, params }) => ({
    mediaType: "text/csv",
    filename: `bulk-${params.jobId}.csv`,
    body: await downloadBulkJob(deps, caller, params.jobId),
  }));
}

function rowsOf({ mediaType, bytes }: Upload): BulkRow[] {
  if (mediaType === "text/csv") return parseCsvRows(bytes);
  try {
    return parseJsonRows(readJson(bytes.buffer));
  } catch (error) {
    throw asInvalid(error);
  }
}
