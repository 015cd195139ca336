import type { Route } from "../frame/request.ts";
import { bin } from "./bin.tsx";

/** The pages and forms of the bin. */
export const binRoutes: readonly Route[] = [["GET", "/bin", "codes.read", bin]];
