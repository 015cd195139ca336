import type { Context } from "hono";
import { type ExportFormat, exportTypes } from "../contract/resources/enums.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Idempotency } from "../domain/idempotency.ts";
import { inBlocks } from "../lib/web/in-blocks.ts";
import type { ApiEnv } from "./context.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import { charsetOf, mediaTypeOf, noteIgnored, unsupported } from "./validate.ts";

/** A body that the handler reads as it arrives. */
export interface Upload {
  readonly mediaType: string;
  /** The encoding declared in its content type. */
  readonly charset: string | undefined;
  /**
   * Returns the body in blocks of 64 KiB; can be called once. @throws invalid_input (413) as soon as it exceeds
   * `maxBytes`
   */
  blocks(maxBytes: number): AsyncIterable<Uint8Array>;
  /** Names fields of the body that are ignored, in the response. */
  ignore(fields: ReadonlySet<string>): void;
  /** Returns the request's Idempotency-Key with its fingerprint, once the whole body has been read. */
  idempotency(): Promise<Idempotency | undefined>;
}

/** A streamed response. */
export interface Download {
  readonly mediaType: string;
  /** Makes the response an attachment with this name. */
  readonly filename?: string;
  /** The length of the body, if it is known. */
  readonly bytes?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Returns an export as an attachment. @param name of the file, without its extension */
export const exported = (name: string, format: ExportFormat, body: Download["body"]): Download => ({
  mediaType: exportTypes[format],
  filename: `${name}.${format}`,
  body,
});

/**
 * Opens the request's body.
 * @param accepted media types; if there is only one, the request's content type is ignored
 * @param request if it has an Idempotency-Key
 * @throws invalid_input (415) for another media type
 */
export function openUpload(
  c: Context<ApiEnv>,
  accepted: readonly string[],
  request: IdempotentRequest | undefined,
): Upload {
  const [only, ...others] = accepted;
  const mediaType = others.length === 0 && only !== undefined ? only : standardType(mediaTypeOf(c));
  if (!accepted.includes(mediaType)) throw unsupported(c, accepted);
  return {
    mediaType,
    charset: charsetOf(c),
    async *blocks(maxBytes) {
      if (Number(c.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
      let length = 0;
      for await (const block of inBlocks(c.req.raw.body ?? [])) {
        length += block.length;
        if (length > maxBytes) throw tooLarge(maxBytes);
        await request?.write(block);
        yield block;
      }
    },
    ignore: (fields) => noteIgnored(c, fields),
    idempotency: async () => request?.end(),
  };
}

/** Returns a media type by its standard name: Windows has another for CSV files if Excel opens them. */
const standardType = (mediaType: string): string =>
  mediaType === "application/vnd.ms-excel" ? "text/csv" : mediaType;

/** Creates the error for a body that is too large (413). @param maxBytes bytes */
const tooLarge = (maxBytes: number) =>
  new ServiceError("invalid_input", `The body can have at most ${maxBytes} bytes.`, { status: 413 });
