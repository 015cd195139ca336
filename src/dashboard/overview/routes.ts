import type { Route } from "../frame/request.ts";
import { jobsPart } from "./jobs.tsx";
import { createFirstCode, firstImage, firstStepsPart, hideFirstSteps, overview } from "./overview.tsx";

/** The pages and forms of the first page and the first steps. */
export const overviewRoutes: readonly Route[] = [
  ["GET", "/", "codes.read", overview],
  ["GET", "/first-steps", "codes.read", firstStepsPart],
  ["POST", "/first-steps", "codes.write", createFirstCode],
  ["GET", "/first-steps/image", "codes.read", firstImage],
  ["POST", "/first-steps/hide", "account", hideFirstSteps, { personal: true }],
  ["GET", "/jobs/under-way", "codes.read", jobsPart, { counted: false }],
];
