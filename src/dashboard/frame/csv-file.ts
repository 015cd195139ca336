import { attachment } from "../../lib/text/file-name.ts";

/** Returns a CSV file as a download. */
export const csvFile = (filename: string, body: BodyInit): Response =>
  new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": attachment(filename),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
