import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { log } from "../log.ts";

/** The fields that parts of the service add to a request's line in the log. */
interface RequestNote {
  /** The response's `x-request-id`. */
  readonly requestId?: string | undefined;
  /** The pattern of the path, such as `/api/v1/qr/:id`. Never the path, which may contain a secret. */
  readonly route?: string | undefined;
  /** The workspace of who sent it. */
  readonly workspaceId?: string | undefined;
}

const notes = new WeakMap<Request, RequestNote>();

/** Adds to a request's line in the log. */
export function noteRequest(request: Request, note: RequestNote): void {
  const before = notes.get(request);
  notes.set(request, {
    requestId: note.requestId ?? before?.requestId,
    route: note.route ?? before?.route,
    workspaceId: note.workspaceId ?? before?.workspaceId,
  });
}

/** Returns the pattern of the handler that a router chose; undefined if only middleware matches. */
export const patternOf = (c: Context): string | undefined =>
  matchedRoutes(c).find(({ path }) => !path.endsWith("*"))?.path;

/** Returns a request's route for the log, such as `GET /api/v1/qr/{id}`. */
export const routeOf = (c: Context): string => namedRoute(c.req.method, patternOf(c) ?? "/*");

/** A request as it is logged. */
type RequestLine = Readonly<
  Record<"requestId" | "route", string> & Record<"status" | "ms", number> & Pick<RequestNote, "workspaceId">
>;

/** Methods that are named in a line. Clients may send any text as a method. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function namedRoute(method: string, pattern: string): string {
  return `${methods.has(method) ? method : "OTHER"} ${pattern.replace(/:(\w+)/g, "{$1}")}`;
}

/**
 * Writes the line of an answered request. Queries, headers, bodies and addresses are left out.
 * @param pattern of the served paths, for requests without a noted route
 * @param ms milliseconds until the response began
 */
export function logRequest(request: Request, pattern: string, status: number, ms: number): RequestLine {
  const { requestId = crypto.randomUUID(), route = pattern, workspaceId } = notes.get(request) ?? {};
  const line = { requestId, route: namedRoute(request.method, route), status, ms, workspaceId };
  log("info", "request", line);
  return line;
}
