import type { Context } from "hono";
import { firstProblem } from "../contract/issues.ts";
import { LiveHeaders } from "../contract/resources/scans/live.ts";
import { invalid } from "../domain/errors.ts";
import type { ApiEnv } from "./context.ts";

/** How a stream of events resumes an earlier one. */
export interface Resumption {
  /** The id of the last event that the client received; undefined for a new client. */
  readonly lastEventId: number | undefined;
  /** Returns whether the client's credentials are still valid. May reject. */
  isAllowed(): Promise<boolean>;
}

/** Parses the header `Last-Event-ID`. An empty one counts as missing. @throws invalid_input */
export function lastEventId(c: Context<ApiEnv>): number | undefined {
  const name = "Last-Event-ID";
  const parsed = LiveHeaders.safeParse({ [name]: c.req.header(name) || undefined });
  if (!parsed.success) throw invalid(name, firstProblem(parsed.error.issues));
  return parsed.data[name];
}
