import type { Operator } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import type { DashboardResponse } from "../frame/request.ts";

/** A request of the operator, who has signed in. */
export interface OperatorRequest {
  readonly deps: Deps;
  readonly operator: Operator;
  /** The page's address: path and query. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for a GET. */
  readonly form: URLSearchParams;
  /** Returns a named segment of the path. */
  param(name: string): string;
}

/** A path of the operator's pages. Every POST requires the dashboard's own origin. */
export type OperatorRoute = readonly [
  method: "GET" | "POST",
  path: `/${string}`,
  answer: (request: OperatorRequest) => Promise<DashboardResponse> | DashboardResponse,
];
