import { form, type Route } from "../frame/request.ts";
import { bulkForm, chooseForAll, updateCodes } from "./update.tsx";

/** The pages and forms of changes of many codes. */
export const bulkRoutes: readonly Route[] = [
  ...form("/codes/bulk", "codes.write", chooseForAll, updateCodes, { largeForm: bulkForm }),
];
