import { limits } from "../contract/limits.ts";
import type { Deps } from "../composition.ts";
import { isTaken } from "../store/catalogue.ts";
import { findAnswer, forgetAnswers, type NewAnswer } from "../store/idempotency.ts";
import { invalid } from "./errors.ts";

/** A request that must not run twice: the client's key, and SHA-256 over endpoint and body. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * Runs a creation that keeps its answer under the request's key, unless an answer is kept already: then that is
 * the answer, also when the same request, at the same time, was first.
 * @throws invalid_input when the key came with another request before
 */
export async function answerOnce<T>(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
  create: () => Promise<T>,
): Promise<T> {
  const first = await firstAnswer(deps, workspaceId, idempotency);
  if (first !== undefined) return first as T;
  try {
    return await create();
  } catch (error) {
    const winner = isTaken(error, "idempotent_answers.key")
      ? await firstAnswer(deps, workspaceId, idempotency)
      : undefined;
    if (winner === undefined) throw error;
    return winner as T;
  }
}

async function firstAnswer(
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
