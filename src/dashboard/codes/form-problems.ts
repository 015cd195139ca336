import type * as z from "zod";
import { problemsByPath } from "../../contract/issues.ts";
import { ServiceError } from "../../domain/errors.ts";

/** What a form's input becomes: the result of a verb, or problems by field. */
export type Outcome<T> = { readonly done: T } | { readonly problems: Readonly<Record<string, string>> };

/**
 * Checks a form's input and passes it to a verb of the domain.
 * @throws what no field of the form is to blame for
 */
export async function submitForm<S extends z.ZodType, T>(
  schema: S,
  input: unknown,
  verb: (checked: z.output<S>) => Promise<T>,
): Promise<Outcome<T>> {
  const checked = schema.safeParse(input);
  if (!checked.success) return { problems: problemsByPath(checked.error.issues) };
  try {
    return { done: await verb(checked.data) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.invalid === undefined) throw error;
    const { field, problem } = error.invalid;
    return { problems: { [field]: problem } };
  }
}
