import { attachment } from "../../lib/text/file-name.ts";

/** A CSV file that browsers save. */
export const csvFile = (filename: string, body: BodyInit): Response =>
  new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": attachment(filename),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
