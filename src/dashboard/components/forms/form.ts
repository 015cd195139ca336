import { asSentence } from "../../../contract/issues.ts";

/** The text of each field of a form, and the problems of fields. */
export interface FormState {
  readonly values: URLSearchParams;
  /** By field: words that follow its label, or a sentence. */
  readonly problems: Readonly<Record<string, string>>;
  /** The id of the control that gets the focus. */
  readonly focus?: string | undefined;
}

/** A field's problem, also if it is a problem of one of its parts, as in `data.phones.1`. */
export function problemOf({ problems }: FormState, name: string): string | undefined {
  const key = Object.keys(problems).find((field) => field === name || field.startsWith(`${name}.`));
  return key === undefined ? undefined : problems[key];
}

/** A problem as a sentence that names its field. */
export function formSentence(label: string, problem: string): string {
  if (/^[A-Z]/.test(problem)) return problem;
  return /^(is required|can't be empty)$/.test(problem)
    ? `Enter ${withArticle(label)}.`
    : asSentence(label, problem);
}

/** The same beside the field, which says what is meant. */
export function fieldSentence(label: string, problem: string): string {
  const [, bound] = /^can have (at most \d+ characters)$/.exec(problem) ?? [];
  if (bound !== undefined) return `Use ${bound}.`;
  return formSentence(problem.startsWith("isn't ") ? "That" : label, problem);
}

/** A label as the object of a verb: `a name`, `an address`, `phone numbers`. */
function withArticle(label: string): string {
  const name = /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;
  if (/[^s]s$/.test(name)) return name;
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}
