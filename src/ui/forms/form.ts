import { asSentence, withFullStop } from "../../contract/sentences.ts";

/** The values of a form's fields, and their problems. */
export interface FormState {
  readonly values: URLSearchParams;
  /** By field: words that follow its label, or a sentence. */
  readonly problems: Readonly<Record<string, string>>;
  /** The id of the control to focus. */
  readonly focus?: string | undefined;
}

/** A form without entries. */
export const emptyForm: FormState = { values: new URLSearchParams(), problems: {} };

/** Returns a field's problem, including problems of its parts such as `data.phones.1`. */
export function problemOf({ problems }: FormState, name: string): string | undefined {
  const key = Object.keys(problems).find((field) => field === name || field.startsWith(`${name}.`));
  return key === undefined ? undefined : problems[key];
}

/** The fields of the API that the dashboard spells otherwise. */
const spelling: ReadonlyMap<string, string> = new Map([["organization", "organisation"]]);

/** Words a problem as a sentence that names its field. */
export function formSentence(label: string, problem: string): string {
  if (/^[A-Z]/.test(problem)) return problem;
  const [, other] = /^or (\w+) is required$/.exec(problem) ?? [];
  if (other !== undefined)
    return `Enter ${withArticle(label)} or ${withArticle(spelling.get(other) ?? other)}.`;
  return /^(is required|can't be empty)$/.test(problem)
    ? `Enter ${withArticle(label)}.`
    : asSentence(label, problem);
}

/** Words a problem for display beside its field, which makes the subject clear. */
export function fieldSentence(label: string, problem: string): string {
  const [, bound] = /^can have (at most \d+ characters)$/.exec(problem) ?? [];
  if (bound !== undefined) return `Use ${bound}.`;
  const [, example] = /^must be (an? .+ such as .+)$/.exec(problem) ?? [];
  if (example !== undefined) return withFullStop(`Enter ${example}`);
  return formSentence(problem.startsWith("isn't ") ? "That" : label, problem);
}

/** Turns a label into the object of a verb: `a name`, `an address`, `phone numbers`. */
function withArticle(label: string): string {
  const name = /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;
  if (/[^s]s($| for )/.test(name)) return name;
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}
