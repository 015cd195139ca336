import { byteOrderMark } from "../../lib/text/csv.ts";
import { attachment } from "../../lib/text/file-name.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import type { Timers } from "../../lib/with-timeout.ts";

/** Returns CSV as a download for spreadsheets, with the byte order mark that these need to read its letters. */
export const csvFile = (filename: string, text: string): Response => download(filename, byteOrderMark + text);

/** The same, written piece by piece. @param timers as of `streamOf` */
export const csvStream = (
  filename: string,
  pieces: AsyncIterable<string | Uint8Array>,
  timers: Timers,
): Response => download(filename, streamOf(marked(pieces), timers));

async function* marked(pieces: AsyncIterable<string | Uint8Array>) {
  yield byteOrderMark;
  yield* pieces;
}

const download = (filename: string, body: BodyInit): Response =>
  new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": attachment(filename),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
