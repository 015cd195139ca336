import { ServiceError } from "../../domain/errors.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";

/** Bytes of a submitted form at most. */
const maxBytes = 128 * 1024;

/** The fields of a submitted form. @throws invalid_input for another type of body, and one that is too large */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === undefined && request.body === null) return new URLSearchParams();
  if (type !== "application/x-www-form-urlencoded") {
    throw new ServiceError("invalid_input", "A form must be sent as application/x-www-form-urlencoded", {
      status: 415,
    });
  }
  const text = await readAtMost(request.body, maxBytes + 1, request.signal);
  if (text.length > maxBytes) {
    throw new ServiceError("invalid_input", `A form may have at most ${maxBytes} bytes`, { status: 413 });
  }
  return new URLSearchParams(text);
}
