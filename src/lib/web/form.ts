import { concat } from "../concat.ts";
import { readBytesAtMost } from "./read-at-most.ts";

/** A form as a browser submits it. */
export interface SubmittedForm {
  readonly fields: URLSearchParams;
  /** The chosen files, by the name of their field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

interface UploadedFile {
  /** As the browser states it. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the file is larger than a form may be: `bytes` is its beginning. */
  readonly isCut: boolean;
}

export type FormType = "application/x-www-form-urlencoded" | "multipart/form-data";

/** How large a form may be. */
export interface FormBounds {
  /** Bytes of a form, by the types that are accepted. */
  readonly bytes: Readonly<Partial<Record<FormType, number>>>;
  /** Fields, files included. */
  readonly fields: number;
  /**
   * Bytes of a larger form that are read to no end, none by default: a browser that is answered before it has sent its form
   * may show an error of its own instead of the answer.
   */
  readonly discardedBytes?: number;
}

/** A form that is not acceptable. The message is a sentence for the client. */
export class FormError extends Error {
  readonly status: 400 | 413 | 415;

  constructor(status: FormError["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** A form without anything. */
export const emptyForm: SubmittedForm = { fields: new URLSearchParams(), files: new Map() };

/**
 * Reads a submitted form. Its bytes and fields are counted before anything is made of them. A file that is too large does
 * not hide the fields before it, so that a page can show them again with what is wrong.
 * @throws FormError for another type of body, a malformed one, and one that is too large otherwise
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

/** @param max bytes of the form: with more, `body` is its beginning */
async function readParts(
  body: Uint8Array<ArrayBuffer>,
  header: string,
  max: number,
  maxFields: number,
): Promise<SubmittedForm> {
  const [, boundary = ""] = /boundary="?([^";]+)/i.exec(header) ?? [];
  // As many as there are parts, if nothing comes before the first.
  if (occurrences(body, `\n--${boundary}`) > maxFields) throw tooManyFields(maxFields);
  const isCut = body.length > max;
  const whole = isCut ? concat([body, new TextEncoder().encode(`\r\n--${boundary}--\r\n`)]) : body;
  // The runtime is told the boundary that was counted.
  const type = `multipart/form-data; boundary="${boundary}"`;
  const parts = await new Response(whole, { headers: { "content-type": type } }).formData().catch(() => {
    throw isCut ? formTooLarge(max) : new FormError(400, "The form isn't complete.");
  });
  const entries = [...parts];
  // Only a file may be the part that was cut.
  if (isCut && typeof entries.at(-1)?.[1] === "string") throw formTooLarge(max);
  const fields = new URLSearchParams();
  const files = new Map<string, UploadedFile>();
  for (const [i, [name, value]] of entries.entries()) {
    if (typeof value === "string") fields.append(name, value);
    // Browsers send an empty file where none was chosen.
    else if (value.size > 0) {
      const isLast = i === entries.length - 1;
      const bytes = new Uint8Array(await value.arrayBuffer());
      files.set(name, { name: value.name, bytes, isCut: isCut && isLast });
    }
  }
  return { fields, files };
}

/** How often bytes contain a text whose first character is not in the rest of it, so that each byte is read twice at most. */
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
