import type { Context } from "hono";
import { limits } from "../../contract/limits.ts";
import { FormError, readForm } from "../../lib/web/form.ts";

/** Returns the fields of a submitted form, or the response to an unacceptable one. */
export async function readFields(c: Context): Promise<URLSearchParams | Response> {
  const { bytes, fields } = limits.form;
  try {
    const bounds = { bytes: { "application/x-www-form-urlencoded": bytes }, fields };
    return (await readForm(c.req.raw, bounds)).fields;
  } catch (error) {
    if (error instanceof FormError) return refuse(c, error.status, error.message);
    throw error;
  }
}

/** A plain-text error. People hardly ever see one, because browsers don't send such requests. */
export const refuse = (
  c: Context,
  status: 400 | 404 | 405 | 413 | 415 | 429 | 500 | 502,
  message: string,
): Response =>
  c.text(`${message}\n`, status, {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 429 ? { "retry-after": "60" } : {}),
  });
