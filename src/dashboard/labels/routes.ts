import { bulkForm } from "../bulk/update.tsx";
import { form, type Route } from "../frame/request.ts";
import { firstPage, previewPart, printDesk, printFiles, sheetPart } from "./desk.tsx";
import { downloadImages, imageDesk } from "./images.tsx";

/** The pages and forms of labels and images for print. */
export const labelRoutes: readonly Route[] = [
  ...form("/print", "codes.read", printDesk, printFiles, { largeForm: bulkForm }),
  ...form("/print/images", "codes.read", imageDesk, downloadImages, { largeForm: bulkForm }),
  ["GET", "/print/sheet", "codes.read", sheetPart],
  ["GET", "/print/preview", "codes.read", previewPart],
  ["GET", "/print/page.svg", "codes.read", firstPage],
];
