import type { Route } from "../frame/request.ts";
import { postpone, resumeWaiting, waitingList } from "./list.tsx";

/** The page of what waits for a person, and what they do there besides acting on it. */
export const waitingRoutes: readonly Route[] = [
  ["GET", "/waiting", "codes.read", waitingList],
  ["POST", "/waiting/not-now", "codes.read", postpone],
  ["POST", "/waiting/now", "codes.read", resumeWaiting],
];
