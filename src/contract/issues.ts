import type * as z from "zod";

/** Problems that one error names at most. */
const maxProblems = 3;

/** What is wrong with some input, each problem with its field: the text of a 400. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.slice(0, maxProblems).map(({ path, message }) => {
    const field = path.map(String).join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
  if (issues.length > maxProblems) problems.push(`and ${issues.length - maxProblems} more`);
  return problems.join("; ");
}
