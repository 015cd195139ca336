import { UsageError } from "./exit-codes.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads objects: a line of JSON each, or a list of them, as `--ndjson` and `--json` print them.
 * @returns undefined for what isn't JSON, such as CSV
 * @throws UsageError for JSON that can't be read, with its line
 */
export function jsonRows(bytes: Uint8Array): JsonObject[] | undefined {
  const text = new TextDecoder().decode(bytes).trim();
  if (!/^[[{]/.test(text)) return undefined;
  const whole = parsed(text);
  if (whole !== undefined) return [whole].flat().map((each, index) => checked(each, `Entry ${index + 1}`));
  return text
    .split("\n")
    .map((line, index) => [line.trim(), `Line ${index + 1}`] as const)
    .filter(([line]) => line !== "")
    .map(([line, where]) => checked(parsed(line), where));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked(value: unknown, where: string): JsonObject {
  if (isObject(value)) return value;
  throw new UsageError(`${where} isn't a JSON object.`);
}

/** Reads what names things: from JSON by their fields, or else as a text in each line. */
function namesIn(bytes: Uint8Array, nameOf: (row: JsonObject) => unknown, what: string): string[] {
  const rows = jsonRows(bytes);
  const names =
    rows?.map((row, index) => {
      const name = nameOf(row);
      if (typeof name === "string" && name !== "") return name;
      throw new UsageError(`Row ${index + 1} names no ${what}.`);
    }) ?? new TextDecoder().decode(bytes).split("\n");
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
}

/**
 * Reads the names of codes, each once: from codes, their scans and changes as commands print them, or from lines with an
 * id, short link, short name, or `ext:` and an own id. @throws UsageError for a row that names none
 */
export const codesIn = (bytes: Uint8Array): string[] => namesIn(bytes, codeOf, "code");

function codeOf({ qrId, object, id, scanUrl, hash, externalId }: JsonObject): unknown {
  // A change has an id of its own, and so has a scan.
  if (isObject(object)) return object.kind === "code" ? object.id : undefined;
  return qrId ?? id ?? scanUrl ?? hash ?? (typeof externalId === "string" ? `ext:${externalId}` : undefined);
}

/** Reads the ids of changes and bulk jobs, each once. @throws UsageError for a row that has none */
export const changesIn = (bytes: Uint8Array): string[] =>
  namesIn(bytes, ({ jobId, id }) => id ?? jobId, "change or job");
