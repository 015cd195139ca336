import { limits } from "../../contract/limits.ts";
import { HistoryQuery } from "../../contract/resources/history/history.ts";
import type { ListFilters } from "../filters/query.ts";

/** The filters of the history. */
export const historyFilters: ListFilters<HistoryQuery> = {
  labels: { actor: "Who", kind: "What", object: "Object", jobId: "Job" },
  schema: HistoryQuery,
  pageSize: limits.historyList.default,
};
