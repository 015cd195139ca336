import { limits } from "../../contract/limits.ts";
import { ServiceError } from "../../domain/errors.ts";
import { FormError, readForm, type SubmittedForm } from "../../lib/web/form.ts";

/** Limits of a form that needs more than usual. */
export interface LargeForm {
  readonly bytes?: number;
  readonly fields?: number;
}

/** More than the platform accepts. */
const discardedBytes = 128 * 1024 * 1024;

/** Reads a submitted form of the dashboard. @throws invalid_input if it is malformed or too large */
export async function readSubmitted(request: Request, large: LargeForm = {}): Promise<SubmittedForm> {
  const { bytes, bytesWithFiles, fields } = limits.form;
  try {
    return await readForm(request, {
      bytes: {
        "application/x-www-form-urlencoded": large.bytes ?? bytes,
        "multipart/form-data": large.bytes ?? bytesWithFiles,
      },
      fields: large.fields ?? fields,
      discardedBytes,
    });
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
    throw new ServiceError("invalid_input", error.message, { status: error.status });
  }
}
