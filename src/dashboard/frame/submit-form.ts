import type * as z from "zod";
import { problemsByPath } from "../../contract/issues.ts";
import { asServiceError } from "../../domain/errors.ts";

/** The problems of a form that was submitted. */
export interface Rejection {
  /** By field; under the empty name, what no field is to blame for, such as the plan. */
  readonly problems: Readonly<Record<string, string>>;
  readonly status: 400 | 402 | 403 | 409 | 503;
}

/** The result of a form: that of its verb, or why there is none. */
export type Outcome<T> = { readonly done: T } | { readonly rejection: Rejection };

/** Checks a form's input and passes it to a verb of the domain. @throws what shows no problem in the form */
export async function submitForm<S extends z.ZodType, T>(
  schema: S,
  input: unknown,
  verb: (checked: z.output<S>) => Promise<T>,
): Promise<Outcome<T>> {
  const checked = schema.safeParse(input);
  if (!checked.success) {
    return { rejection: { problems: problemsByPath(checked.error.issues), status: 400 } };
  }
  try {
    return { done: await verb(checked.data) };
  } catch (error) {
    return { rejection: rejectionOf(error) };
  }
}

/**
 * Why a verb refused a form's input: its own fault, the plan's, or a part of the service that may take it later.
 * @throws the error itself if it is another one
 */
export function rejectionOf(error: unknown): Rejection {
  const known = asServiceError(error);
  if (known === undefined) throw error;
  const { invalid, message, status } = known;
  if (!isRejection(status)) throw error;
  return { problems: invalid === undefined ? { "": message } : { [invalid.field]: invalid.problem }, status };
}

const isRejection = (status: number): status is Rejection["status"] =>
  [400, 402, 403, 409, 503].includes(status);
