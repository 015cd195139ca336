import type { Idempotency } from "../../domain/idempotency.ts";
import { userMeterName } from "../../domain/identity/sessions.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import type { DashboardRequest } from "./request.ts";

/**
 * The key under which a form that is submitted twice acts once. Other entries are another form. Undefined for a form
 * without a field `key`.
 * @param ignored fields that make no difference
 */
export async function onceFor(
  { context, form }: DashboardRequest,
  ignored: readonly string[] = [],
): Promise<Idempotency | undefined> {
  if (!form.has("key")) return undefined;
  const entries = [...form].filter(([name]) => !ignored.includes(name));
  const fingerprint = await sha256Hex(JSON.stringify(entries));
  return { keyId: userMeterName(context), key: `form ${fingerprint}`, fingerprint };
}
