import { concat } from "../concat.ts";
import { readBytesAtMost } from "./read-at-most.ts";

/** A form as submitted by a browser. */
export interface SubmittedForm {
  readonly fields: URLSearchParams;
  /** The chosen files, by the name of their field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

interface UploadedFile {
  /** As stated by the browser. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the file exceeds the limit of a form; `bytes` is then only its beginning. */
  readonly isCut: boolean;
}

export type FormType = "application/x-www-form-urlencoded" | "multipart/form-data";

/** The limits of a form. */
export interface FormBounds {
  /** Bytes of a form, by accepted type. */
  readonly bytes: Readonly<Partial<Record<FormType, number>>>;
  /** Fields, including files. */
  readonly fields: number;
  /**
   * Bytes of a larger form that are read and discarded; none by default. If the response arrives before a browser has
   * sent its form, the browser may show an error of its own instead.
   */
  readonly discardedBytes?: number;
}

/** An unacceptable form. The message is a sentence for the client. */
export class FormError extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: FormError["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** A form without fields. */
export const emptyForm: SubmittedForm = { fields: new URLSearchParams(), files: new Map() };

/**
 * Reads a submitted form. Its bytes and fields are counted before it is parsed. If a file is too large, the fields
 * before it are still returned, so that a page can show them again with the problem.
 * @throws FormError for another type of body, a malformed one, and one that is otherwise too large
 */
export async function readForm(request: Request, bounds: FormBounds): Promise<SubmittedForm> {
  const { body, headers, signal } = request;
  const header = headers.get("content-type") ?? "";
  if (header === "" && body === null) return emptyForm;
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  const max = Object.entries(bounds.bytes).find(([accepted]) => accepted === type)?.[1];
  if (max === undefined) {
    throw new FormError(415, `A form must be sent as ${Object.keys(bounds.bytes).join(" or ")}.`);
  }
  const read = await readBytesAtMost(body, max + 1, signal, bounds.discardedBytes);
  if (type === "multipart/form-data") return readParts(read, header, max, bounds.fields);
  if (read.length > max) throw formTooLarge(max);
  if (occurrences(read, "&") >= bounds.fields) throw tooManyFields(bounds.fields);
  return { fields: new URLSearchParams(new TextDecoder().decode(read)), files: new Map() };
}

/** @param max bytes of the form; if it has more, `body` is its beginning */
async function readParts(
  body: Uint8Array<ArrayBuffer>,
  header: string,
  max: number,
  maxFields: number,
): Promise<SubmittedForm> {
  const [, boundary = ""] = /boundary="?([^";]+)/i.exec(header) ?? [];
  // The number of parts, unless something comes before the first one.
  if (occurrences(body, `\n--${boundary}`) > maxFields) throw tooManyFields(maxFields);
  const isCut = body.length > max;
  const whole = isCut ? concat([body, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)]) : body;
  // Tells the runtime the boundary that was counted.
  const type = `multipart/form-data; boundary="${boundary}"`;
  const parts = await new Response(whole, { headers: { "content-type": type } }).formData().catch(() => {
    throw isCut ? formTooLarge(max) : new FormError(400, "The form isn't complete.");
  });
  const entries = [...parts];
  // Only a file may have been cut.
  if (isCut && typeof entries.at(-1)?.[1] === "string") throw formTooLarge(max);
  const fields = new URLSearchParams();
  const files = new Map<string, UploadedFile>();
  for (const [i, [name, value]] of entries.entries()) {
    if (typeof value === "string") fields.append(name, value);
    // Browsers send an empty file if none was chosen.
    else if (value.size > 0) {
      const isLast = i === entries.length - 1;
      const bytes = new Uint8Array(await value.arrayBuffer());
      files.set(name, { name: value.name, bytes, isCut: isCut && isLast });
    }
  }
  return { fields, files };
}

/**
 * Counts the occurrences of a text whose first character doesn't recur in it, so that each byte is read at most twice.
 */
function occurrences(bytes: Uint8Array, text: string): number {
  const [first = 0, ...rest] = new TextEncoder().encode(text);
  let count = 0;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const start = at + 1;
    if (rest.every((byte, i) => bytes[start + i] === byte)) count += 1;
  }
  return count;
}

const formTooLarge = (max: number) => new FormError(413, `A form can have at most ${max} bytes.`);

const tooManyFields = (max: number) => new FormError(413, `A form can have at most ${max} fields.`);
