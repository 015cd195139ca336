import { userMeterName } from "../../domain/context/context.ts";
import type { Idempotency } from "../../domain/idempotency.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import type { DashboardRequest } from "./request.ts";

/**
 * Returns the key that makes a form submitted twice act only once. With other entries, it counts as another form.
 * Undefined for a form without a field `key`.
 * @param ignored fields that don't matter
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
