import type * as z from "zod";
import { problemsByPath } from "../../contract/issues.ts";
import { ServiceError } from "../../domain/errors.ts";

/** What is wrong with a form that was submitted. */
export interface Rejection {
  /** By field; under the empty name, what no field is to blame for, such as the plan. */
  readonly problems: Readonly<Record<string, string>>;
  readonly status: 400 | 402 | 403 | 409;
}

/** What a form's input becomes: the result of a verb, or why there is none. */
export type Outcome<T> = { readonly done: T } | { readonly rejection: Rejection };

/** Checks a form's input and passes it to a verb of the domain. @throws what is no fault of the input or the plan */
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

/** Why a verb refused a form's input. @throws the error itself if it is no fault of the input or the plan */
export function rejectionOf(error: unknown): Rejection {
  if (!(error instanceof ServiceError)) throw error;
  const { invalid, message, status } = error;
  if (!isRejection(status)) throw error;
  return { problems: invalid === undefined ? { "": message } : { [invalid.field]: invalid.problem }, status };
}

const isRejection = (status: number): status is Rejection["status"] => [400, 402, 403].includes(status);
