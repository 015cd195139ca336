import type { Route } from "../frame/request.ts";
import { goPage, goResults } from "./palette.tsx";

/** The pages and forms of the search. */
export const paletteRoutes: readonly Route[] = [
  ["GET", "/go", "codes.read", goPage],
  ["GET", "/go/results", "codes.read", goResults],
];
