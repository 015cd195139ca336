import { JsonError } from "./json.ts";

/** How many names and values a JSON text has, or may have. */
export interface JsonCounts {
  /** Fields of all its objects. */
  readonly fields: number;
  /** Entries of all its lists. */
  readonly entries: number;
}

export interface JsonBounds extends JsonCounts {
  /** Objects whose fields the client chooses: their names, and how many fields and entries all of them may have. */
  readonly free: { readonly names: readonly string[]; readonly values: number };
}

const [openBrace, closeBrace, openBracket, closeBracket, colon, comma, quote, backslash] = Array.from(
  '{}[]:,"\\',
  (char) => char.charCodeAt(0),
);

/**
 * Rejects a JSON text with too many fields or entries before it is parsed, so that one doesn't cost more than the others.
 * Stops at the first one too many. Whether the text is JSON at all is left to the parser.
 * @returns how many it has outside of free-form objects
 * @throws JsonError whose status is 413
 */
export function requireFewValues(text: string, bounds: JsonBounds): JsonCounts {
  let fields = 0;
  /** Fields and entries: each follows a comma, or is the first one in its object or list. */
  let values = 0;
  let freeValues = 0;
  let depth = 0;
  /** The depth outside the free-form object; 0 outside of all. */
  let freeFrom = 0;
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
        if (freeFrom > 0) freeValues += 1;
        else values += 1;
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        if (depth <= freeFrom) freeFrom = 0;
        break;
      case colon:
        if (freeFrom > 0) freeValues += 1;
        else {
          fields += 1;
          if (isFree(text, nameStart, nameEnd, bounds)) freeFrom = depth;
        }
        break;
      case comma:
        if (freeFrom > 0 && depth > freeFrom) freeValues += 1;
        else {
          freeFrom = 0;
          values += 1;
        }
        break;
    }
    if (fields > bounds.fields) throw tooManyFields(bounds);
    if (values > bounds.fields + bounds.entries) throw tooManyEntries(bounds);
    if (freeValues > bounds.free.values) {
      throw tooMany(bounds.free.values, `values in ${bounds.free.names.join(" and ")}`);
    }
  }
  return { fields, entries: Math.max(0, values - fields) };
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

const isFree = (text: string, start: number, end: number, { free }: JsonBounds): boolean =>
  free.names.some((name) => end - start === name.length && text.startsWith(name, start));

/** Returns the sum of two counts, where it is within the bounds. @throws JsonError whose status is 413 */
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
