/** The text of each field of a form, and the problems of fields. */
export interface FormState {
  readonly values: URLSearchParams;
  /** By field: words that follow its label. */
  readonly problems: Readonly<Record<string, string>>;
  /** The id of the control that gets the focus. */
  readonly focus?: string | undefined;
}

/** A field's problem, also if it is a problem of one of its parts, as in `data.phones.1`. */
export function problemOf({ problems }: FormState, name: string): string | undefined {
  const key = Object.keys(problems).find((field) => field === name || field.startsWith(`${name}.`));
  return key === undefined ? undefined : problems[key];
}
