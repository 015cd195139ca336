import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createBulkJob, downloadBulkJob, getBulkJob } from "../../domain/bulk/jobs.ts";
import { type BulkRow, rowsOfCsv, rowsOfJson } from "../../domain/bulk/rows.ts";
import { readJson } from "../../lib/text/json.ts";
import { bind, bindStream, type Upload } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { asInvalid } from "../validate.ts";

export function bulkRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createBulk, ({ deps, caller, body, idempotency }) =>
    createBulkJob(deps, caller, rowsOf(body), idempotency),
  );
  bind(app, endpoints.getBulk, ({ deps, caller, id }) => getBulkJob(deps, caller, id));
  bindStream(app, endpoints.downloadBulk, async ({ deps, caller, id }) => ({
    mediaType: "text/csv",
    filename: `bulk-${id}.csv`,
    body: await downloadBulkJob(deps, caller, id),
  }));
}

function rowsOf({ mediaType, bytes }: Upload): BulkRow[] {
  if (mediaType === "text/csv") return rowsOfCsv(bytes);
  try {
    return rowsOfJson(readJson(bytes.buffer));
  } catch (error) {
    throw asInvalid(error);
  }
}
