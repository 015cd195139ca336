import { JsonError } from "./json.ts";

/** How many names and values a JSON text has, or may have. */
export interface JsonCounts {
  /** Fields of all its objects. */
  readonly fields: number;
  /** Entries of all its lists. */
  readonly entries: number;
}

export interface JsonBounds extends JsonCounts {
  /** Values that are counted apart, such as objects whose fields the client chooses. */
  readonly parts: readonly JsonPart[];
}

/** Values by the names of their fields, and the most fields and entries in all of them. */
interface JsonPart {
  readonly names: readonly string[];
  readonly values: number;
}

const [openBrace, closeBrace, openBracket, closeBracket, colon, comma, quote, backslash] = Array.from(
  '{}[]:,"\\',
  (char) => char.charCodeAt(0),
);

/**
 * Rejects a JSON text with too many fields or entries before it is parsed, so that all cost about the same. Stops at the first
 * one too many. Whether the text is JSON at all is left to the parser.
 * @returns how many it has outside of the parts
 * @throws JsonError whose status is 413
 */
export function requireFewValues(text: string, bounds: JsonBounds): JsonCounts {
  let fields = 0;
  /** Fields and entries: each follows a comma, or is the first one in its object or list. Those of parts, too. */
  let values = 0;
  let depth = 0;
  const counts = new Map<JsonPart, number>();
  /** The part that is being read, and the depth outside of it. */
  let part: JsonPart | undefined;
  let partFrom = 0;
  let nameStart = 0;
  let nameEnd = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        nameStart = at + 1;
        nameEnd = endOfString(text, nameStart);
        at = nameEnd;
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        if (part !== undefined) countIn(counts, part);
        else values += 1;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        if (depth <= partFrom) part = undefined;
        break;
      case colon:
        if (part === undefined) {
          fields += 1;
          part = partNamed(text, nameStart, nameEnd, bounds);
          partFrom = depth;
        }
        break;
      case comma:
        if (part !== undefined && depth > partFrom) countIn(counts, part);
        else {
          part = undefined;
          values += 1;
        }
        break;
    }
    if (fields > bounds.fields) throw tooManyFields(bounds);
    if (values > bounds.fields + bounds.entries) throw tooManyEntries(bounds);
  }
  return { fields, entries: Math.max(0, values - fields) };
}

/** @throws JsonError beyond the part's bound */
function countIn(counts: Map<JsonPart, number>, part: JsonPart): void {
  const count = (counts.get(part) ?? 0) + 1;
  if (count > part.values) throw tooMany(part.values, `values in ${part.names.join(" and ")}`);
  counts.set(part, count);
}

/** Returns where a string ends, or the text does. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at += 1) {
    const end = text.indexOf('"', at);
    if (end === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash && end - 1 - slashes >= start) slashes += 1;
    if (slashes % 2 === 0) return end;
    at = end;
  }
}

const partNamed = (text: string, start: number, end: number, { parts }: JsonBounds): JsonPart | undefined =>
  parts.find(({ names }) =>
    names.some((name) => end - start === name.length && text.startsWith(name, start)),
  );

/** Adds two counts. @throws JsonError whose status is 413, beyond the bounds */
export function sumOfCounts(a: JsonCounts, b: JsonCounts, bounds: JsonCounts): JsonCounts {
  const sum = { fields: a.fields + b.fields, entries: a.entries + b.entries };
  if (sum.fields > bounds.fields) throw tooManyFields(bounds);
  if (sum.entries > bounds.entries) throw tooManyEntries(bounds);
  return sum;
}

/** The error for too many fields. */
export const tooManyFields = ({ fields }: JsonCounts) => tooMany(fields, "fields");

const tooManyEntries = ({ entries }: JsonCounts) => tooMany(entries, "entries of lists");

const tooMany = (most: number, what: string) =>
  new JsonError(`The body can have at most ${most} ${what}.`, 413);
