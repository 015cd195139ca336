import type { Context } from "hono";
import { limits } from "../contract/limits.ts";
import { readAtMost } from "../lib/web/read-at-most.ts";

/** The fields of a submitted form, or the response to a request that is not a form. */
export async function readForm(c: Context): Promise<URLSearchParams | Response> {
  const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    return refuse(c, 415, "A form must be sent as application/x-www-form-urlencoded.");
  }
  const maxBytes = limits.submission.body;
  const text = await readAtMost(c.req.raw.body, maxBytes + 1, c.req.raw.signal);
  return text.length > maxBytes
    ? refuse(c, 413, `A form may have at most ${maxBytes} bytes.`)
    : new URLSearchParams(text);
}

/** A plain-text error. People hardly ever see one: browsers do not send such requests. */
export const refuse = (
  c: Context,
  status: 404 | 405 | 413 | 415 | 429 | 500 | 502,
  message: string,
): Response =>
  c.text(`${message}\n`, status, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 429 ? { "retry-after": "60" } : {}),
  });
