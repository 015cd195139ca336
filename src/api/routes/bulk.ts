import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createBulkJob, downloadBulkJob, getBulkJob, listBulkJobs } from "../../domain/bulk/jobs.ts";
import { createRowUpdate, previewRows } from "../../domain/bulk/row-updates.ts";
import { readBulkUpdate, readChangeRows } from "../../domain/bulk/rows/read-update.ts";
import { readBulkRows } from "../../domain/bulk/rows/rows.ts";
import { previewCreation } from "../../domain/bulk/rows/upserts.ts";
import { createBulkUpdate, previewBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { readSelection } from "../../domain/codes/filter.ts";
import { bind, bindPreviewed, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function bulkRoutes(app: Hono<ApiEnv>): void {
  for (const endpoint of [endpoints.createBulk, endpoints.createBulkFromCsv]) {
    bindPreviewed(app, endpoint, async ({ deps, caller, query, body }) => {
      const rows = await readBulkRows(deps, caller, body, query.upsert !== undefined);
      return query.dryRun
        ? { preview: await previewCreation(deps, caller, rows) }
        : { result: await createBulkJob(deps, caller, rows, await body.idempotency()) };
    });
  }
  bindPreviewed(app, endpoints.bulkUpdate, async ({ deps, caller, body }) => {
    const sent = await readBulkUpdate(deps, body);
    const options = { force: sent.force === true };
    if ("rows" in sent) {
      return sent.dryRun === true
        ? { preview: await previewRows(deps, caller, sent.rows, options) }
        : { result: await createRowUpdate(deps, caller, sent.rows, options, await body.idempotency()) };
    }
    const update = await readSelection(deps, caller, sent);
    return sent.dryRun === true
      ? { preview: await previewBulkUpdate(deps, caller, update) }
      : { result: await createBulkUpdate(deps, caller, update, await body.idempotency()) };
  });
  bindPreviewed(app, endpoints.bulkUpdateFromCsv, async ({ deps, caller, query, body }) => {
    const rows = await readChangeRows(deps, body);
    return query.dryRun
      ? { preview: await previewRows(deps, caller, rows, query) }
      : { result: await createRowUpdate(deps, caller, rows, query, await body.idempotency()) };
  });
  bind(app, endpoints.listBulk, ({ deps, caller, query }) => listBulkJobs(deps, caller, query));
  bind(app, endpoints.getBulk, ({ deps, caller, params, query }) =>
    getBulkJob(deps, caller, params.jobId, query.items),
  );
  bindStream(app, endpoints.downloadBulk, async ({ deps, caller, params }) => ({
    mediaType: "text/csv",
    filename: `bulk-${params.jobId}.csv`,
    body: await downloadBulkJob(deps, caller, params.jobId),
  }));
}
