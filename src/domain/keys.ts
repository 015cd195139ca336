import type { KeyType, Scope } from "../contract/enums.ts";
import { limits } from "../contract/limits.ts";
import { plans } from "../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { randomBase62, sha256 } from "../lib/crypto.ts";
import { newId } from "../lib/ids.ts";
import type { Reading } from "../objects/key-meter.ts";
import { findKeyByDigest, insertKey, revokeKey as markRevoked } from "../store/keys.ts";
import { type Caller, planOf } from "./caller.ts";
import { notFound, ServiceError } from "./errors.ts";

/** What an isolate remembers of a key; `caller` is null for one that does not exist. */
export interface KnownKey {
  readonly readAt: number;
  readonly caller: Caller | null;
  /** Requests a minute. */
  readonly cap: number;
}

const wellFormed = /^[sp]k_live_[0-9A-Za-z]{32}$/;
const unauthorized = () =>
  new ServiceError("unauthorized", "A valid API key is required: Authorization: Bearer sk_live_…", {
    headers: { "www-authenticate": "Bearer" },
  });
const tooMany = (seconds: number) =>
  new ServiceError("rate_limited", "Rate limit exceeded", { headers: { "retry-after": String(seconds) } });

/**
 * Who calls, by the Authorization header.
 * @param address of the client, to throttle those who try keys
 * @throws unauthorized; rate_limited for an address that tried too many unknown keys
 */
export async function authenticate(
  deps: Deps,
  authorization: string | undefined,
  address: string,
): Promise<{ caller: Caller; cap: number }> {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (key === undefined || !wellFormed.test(key)) throw unauthorized();
  const { caller, cap } = await readKey(deps, await sha256(key), address);
  if (caller === null) throw unauthorized();
  return { caller, cap };
}

async function readKey(deps: Deps, digest: string, address: string): Promise<KnownKey> {
  const now = deps.now();
  const remembered = deps.memory.keys.get(digest);
  if (remembered !== undefined && now - remembered.readAt < limits.keyCacheMilliseconds) return remembered;

  const wait = deps.unknownKeys.wait(address, now);
  if (wait > 0) throw tooMany(wait);

  const row = await findKeyByDigest(deps.db, digest);
  const known: KnownKey = {
    readAt: now,
    cap: row === undefined ? 0 : (row.requestsPerMinute ?? plans[row.plan].requestsPerMinute),
    caller:
      row === undefined
        ? null
        : {
            workspaceId: row.workspaceId,
            keyId: row.id,
            keyType: row.type,
            scopes: row.scopes,
            origins: row.origins,
            plan: row.plan,
          },
  };
  deps.memory.keys.set(digest, known);
  if (known.caller === null) await deps.unknownKeys.miss(address, now);
  return known;
}

/**
 * Counts the request on the key's meter.
 * @returns the reading, for the rate headers; `over` is the caller's to answer with them
 * @throws unauthorized for a revoked key
 */
export async function meter(deps: Deps, caller: Caller, cap: number): Promise<Reading> {
  const reading = await deps.meter(caller.keyId).hit(deps.now(), cap);
  if (reading.outcome === "revoked") throw unauthorized();
  return reading;
}

/** Refuses a secret key on a plan that has none. */
export function requireWorkingKey(caller: Caller): void {
  const plan = planOf(caller);
  if (caller.keyType === "secret" && !plan.secretKeys) {
    throw new ServiceError(
      "forbidden",
      `Your plan ${plan.title} has no secret keys; upgrade to Pro to use them`,
    );
  }
}

/**
 * Makes a key.
 * @returns the key in full: it is shown this once, and only its digest is stored
 */
export async function createKey(
  deps: Deps,
  workspaceId: string,
  input: { name: string; type: KeyType; scopes: Scope[]; origins?: string[] },
): Promise<{ id: string; key: string }> {
  const prefix = input.type === "secret" ? "sk_live_" : "pk_live_";
  const key = prefix + randomBase62(32);
  const now = deps.now();
  const id = newId(now);
  await insertKey(deps.db, {
    id,
    workspaceId,
    name: input.name,
    type: input.type,
    scopes: input.scopes,
    origins: input.origins ?? [],
    digest: await sha256(key),
    prefix,
    lastFour: key.slice(-4),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  });
  return { id, key };
}

/** Revokes a key, at once and everywhere: the meter refuses it even where an edge still remembers it. */
export async function revokeKey(deps: Deps, workspaceId: string, id: string): Promise<void> {
  if (!(await markRevoked(deps.db, workspaceId, id, deps.now()))) throw notFound("Key");
  await deps.meter(id).revoke();
}
