import { exportTypes } from "../../../contract/resources/enums.ts";
import { exportCodes, exportQr } from "../../../domain/codes/export.ts";
import { isId } from "../../../lib/text/ids.ts";
import { streamOf } from "../../../lib/web/stream-of.ts";
import { csvStream } from "../../frame/csv-file.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { filtersOf, readSearch } from "./search.ts";

/**
 * Returns as CSV the codes with the ids in `id`; with `all` or without ids, those that the search `q` finds. @throws invalid_input,
 * rate_limited
 */
export async function codesFile(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const ids = [...new Set(query.getAll("id").filter(isId))];
  const filter =
    query.has("id") && !query.has("all") ? null : await filtersOf(request, readSearch(query.get("q") ?? ""));
  const selection = filter === null ? { ids } : { filter };
  return csvStream("codes.csv", await exportCodes(deps, context, selection), deps);
}

/** Returns the codes that the search `q` finds as `GET /qr/export` has them: whole, one a line. @throws rate_limited */
export async function wholeCodes(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const filter = await filtersOf(request, readSearch(query.get("q") ?? ""));
  const lines =
    filter === null ? null : await exportQr(deps, context, { ...filter, format: "ndjson", bom: false });
  return new Response(lines === null ? "" : streamOf(lines, deps), {
    headers: {
      "content-type": exportTypes.ndjson,
      "content-disposition": 'attachment; filename="codes.ndjson"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
