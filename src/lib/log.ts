import { withoutSecrets } from "./text/redact.ts";

/**
 * Writes one JSON line, which Workers Logs indexes by field. `message` is a fixed phrase to search for; variable parts
 * go into `fields`. Fields hold ids, hosts and counts, never addresses of clients or what people entered. Credentials
 * and email addresses are removed even so. This is all a logging package would do here.
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

/** Longest chain of causes, and longest message in characters, that are described. */
const maxErrors = 6;
const maxMessage = 4000;

/**
 * A thrown value as text for the log: an error and its causes, each with its stack and without the values that it quotes.
 * Never sent to a client.
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
  // An object that is no error may be a response or its parameters, with tokens in them.
  if (!(error instanceof Error)) return `a thrown ${Object.prototype.toString.call(error)}`;
  const { name, message, stack = "" } = error;
  const start = stack.indexOf(message);
  const frames = (start === -1 ? stack : stack.slice(start + message.length))
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return [`${name}: ${withoutValues(message)}`, ...frames].join("\n");
}

/**
 * An error's message without values: Drizzle lists a query's bound parameters, D1 quotes a value of a wrong type, and
 * JSON.parse the text around a mistake.
 */
function withoutValues(message: string): string {
  const params = message.startsWith("Failed query: ") ? message.indexOf("\nparams: ") : -1;
  return (params === -1 ? message : message.slice(0, params))
    .slice(0, maxMessage)
    .replace(/ for value '[\s\S]*/, " for a value")
    .replace(/(?:\.\.\.)?"[\s\S]*" ?(?:\.\.\.)? ?is not valid JSON/, "the text is not valid JSON");
}
