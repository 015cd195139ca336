import type { Deps } from "../deps.ts";
import { rateLimited } from "../errors.ts";
import type { Caller, Member, WorkspaceContext } from "../context/context.ts";

type Person = WorkspaceContext & Partial<Caller & Member>;

/**
 * Counts a measurement, or a new logo, which are limited separately.
 * @throws rate_limited if the person or key has had too many
 */
export async function requireMeasuringAllowed(
  deps: Deps,
  { userId, keyId, workspaceId }: Person,
  what: "measurement" | "logo",
): Promise<void> {
  const who = userId ?? keyId ?? workspaceId;
  const { success } = await deps.measurementLimit.limit({ key: what === "logo" ? `logo/${who}` : who });
  if (!success) throw rateLimited(60);
}
