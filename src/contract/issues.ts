import * as z from "zod";

/** Problems that one error names at most. */
const maxProblems = 3;

/**
 * The problems of some input, each with its field: the text of a 400.
 * @param misspelled problems of fields that are not of the interface
 * @param whole the name of the input itself
 */
export function describeIssues(
  issues: readonly Issue[],
  misspelled: readonly string[] = [],
  whole = "body",
): string {
  const named = issues.map(({ path, message }) => `${path.map(String).join(".") || whole}: ${message}`);
  const problems = [...misspelled, ...named];
  const rest = problems.length - maxProblems;
  return [...problems.slice(0, maxProblems), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

/** The same for a query, in which a parameter that is given more than once is a list. */
export function describeQueryIssues(
  issues: readonly Issue[],
  query: Readonly<Record<string, unknown>>,
  misspelled: readonly string[] = [],
): string {
  const isRepeated = ({ path: [name] }: Issue) => Array.isArray(query[String(name)]);
  return describeIssues(
    issues.map((issue) => (isRepeated(issue) ? { ...issue, message: "must be given only once" } : issue)),
    misspelled,
  );
}

/** The problems of an input with nested fields, by path such as `data.url`: of several problems of a field, the first. */
export function problemsByPath(issues: readonly Issue[]): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of issues) problems[path.map(String).join(".")] ??= message;
  return problems;
}

/** The first problem of a single value. */
export const firstProblem = ([issue]: readonly Issue[]): string => issue?.message ?? "is not valid";

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

/** The problem of an issue whose schema has no words of its own, to follow the field's name. */
function issueProblem(issue: z.core.$ZodRawIssue): string {
  const isMissing = issue.input === undefined;
  switch (issue.code) {
    case "invalid_type":
      return isMissing ? "is required" : `must be ${types[issue.expected] ?? "of another type"}`;
    case "invalid_value":
      return isMissing ? "is required" : `must be ${alternatives(issue.values.map(String).filter(Boolean))}`;
    case "too_big":
      return `must ${sizing[issue.origin]?.(`at most ${issue.maximum}`) ?? `be at most ${issue.maximum}`}`;
    case "too_small":
      return `must ${sizing[issue.origin]?.(`at least ${issue.minimum}`) ?? `be at least ${issue.minimum}`}`;
    case "invalid_format":
      return `must be ${formats[issue.format] ?? "in another format"}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `must not have ${alternatives(issue.keys)}`;
    // Of several alternatives, the last is the general one. Options are the types of a union by type.
    case "invalid_union":
      if ("options" in issue && Array.isArray(issue.options)) {
        return `must be ${alternatives(issue.options.map(String))}`;
      }
      return issue.errors.at(-1)?.[0]?.message ?? "is not valid";
    case "invalid_key":
      return "has an invalid property name";
    default:
      return "is not valid";
  }
}

const sizing: Readonly<Record<string, (bound: string) => string>> = {
  string: (bound) => `be ${bound} characters`,
  array: (bound) => `have ${bound} entries`,
};

/** @param names as in `a, b or c` */
function alternatives(names: readonly string[]): string {
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

// For all schemas, so that no error has zod's own words. Workers forbid the code generation that zod would try.
z.config({ customError: issueProblem, jitless: true });
