import { form, type Route } from "../frame/request.ts";
import { importCodes, importForm, importPage } from "./import.tsx";

/** The pages and forms of imports. */
export const importRoutes: readonly Route[] = [
  ...form("/codes/import", "codes.write", importPage, importCodes, { largeForm: importForm }),
];
