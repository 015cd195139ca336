import type { Route } from "../frame/request.ts";
import { suggestions } from "./suggestions.ts";

/** The pages and forms of choices in forms. */
export const choiceRoutes: readonly Route[] = [["GET", "/choices/:kind", "codes.read", suggestions]];
