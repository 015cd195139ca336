import * as z from "zod";
import { asSentence } from "./sentences.ts";

/** The most problems that one error names. */
const maxProblems = 3;

/**
 * Describes the problems of an input, each with its field, as the text of a 400.
 * @param misspelled problems of unknown fields
 * @param whole the name of the input itself
 */
export function describeIssues(
  issues: readonly Issue[],
  misspelled: readonly string[] = [],
  whole = "body",
): string {
  const named = issues
    .slice(0, maxProblems)
    .map(({ path, message }) =>
      asSentence(path.map((step) => shortened(String(step))).join(".") || whole, message),
    );
  const rest = misspelled.length + issues.length - maxProblems;
  const others = rest > 0 ? [`${rest} more ${rest === 1 ? "problem" : "problems"}.`] : [];
  return [...[...misspelled, ...named].slice(0, maxProblems), ...others].join(" ");
}

/** How many characters of a client's own name for a field an error quotes. */
const quoted = 40;

/** Returns the name of a field or parameter that a client has chosen, as an error quotes it. */
export const shortened = (name: string): string =>
  name.length <= quoted
    ? name
    : `${Array.from(name.slice(0, 2 * quoted))
        .slice(0, quoted)
        .join("")}…`;

/** Describes the problems of a query, in which a repeated parameter is a list. */
export function describeQueryIssues(
  issues: readonly Issue[],
  query: Readonly<Record<string, unknown>>,
  misspelled: readonly string[] = [],
): string {
  const isRepeated = ({ path: [name] }: Issue) => Array.isArray(query[String(name)]);
  return describeIssues(
    issues.map((issue) => (isRepeated(issue) ? { ...issue, message: "can be given only once" } : issue)),
    misspelled,
  );
}

/**
 * Returns the problems of an input with nested fields, by path such as `data.url`. Only the first problem of each
 * field.
 */
export function problemsByPath(issues: readonly Issue[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) problems[path.map(String).join(".")] ??= message;
  return problems;
}

/** Returns the first problem of a single value. */
export const firstProblem = ([issue]: readonly Issue[]): string => issue?.message ?? notValid;

const notValid = "isn't valid";

type Issue = Pick<z.core.$ZodIssue, "path" | "message">;

const types: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

const formats: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  email: "an email address",
  url: "a URL",
  date: "a date such as 2026-01-31",
  datetime: "a time such as 2026-01-31T09:30:00Z",
};

/** Words the problem of an issue whose schema has no message, to follow the field's name. */
function issueProblem(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? "is required" : `must be ${types[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return isMissing ? "is required" : `must be ${alternatives(issue.values.map(String).filter(Boolean))}`;
    case "too_big":
      return issue.origin in units
        ? `can have at most ${counted(issue.maximum, issue)}`
        : `must be at most ${issue.maximum}`;
    case "too_small":
      return issue.origin in units
        ? `must have at least ${counted(issue.minimum, issue)}`
        : `must be at least ${issue.minimum}`;
    case "invalid_format":
      return `must be ${formats[issue.format] ?? "in another format"}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has no field ${alternatives(issue.keys.slice(0, maxProblems).map((key) => `\`${shortened(key)}\``))}`;
    // The last alternative is the general one. `options` are the types of a discriminated union.
    case "invalid_union":
      if ("options" in issue && Array.isArray(issue.options)) {
        return `must be ${alternatives(issue.options.map(String))}`;
      }
      return issue.errors.at(-1)?.[0]?.message ?? notValid;
    case "invalid_key":
      return "has an invalid property name";
    default:
      return notValid;
  }
}

/** The unit of a value's size, by its type: singular and plural. */
const units: Readonly<Record<string, readonly [string, string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
};

function counted(count: number | bigint, { origin }: { readonly origin: string }): string {
  const [one = "", several = ""] = units[origin] ?? [];
  return `${count} ${Number(count) === 1 ? one : several}`;
}

/** @param names to list, as in `a, b or c` */
function alternatives(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

// Applies to all schemas, so that no error has zod's own words. `jitless`, because Workers forbid the code generation
// that zod would try.
z.config({ customError: issueProblem, jitless: true });
