import { limits } from "../contract/limits.ts";
import { isTaken } from "../store/catalogue.ts";
import { findRecord, type NewRecord, pruneRecords } from "../store/idempotency.ts";
import type { Deps } from "./deps.ts";
import { invalid } from "./errors.ts";

/** A request that must not run twice: the client's key, and SHA-256 over endpoint and body. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * Runs a creation that stores its response under the request's key. If the key has a response already, that one is
 * returned instead, also when the same request ran at the same time and was first.
 * @throws invalid_input when the key was used with another request
 */
export async function runOnce<T>(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
  create: () => Promise<T>,
): Promise<T> {
  const first = await firstResponse(deps, workspaceId, idempotency);
  if (first !== undefined) return first as T;
  try {
    return await create();
  } catch (error) {
    const winner = isTaken(error, "idempotency_records.key")
      ? await firstResponse(deps, workspaceId, idempotency)
      : undefined;
    if (winner === undefined) throw error;
    return winner as T;
  }
}

async function firstResponse(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
): Promise<unknown> {
  if (idempotency === undefined) return undefined;
  const since = deps.now() - limits.idempotency.milliseconds;
  const record = await findRecord(deps.db, workspaceId, idempotency.key, since);
  if (record === undefined) return undefined;
  if (record.fingerprint !== idempotency.fingerprint) {
    throw invalid("Idempotency-Key", "was used with another request before");
  }
  return record.response;
}

/** The record to store of a response, if the request has an Idempotency-Key. @param now epoch milliseconds */
export function idempotencyRecord(
  now: number,
  idempotency: Idempotency | undefined,
  response: unknown,
): NewRecord | undefined {
  return idempotency && { ...idempotency, response, at: now, since: now - limits.idempotency.milliseconds };
}

/** Removes records that are no longer promised. */
export async function pruneIdempotencyRecords(deps: Deps): Promise<void> {
  await pruneRecords(deps.db, deps.now() - limits.idempotency.milliseconds);
}
