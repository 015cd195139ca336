import { limits } from "../contract/limits.ts";
import type { Deps } from "../deps.ts";
import { findAnswer, forgetAnswers, type NewAnswer } from "../store/idempotency.ts";
import { invalid } from "./errors.ts";

/** A request that must not run twice: the client's key, and SHA-256 over endpoint and body. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * The first answer given under this key, if there is one.
 * @throws invalid_input when the key came with another request before
 */
export async function firstAnswer(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
): Promise<unknown> {
  if (idempotency === undefined) return undefined;
  const since = deps.now() - limits.idempotency.milliseconds;
  const kept = await findAnswer(deps.db, workspaceId, idempotency.key, since);
  if (kept === undefined) return undefined;
  if (kept.fingerprint !== idempotency.fingerprint) {
    throw invalid("Idempotency-Key", "was used with another request before");
  }
  return kept.answer;
}

/** What to keep of an answer, if the request must not run twice. @param now epoch milliseconds */
export function keptAnswer(
  now: number,
  idempotency: Idempotency | undefined,
  answer: unknown,
): NewAnswer | undefined {
  return idempotency && { ...idempotency, answer, at: now, since: now - limits.idempotency.milliseconds };
}

/** Drops answers that are older than the promise to repeat them. */
export async function forgetOldAnswers(deps: Deps): Promise<void> {
  await forgetAnswers(deps.db, deps.now() - limits.idempotency.milliseconds);
}
