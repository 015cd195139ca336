import { form, type Route } from "../frame/request.ts";
import { bin } from "./bin.tsx";
import { confirmErasure, confirmRestoration, eraseSelected, restoreSelected } from "./selected.tsx";

/** The pages and forms of the bin. */
export const binRoutes: readonly Route[] = [
  ["GET", "/bin", "codes.read", bin],
  ...form("/bin/restore", "codes.write", confirmRestoration, restoreSelected),
  ...form("/bin/erase", "codes.write", confirmErasure, eraseSelected),
];
