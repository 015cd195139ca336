import type { Route } from "../frame/request.ts";
import { failedRows, jobResults } from "./downloads.ts";
import { jobList } from "./list.tsx";
import { cancelPrint, printedFile, printProgress, removePrintedFile, showPrint } from "./print-job.tsx";
import { jobProgress, showJob } from "./show.tsx";

/** The pages and forms of jobs and print jobs. */
export const jobRoutes: readonly Route[] = [
  ["GET", "/jobs", "codes.read", jobList],
  ["GET", "/jobs/:id", "codes.read", showJob],
  ["GET", "/jobs/:id/progress", "codes.read", jobProgress, { counted: false }],
  ["GET", "/jobs/:id/results.csv", "codes.read", jobResults],
  ["GET", "/jobs/:id/failed.csv", "codes.read", failedRows],
  ["GET", "/prints/:id", "codes.read", showPrint],
  ["GET", "/prints/:id/progress", "codes.read", printProgress, { counted: false }],
  ["GET", "/prints/:id/file", "codes.read", printedFile],
  ["POST", "/prints/:id/cancel", "codes.read", cancelPrint],
  ["POST", "/prints/:id/remove", "codes.read", removePrintedFile],
];
