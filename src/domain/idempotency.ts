import { limits } from "../contract/limits.ts";
import { sha256Hex } from "../lib/crypto/digest.ts";
import { isUniqueViolation } from "../store/database-errors.ts";
import { findRecord, type NewRecord, storeRecord } from "../store/idempotency.ts";
import { type Member, userMeterName } from "./context/context.ts";
import type { Deps } from "./deps.ts";
import { invalid, rateLimited } from "./errors.ts";

/** A request's Idempotency-Key. */
export interface Idempotency {
  /**
   * The API key that sent the request, or `user:` and a user's id. Records belong to it, so that visitors of a web
   * page, who share a publishable key, can't occupy the keys that other clients of the workspace use.
   */
  readonly keyId: string;
  readonly key: string;
  /** SHA-256 of the request's endpoint and body, hex. */
  readonly fingerprint: string;
  /** Called if a stored response is returned. */
  readonly onReplay?: () => void;
}

/**
 * Runs a creation that stores its response under the request's key. If a response is already stored, even by a
 * concurrent request, that one is returned instead. A chosen hash that is suddenly taken may be due to such a request.
 * @throws invalid_input if the key was used with another request
 */
export async function runOnce<T>(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
  create: () => Promise<T>,
): Promise<T> {
  const first = await findFirstResponse(deps, workspaceId, idempotency);
  if (first !== undefined) return first as T;
  try {
    return await create();
  } catch (error) {
    const mayHaveLost = ["idempotency_records.key", "qr_codes.hash"].some((column) =>
      isUniqueViolation(error, column),
    );
    const winner = mayHaveLost ? await findFirstResponse(deps, workspaceId, idempotency) : undefined;
    if (winner === undefined) throw error;
    return winner as T;
  }
}

/** Returns the response that is stored under the request's key, if any. @throws invalid_input as runOnce */
export async function findFirstResponse(
  deps: Deps,
  workspaceId: string,
  idempotency: Idempotency | undefined,
): Promise<unknown> {
  if (idempotency === undefined) return undefined;
  const since = deps.now() - limits.idempotency.milliseconds;
  const record = await findRecord(deps.db, workspaceId, idempotency, since);
  if (record === undefined) return undefined;
  if (record.fingerprint !== idempotency.fingerprint) {
    throw invalid("Idempotency-Key", "was already used with a different request. Use a new one.");
  }
  idempotency.onReplay?.();
  return record.response;
}

/** Returns the record of a response to store, if the request has an Idempotency-Key. @param now epoch milliseconds */
export function idempotencyRecord(
  now: number,
  idempotency: Idempotency | undefined,
  response: unknown,
): NewRecord | undefined {
  if (idempotency === undefined) return undefined;
  const { keyId, key, fingerprint } = idempotency;
  return { keyId, key, fingerprint, response, at: now, since: now - limits.idempotency.milliseconds };
}

/**
 * Claims a form whose response can be shown only once, such as a new key.
 * @param key of the form, random; null always succeeds
 * @returns false if the form was already claimed in the last 24 hours @throws rate_limited after too many of a person
 */
export async function claimFormKey(deps: Deps, context: Member, key: string | null): Promise<boolean> {
  if (key === null) return true;
  const fingerprint = await sha256Hex(key);
  const { forms, milliseconds } = limits.idempotency;
  const at = deps.now();
  const names = { keyId: userMeterName(context), key: `form ${fingerprint}`, fingerprint };
  const record = { ...names, response: null, at, since: at - milliseconds };
  try {
    if (await storeRecord(deps.db, context.workspaceId, record, forms)) return true;
  } catch (error) {
    if (isUniqueViolation(error, "idempotency_records.key")) return false;
    throw error;
  }
  throw rateLimited(claimRetrySeconds);
}

/** Seconds after which somebody with too many kept forms may try again. */
const claimRetrySeconds = 3600;
