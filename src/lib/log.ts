import { withoutSecrets } from "./text/redact.ts";

/**
 * Writes one JSON line, which Workers Logs indexes by field. `message` is a fixed phrase to search for; variable parts
 * go into `fields`. Fields contain ids, hosts and counts, never clients' addresses or anything people entered. Even so,
 * credentials and email addresses are removed. A logging package would add nothing here.
 */
export function log(
  level: "info" | "warn" | "error",
  message: string,
  fields: Record<string, unknown> = {},
): void {
  const line = JSON.stringify({ level, message, ...fields }, (_, value: unknown) =>
    typeof value === "string" ? withoutSecrets(value) : value,
  );
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** The longest chain of causes and the longest message, in characters, that are described. */
const maxErrors = 6;
const maxMessage = 4000;

/**
 * Describes a thrown value for the log: an error and its causes, each with its stack and without quoted values. Never
 * sent to a client.
 */
export function describeError(error: unknown): string {
  const described: string[] = [];
  let next = error;
  while (next !== undefined && described.length < maxErrors) {
    described.push(describeOne(next));
    next = next instanceof Error ? next.cause : undefined;
  }
  return described.join("\nCaused by: ");
}

function describeOne(error: unknown): string {
  if (typeof error === "string") return withoutValues(error);
  // An object that isn't an error may be a response or its parameters, which can contain tokens.
  if (!(error instanceof Error)) return `a thrown ${Object.prototype.toString.call(error)}`;
  const { name, message, stack = "" } = error;
  const start = stack.indexOf(message);
  const frames = (start === -1 ? stack : stack.slice(start + message.length))
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return [`${name}: ${withoutValues(message)}`, ...frames].join("\n");
}

/**
 * Removes values from an error's message: Drizzle lists a query's bound parameters, D1 quotes a value of a wrong type,
 * and JSON.parse the text around a mistake.
 */
function withoutValues(message: string): string {
  const params = message.startsWith("Failed query: ") ? message.indexOf("\nparams: ") : -1;
  return (params === -1 ? message : message.slice(0, params))
    .slice(0, maxMessage)
    .replace(/ for value '[\s\S]*/, " for a value")
    .replace(/(?:\.\.\.)?"[\s\S]*" ?(?:\.\.\.)? ?is not valid JSON/, "the text is not valid JSON");
}
