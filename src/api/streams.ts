import type { Context } from "hono";
import { type ExportFormat, exportTypes } from "../contract/resources/enums.ts";
import { describeError, log } from "../lib/log.ts";
import type { ApiEnv } from "./context.ts";
import { mediaTypeOf, unsupported } from "./validate.ts";

/** A body that the handler reads itself. */
export interface Upload {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A streamed response. */
export interface Download {
  readonly mediaType: string;
  /** Makes the response an attachment of this name. */
  readonly filename?: string;
  readonly body: AsyncIterable<string | Uint8Array>;
}

/** An export as an attachment. @param name of the file, without its extension */
export const exported = (name: string, format: ExportFormat, body: Download["body"]): Download => ({
  mediaType: exportTypes[format],
  filename: `${name}.${format}`,
  body,
});

/** The request's body. @param accepted media types @throws invalid_input (415) for another media type */
export async function readUpload(c: Context<ApiEnv>, accepted: readonly string[]): Promise<Upload> {
  const mediaType = mediaTypeOf(c);
  if (!accepted.includes(mediaType)) throw unsupported(accepted);
  return { mediaType, bytes: new Uint8Array(await c.req.arrayBuffer()) };
}

/**
 * A stream that produces each page once the client has taken the previous one. Text becomes UTF-8. A page that fails is
 * logged and ends the download with an error.
 */
export function streamOf(body: Download["body"]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pages.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      } catch (error) {
        log("error", "download interrupted", { error: describeError(error) });
        controller.error(new Error("the download was interrupted"));
      }
    },
    async cancel() {
      await pages.return?.();
    },
  });
}
