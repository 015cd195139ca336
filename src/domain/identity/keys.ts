import { type KeyType, Scope } from "../../contract/resources/enums.ts";
import type { ApiKey, ApiKeyInput, NewApiKey } from "../../contract/resources/keys.ts";
import { limits } from "../../contract/limits.ts";
import type { Allowance } from "../../contract/plans.ts";
import type { Deps } from "../deps.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { randomBase62, sha256 } from "../../lib/crypto/crypto.ts";
import { newId } from "../../lib/text/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import { readOrigin } from "../../lib/web/origin.ts";
import type { MeterReading } from "../../protocol/key-meter.ts";
import {
  findKeyByDigest,
  insertKey,
  type KeyRow,
  listKeys as readKeys,
  noteKeyUse as writeKeyUse,
  presentKey,
  revokeKey as markRevoked,
} from "../../store/keys.ts";
import { allowanceOf, type Caller, type Owner, planOf } from "./caller.ts";
import { invalid, notFound, ServiceError, tooMany } from "../errors.ts";
import { perIsolate } from "../isolate-memory.ts";
import { unknownKeyThrottle } from "../throttle.ts";

/** An isolate's memory of a key; `caller` is null for a key that does not exist. */
interface KnownKey {
  readonly readAt: number;
  readonly caller: Caller | null;
  readonly allowance: Allowance;
}

/** By the key's digest. */
const knownKeys = perIsolate(() => new BoundedMap<string, KnownKey>(10_000));

/** When each key's use was last recorded, by its id. */
const keyUses = perIsolate(() => new BoundedMap<string, number>(10_000));

/** How long an isolate trusts its memory of a key. Revocation does not wait for it: the meter refuses the key. */
const keyCacheMilliseconds = 10_000;

/** A key's use is recorded at most this often. */
const keyUseMilliseconds = 5 * 60_000;

const wellFormed = /^[sp]k_live_[0-9A-Za-z]{32}$/;
const unauthorized = () =>
  new ServiceError("unauthorized", "A valid API key is required: Authorization: Bearer sk_live_…", {
    headers: { "www-authenticate": "Bearer" },
  });

/**
 * Who calls, by the Authorization header.
 * @param clientAddress to throttle networks that try unknown keys
 * @throws unauthorized; rate_limited for a network that tried too many unknown keys
 */
export async function authenticate(
  deps: Deps,
  authorization: string | undefined,
  clientAddress: string,
): Promise<{ caller: Caller; allowance: Allowance }> {
  const key = bearerOf(authorization);
  if (key === undefined || !wellFormed.test(key)) throw unauthorized();
  const { caller, allowance } = await readKey(deps, await sha256(key), clientAddress);
  if (caller === null) throw unauthorized();
  return { caller, allowance };
}

async function readKey(deps: Deps, digest: string, clientAddress: string): Promise<KnownKey> {
  const now = deps.now();
  const remembered = knownKeys(deps).get(digest);
  if (remembered !== undefined && now - remembered.readAt < keyCacheMilliseconds) return remembered;

  const retryAfter = unknownKeyThrottle(deps).retryAfter(clientAddress, now);
  if (retryAfter > 0) throw tooMany(retryAfter);

  const row = await findKeyByDigest(deps.db, digest);
  const known: KnownKey = {
    readAt: now,
    allowance: row === undefined ? nothing : allowanceOf(row),
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
  knownKeys(deps).set(digest, known);
  if (known.caller === null) await unknownKeyThrottle(deps).countMiss(clientAddress, now);
  return known;
}

const nothing: Allowance = { plan: "free", requestsPerMinute: 0, version: 0 };

/**
 * Counts the request on the key's meter.
 * @returns the reading, for the rate headers; `over` is the asker's to answer with them
 * @throws unauthorized for a revoked key
 */
export async function meter(deps: Deps, caller: Caller, allowance: Allowance): Promise<MeterReading> {
  const reading = await deps.meter(caller.keyId).hit(deps.now(), allowance);
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

/** Notes, after the answer, that a key was used: at most once in some minutes. Never fails the request. */
export async function noteUse(deps: Deps, caller: Caller): Promise<void> {
  const now = deps.now();
  const since = now - keyUseMilliseconds;
  if ((keyUses(deps).get(caller.keyId) ?? 0) > since) return;
  keyUses(deps).set(caller.keyId, now);
  try {
    await writeKeyUse(deps.db, caller.workspaceId, caller.keyId, { at: now, since });
  } catch (error) {
    log("warn", "use of a key not noted", { keyId: caller.keyId, error: describeError(error) });
  }
}

/** The workspace's keys, oldest first, without those that are revoked. */
export async function listKeys(deps: Deps, owner: Owner): Promise<{ keys: ApiKey[] }> {
  return { keys: await readKeys(deps.db, owner.workspaceId) };
}

/**
 * Makes a key. Any plan may; whether a secret one works is the plan's say when it is used.
 * @returns the key in full: it is shown this once, and only its digest is stored
 * @throws invalid_input
 */
export async function createKey(deps: Deps, owner: Owner, input: ApiKeyInput): Promise<NewApiKey> {
  const rights = input.type === "secret" ? secretRights(input) : publishableRights(input);
  return makeKey(deps, owner.workspaceId, { name: input.name, type: input.type, ...rights });
}

interface Rights {
  readonly scopes: Scope[];
  readonly origins: string[];
}

function secretRights({ scopes, origins }: ApiKeyInput): Rights {
  if (origins !== undefined && origins.length > 0) {
    throw invalid("origins", "are for publishable keys; a secret key must never be in a web page");
  }
  return { scopes: Scope.options.filter((scope) => scopes?.includes(scope) ?? true), origins: [] };
}

function publishableRights({ scopes, origins = [] }: ApiKeyInput): Rights {
  if (scopes !== undefined)
    throw invalid("scopes", "a publishable key takes none: it can only create url codes");
  const { count } = limits.keyOrigins;
  if (origins.length === 0) throw invalid("origins", `a publishable key needs 1 to ${count} of them`);
  const read = origins.map((text, index) => {
    const origin = readOrigin(text);
    if (origin === null) throw invalid(`origins.${index}`, "must be an origin like https://shop.example");
    return origin;
  });
  return { scopes: ["qr:write"], origins: [...new Set(read)] };
}

/** Makes a key of these very rights. @throws invalid_input for one more than a workspace may have */
export async function makeKey(
  deps: Deps,
  workspaceId: string,
  input: Rights & { name: string; type: KeyType },
): Promise<NewApiKey> {
  const prefix = input.type === "secret" ? "sk_live_" : "pk_live_";
  const key = prefix + randomBase62(32);
  const now = deps.now();
  const row: KeyRow = {
    id: newId(now),
    workspaceId,
    ...input,
    digest: await sha256(key),
    prefix,
    lastFour: key.slice(-4),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  if (!(await insertKey(deps.db, row, limits.keys))) {
    throw new ServiceError("invalid_input", `A workspace has at most ${limits.keys} keys; revoke some first`);
  }
  return { ...presentKey(row), key };
}

/** Revokes a key, at once and everywhere: the meter refuses it even where an edge still remembers it. */
export async function revokeKey(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  if (!(await markRevoked(deps.db, owner.workspaceId, id, deps.now()))) throw notFound("Key");
  await deps.meter(id).revoke();
  return { success: true };
}
