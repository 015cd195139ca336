import { JsonError, readJson } from "../text/json.ts";
import { type JsonBounds, requireFewValues } from "../text/json-size.ts";
import { readBytesAtMost } from "./read-at-most.ts";

/** A body of JSON. */
export interface JsonBody {
  /** As it was sent. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly value: unknown;
}

/**
 * Reads a request's body of JSON: no further than `maxBytes`, and counts its values before it is parsed.
 * @throws JsonError, whose status is 413 beyond the bounds
 */
export async function readJsonBody(
  { body, headers, signal }: Request,
  maxBytes: number,
  bounds: JsonBounds,
): Promise<JsonBody> {
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytesAtMost(body, maxBytes + 1, signal);
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return { bytes, value: readJson(bytes, (text) => requireFewValues(text, bounds)) };
}

const tooLarge = (maxBytes: number) => new JsonError(`The body can have at most ${maxBytes} bytes.`, 413);
