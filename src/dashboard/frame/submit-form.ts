import type * as z from "zod";
import { problemsByPath } from "../../contract/issues.ts";
import { asServiceError } from "../../domain/errors.ts";
import { SignInAgain } from "../../domain/identity/recent-sign-in.ts";

/** The problems of a submitted form. */
export interface Rejection {
  /** By field; under the empty name, problems that belong to no field, such as the plan's limits. */
  readonly problems: Readonly<Record<string, string>>;
  readonly status: 400 | 402 | 403 | 409 | 412 | 429 | 503;
}

/** A form's result: that of its action, or its problems. */
export type Outcome<T> = { readonly done: T } | { readonly rejection: Rejection };

/**
 * Validates a form's input and passes it to a function of the domain. @throws errors that aren't problems of the form
 */
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
 * Explains why a form's input was refused: an invalid input, the plan, or a part of the service that is unavailable.
 * @throws any other error, such as for a person who has to sign in again
 */
export function rejectionOf(error: unknown): Rejection {
  const known = asServiceError(error);
  if (known === undefined) throw error;
  const { invalid, message, status } = known;
  if (!isRejection(status) || known instanceof SignInAgain) throw error;
  return { problems: invalid === undefined ? { "": message } : { [invalid.field]: invalid.problem }, status };
}

const isRejection = (status: number): status is Rejection["status"] =>
  [400, 402, 403, 409, 412, 503].includes(status);
