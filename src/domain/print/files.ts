import { limits } from "../../contract/limits.ts";
import type { Deps } from "../deps.ts";
import { requireFiles } from "../files.ts";

/** Returns the bucket of the files of print jobs. @throws internal (503) if none is bound */
export const printFiles = (deps: Deps): R2Bucket =>
  requireFiles(deps, "Print jobs", `Up to ${limits.print.codes} QR codes at once can be printed without it.`);
