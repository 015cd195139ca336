import { limits } from "../../contract/limits.ts";
import { ServiceError } from "../../domain/errors.ts";
import { concat } from "../../lib/concat.ts";
import { readBytesAtMost } from "../../lib/web/read-at-most.ts";

/** A form as a browser submits it. */
export interface SubmittedForm {
  readonly fields: URLSearchParams;
  /** The chosen files, by the name of their field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

export interface UploadedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the file is larger than a form may be: `bytes` is its beginning. */
  readonly isCut: boolean;
}

/** Bytes of a submitted form at most, by its type. With files, as many as the API accepts. */
const maxBytes = {
  "application/x-www-form-urlencoded": 128 * 1024,
  "multipart/form-data": limits.body,
} as const;

/**
 * Bytes of a larger form that are read to no end: a browser that is answered before it has sent its form may show an error
 * of its own instead of the answer. More than the platform accepts.
 */
const discardedBytes = 128 * 1024 * 1024;

export type FormType = keyof typeof maxBytes;

const isFormType = (type: string): type is FormType => Object.hasOwn(maxBytes, type);

/** A form without anything. */
export const emptyForm: SubmittedForm = { fields: new URLSearchParams(), files: new Map() };

/**
 * Reads a submitted form. A file that is too large does not hide the fields before it, so that a page can show them again
 * with what is wrong.
 * @param bytes of the form at most, if not as many as usual for its type
 * @throws invalid_input for another type of body, a malformed one, and one that is too large otherwise
 */
export async function readForm(request: Request, bytes?: number): Promise<SubmittedForm> {
  const header = request.headers.get("content-type");
  if (header === null && request.body === null) return emptyForm;
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!isFormType(type)) {
    const message = `A form must be sent as ${Object.keys(maxBytes).join(" or ")}`;
    throw new ServiceError("invalid_input", message, { status: 415 });
  }
  const { body, signal } = request;
  const max = bytes ?? maxBytes[type];
  const read = await readBytesAtMost(body, max + 1, signal, discardedBytes);
  if (type === "multipart/form-data") return readParts(read, header ?? "", max);
  if (read.length > max) throw tooLarge(max);
  return { fields: new URLSearchParams(new TextDecoder().decode(read)), files: new Map() };
}

/** @param max bytes of the form: with more, `bytes` is its beginning */
async function readParts(bytes: Uint8Array<ArrayBuffer>, type: string, max: number): Promise<SubmittedForm> {
  const isCut = bytes.length > max;
  const whole = isCut ? concat([bytes, ending(type)]) : bytes;
  const parts = await new Response(whole, { headers: { "content-type": type } }).formData().catch(() => {
    throw isCut ? tooLarge(max) : new ServiceError("invalid_input", "The form is not complete");
  });
  const entries = [...parts];
  // Only a file may be the part that was cut.
  if (isCut && typeof entries.at(-1)?.[1] === "string") throw tooLarge(max);
  const fields = new URLSearchParams();
  const files = new Map<string, UploadedFile>();
  for (const [i, [name, value]] of entries.entries()) {
    if (typeof value === "string") fields.append(name, value);
    // Browsers send an empty file where none was chosen.
    else if (value.size > 0) {
      const isLast = i === entries.length - 1;
      files.set(name, { bytes: new Uint8Array(await value.arrayBuffer()), isCut: isCut && isLast });
    }
  }
  return { fields, files };
}

/** What ends the last part of a form. */
function ending(type: string): Uint8Array {
  const [, boundary = ""] = /boundary="?([^";]+)/i.exec(type) ?? [];
  return new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
}

const tooLarge = (max: number) =>
  new ServiceError("invalid_input", `A form may have at most ${max} bytes`, { status: 413 });
