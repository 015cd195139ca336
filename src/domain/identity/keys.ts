import { limits } from "../../contract/limits.ts";
import { defaultScopes, type KeyType, Scope } from "../../contract/resources/enums.ts";
import type {
  ApiKey,
  ApiKeyInput,
  KeyRotationInput,
  KeyUpdate,
  NewApiKey,
} from "../../contract/resources/identity/keys.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import { readOrigin } from "../../lib/web/origin.ts";
import type { Actor } from "../../protocol/history.ts";
import type { Allowance, MeterReading } from "../../protocol/key-meter.ts";
import * as store from "../../store/identity/keys.ts";
import { isSet, type Removable } from "../../store/resources/kind.ts";
import { type Caller, type KnownKey, keyActor, type WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { allowanceOf, planOf } from "../context/plan.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import { lookUpCredential } from "../credential-throttle.ts";
import type { Deps } from "../deps.ts";
import { invalid, limitReached, notFound, requireFound, ServiceError, unauthorized } from "../errors.ts";
import { changeResource, createResource, createWithChange } from "../resources/change.ts";
import type { Resource } from "../resources/resource.ts";
import { withCreationsToday } from "./daily-cap.ts";
import { completeRevocation } from "./revocation.ts";

/** A key cached by an isolate; `key` is null if it doesn't exist. */
interface CachedKey {
  readonly readAt: number;
  readonly key: KnownKey | null;
  readonly allowance: Allowance;
  /** Epoch milliseconds; null for never. */
  readonly expiresAt: number | null;
}

/** By the key's digest. */
const cachedKeys = perIsolate(() => new BoundedMap<string, CachedKey>(10_000));

/** When each key's use was last recorded, by the key's id. */
const recordedUses = perIsolate(() => new BoundedMap<string, number>(10_000));

/** How long an isolate trusts a cached key. A revoked key is refused sooner, because its meter knows. */
const keyCacheMilliseconds = 10_000;

const hourLength = 60 * 60_000;

/** The minimum time between two records of a key's use. */
const keyUseMilliseconds = 5 * 60_000;

const keyPattern = /^[sp]k_live_[0-9A-Za-z]{32}$/;
const keyRequired = () =>
  unauthorized("Your API key is missing or not valid. Send it as Authorization: Bearer <key>.");
const keyExpired = () => unauthorized("Your API key has expired. Create another one under Developer, Keys.");
const noAllowance: Allowance = { plan: "free", requestsPerMinute: 0, version: 0 };

/** Returns whether the Authorization header has something in the form of an API key. */
export const looksLikeKey = (authorization: string | undefined): boolean =>
  keyPattern.test(bearerOf(authorization) ?? "");

/**
 * Identifies the caller by the Authorization header.
 * @param clientAddress to throttle networks that try unknown keys
 * @throws unauthorized; rate_limited for an unknown key of a network that tried too many
 */
export async function authenticate(
  deps: Deps,
  authorization: string | undefined,
  clientAddress: string,
): Promise<{ key: KnownKey; allowance: Allowance }> {
  const secret = bearerOf(authorization);
  if (secret === undefined || !keyPattern.test(secret)) throw keyRequired();
  const { key, allowance, expiresAt } = await lookUpKey(deps, await sha256Hex(secret), clientAddress);
  if (key === null) throw keyRequired();
  if (expiresAt !== null && expiresAt <= deps.now()) throw keyExpired();
  return { key, allowance };
}

async function lookUpKey(deps: Deps, digest: string, clientAddress: string): Promise<CachedKey> {
  const now = deps.now();
  const cached = cachedKeys(deps).get(digest);
  if (cached !== undefined && now - cached.readAt < keyCacheMilliseconds) return cached;

  const row = await lookUpCredential(
    deps,
    clientAddress,
    async () => (await store.findKeyByDigest(deps.db, digest)) ?? null,
  );
  if (row === null) {
    const unknown = { readAt: now, key: null, allowance: noAllowance, expiresAt: null };
    cachedKeys(deps).set(digest, unknown);
    return unknown;
  }
  const key: KnownKey = {
    workspaceId: row.workspaceId,
    keyId: row.id,
    keyName: row.name,
    keyType: row.type,
    scopes: row.scopes,
    origins: row.origins,
    personConfirms: row.personConfirms,
    usesDomains: row.usesDomains,
    plan: row.plan,
  };
  const known = { readAt: now, key, allowance: allowanceOf(row), expiresAt: row.expiresAt };
  cachedKeys(deps).set(digest, known);
  return known;
}

/**
 * Counts the request on the key's meter, which asks the workspace's.
 * @returns the reading, for the rate limit headers; if its outcome is `over`, the API refuses the request
 * @throws unauthorized for a revoked key
 */
export async function countRequest(deps: Deps, key: KnownKey, allowance: Allowance): Promise<MeterReading> {
  const reading = await deps.meter(key.keyId).hit(deps.now(), allowance, 0, key.workspaceId);
  if (reading.outcome === "revoked") throw keyRequired();
  return reading;
}

/** Returns the rate limit headers of a response. */
export const rateLimitHeaders = ({ allowance, remaining, resetSeconds }: MeterReading) => ({
  "x-ratelimit-limit": String(allowance.requestsPerMinute),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(resetSeconds),
});

/** Returns who makes a request that was counted. @throws forbidden for a secret key that the plan doesn't include */
export function callerOf(
  key: KnownKey,
  { allowance: { plan } }: MeterReading,
  request: Parameters<typeof keyActor>[1],
  clientAddress: string,
): Caller {
  const caller = { ...key, plan, actor: keyActor(key, request), clientAddress };
  requireKeyInPlan(caller);
  return caller;
}

/** Rejects a secret key on a plan without secret keys. @throws forbidden */
export function requireKeyInPlan(key: KnownKey): void {
  const plan = planOf(key);
  if (key.keyType === "secret" && !plan.secretKeys) {
    throw new ServiceError(
      "forbidden",
      `Your ${plan.title} plan doesn't include secret keys. Upgrade to Pro to use them.`,
    );
  }
}

/** Records when a key was last used, at most every five minutes. Runs after the response and never throws. */
export async function recordKeyUse(deps: Deps, { keyId, workspaceId }: KnownKey): Promise<void> {
  const now = deps.now();
  const since = now - keyUseMilliseconds;
  if ((recordedUses(deps).get(keyId) ?? 0) > since) return;
  recordedUses(deps).set(keyId, now);
  try {
    await store.updateKeyLastUsed(deps.db, workspaceId, keyId, { at: now, since });
  } catch (error) {
    log("warn", "key use not recorded", { keyId, error: describeError(error) });
  }
}

/** Returns the workspace's keys that are not revoked, oldest first. */
export async function listKeys(deps: Deps, context: WorkspaceContext): Promise<{ keys: ApiKey[] }> {
  requirePermission(context, "keys");
  const keys = await store.listKeys(deps.db, context.workspaceId);
  return { keys: await Promise.all(keys.map((key) => withCreationsToday(deps, key))) };
}

/** Returns the ids and names of the keys that are not revoked, newest first. */
export async function listKeyNames(
  deps: Deps,
  context: WorkspaceContext,
): Promise<Pick<ApiKey, "id" | "name">[]> {
  requirePermission(context, "keys");
  return store.listKeys(deps.db, context.workspaceId);
}

/** Returns a key that is not revoked. @throws not_found */
export async function getKey(deps: Deps, context: WorkspaceContext, id: string): Promise<ApiKey> {
  requirePermission(context, "keys");
  const keys = await store.listKeys(deps.db, context.workspaceId);
  return requireFound(
    keys.find((key) => key.id === id),
    "Key",
  );
}

/**
 * Creates a key. Every plan may create both types; whether a secret key works is checked when it is used.
 * @returns the full key, which can't be retrieved later, because only its digest is stored
 * @throws invalid_input
 */
export async function createKey(
  deps: Deps,
  context: WorkspaceContext,
  input: ApiKeyInput,
): Promise<NewApiKey> {
  requirePermission(context, "keys");
  const { name, type } = input;
  const rights = type === "secret" ? secretRights(input) : publishableRights(input);
  const expiresAt = futureTime(deps, input.expiresAt);
  const { row, key } = await mintKey(deps, context, { name, type, ...rights, expiresAt });
  await createResource(deps, context, keyResource, row);
  return presentNewKey(deps, row, key, context.actor);
}

/** @throws invalid_input for a time that has passed */
function futureTime(deps: Deps, text: string | null | undefined): number | null {
  if (text == null) return null;
  const time = Date.parse(text);
  if (time <= deps.now()) throw invalid("expiresAt", "must be in the future");
  return time;
}

/**
 * Sets whether codes that a publishable key creates from now on answer at the workspace's domains. Edges follow within
 * `keyCacheMilliseconds`.
 * @throws not_found; invalid_input for a secret key
 */
export async function updateKey(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { usesDomains }: KeyUpdate,
): Promise<ApiKey> {
  requirePermission(context, "keys");
  await changeResource(deps, context, keyResource, id, (before) => {
    if (before.revokedAt !== null) throw notFound("Key");
    if (before.type === "secret") throw onlyPublishable();
    return { ...before, usesDomains };
  });
  return withCreationsToday(deps, await getKey(deps, context, id));
}

/**
 * Creates a key with the rights of another one, which keeps working for some hours.
 * @returns the full key, which can't be retrieved later
 * @throws not_found; invalid_input for a key that is replaced already, or at the workspace's limit of keys
 */
export async function rotateKey(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { overlapHours, expiresAt }: KeyRotationInput,
): Promise<NewApiKey> {
  const {
    name,
    type,
    scopes,
    origins,
    personConfirms,
    usesDomains = false,
  } = await getKey(deps, context, id);
  const draft = { name, type, scopes, origins, personConfirms, usesDomains };
  const minted = await mintKey(deps, context, { ...draft, expiresAt: futureTime(deps, expiresAt) });
  const { row: created, key } = minted;
  const until = created.createdAt + overlapHours * hourLength;
  const revokedAt = overlapHours === 0 ? created.createdAt : null;
  await createWithChange(deps, context, keyResource, id, (before) => {
    if (before.revokedAt !== null) throw notFound("Key");
    if (before.replacedBy !== null) throw isReplaced();
    const changed = {
      ...{ ...before, replacedBy: created.id, revokedAt, revocationPendingAt: revokedAt },
      expiresAt: Math.min(before.expiresAt ?? until, until),
    };
    return { created, changed };
  });
  // If its meter can't be reached, the sweep completes the revocation.
  if (overlapHours === 0) await completeRevocation(deps, { workspaceId: context.workspaceId, id });
  return presentNewKey(deps, created, key, context.actor);
}

const isReplaced = () =>
  new ServiceError(
    "invalid_input",
    "This key is being replaced already. Rotate its replacement, or revoke it.",
  );

interface Rights {
  readonly scopes: Scope[];
  readonly origins: string[];
  readonly personConfirms: boolean;
  readonly usesDomains: boolean;
}

function secretRights({ scopes, origins, personConfirms = false, usesDomains }: ApiKeyInput): Rights {
  if (usesDomains !== undefined) throw onlyPublishable();
  if (origins !== undefined && origins.length > 0) {
    throw invalid("origins", "are only for publishable keys. Never put a secret key in a web page.");
  }
  const chosen: readonly Scope[] = scopes ?? defaultScopes;
  const inOrder = Scope.options.filter((scope) => chosen.includes(scope));
  return { scopes: inOrder, origins: [], personConfirms, usesDomains: false };
}

const onlyPublishable = () => invalid("usesDomains", "is only for publishable keys");

function publishableRights({
  scopes,
  origins = [],
  personConfirms,
  usesDomains = false,
}: ApiKeyInput): Rights {
  if (personConfirms === true) throw invalid("personConfirms", "is only for secret keys");
  if (scopes !== undefined)
    throw invalid("scopes", "are only for secret keys. A publishable key can only create url codes.");
  const { count } = limits.keyOrigins;
  if (origins.length === 0) throw invalid("origins", `must have 1 to ${count} entries for a publishable key`);
  const normalised = origins.map((text, index) => {
    const origin = readOrigin(text);
    if (origin === null)
      throw invalid(`origins.${index}`, "must be a web origin such as https://shop.example");
    return origin;
  });
  return { scopes: ["qr:write"], origins: [...new Set(normalised)], personConfirms: false, usesDomains };
}

/** Keys as resources. The history never has the key. */
const keyResource: Resource<StoredKey> = {
  kind: store.keyKind,
  object: "key",
  noun: "Key",
  nameOf: ({ name }) => name,
  fieldsOf: ({ name, type, scopes, origins, expiresAt, personConfirms, usesDomains, replacedBy }) => ({
    ...{
      name,
      type,
      scopes,
      origins,
      expiresAt: isoTime(expiresAt),
    },
    ...{ personConfirms: personConfirms ? true : null, replacedBy },
    usesDomains: type === "publishable" ? usesDomains : null,
  }),
  verbOf: (change) => (change.before !== null && isSet(change, "replacedBy") ? "rotated" : undefined),
  capsOf: () => ({ api_keys: limits.keys }),
  async refusalOf(deps, context) {
    await requireNotSuspended(deps, context);
    return limitReached(limits.keys, "keys", "Revoke one first.");
  },
};

type StoredKey = Removable<store.KeyRow>;

interface KeyDraft extends Rights {
  readonly name: string;
  readonly type: KeyType;
  readonly expiresAt: number | null;
}

/** Makes a key that is not stored yet. */
async function mintKey(
  deps: Deps,
  { workspaceId, actor }: WorkspaceContext,
  { name, type, scopes, origins, personConfirms, usesDomains, expiresAt }: KeyDraft,
): Promise<{ row: StoredKey; key: string }> {
  const prefix = type === "secret" ? "sk_live_" : "pk_live_";
  const key = prefix + randomBase62(32);
  const now = deps.now();
  const row: StoredKey = {
    id: newId(now),
    workspaceId,
    name,
    type,
    scopes,
    origins,
    digest: await sha256Hex(key),
    prefix,
    lastFour: key.slice(-4),
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    revocationPendingAt: null,
    cappedAt: null,
    createdBy: actor.kind === "person" ? actor.id : null,
    expiresAt,
    replacedBy: null,
    personConfirms,
    usesDomains,
    version: 1,
    deletedAt: null,
  };
  return { row, key };
}

const presentNewKey = (deps: Deps, row: store.KeyRow, key: string, { name }: Actor): Promise<NewApiKey> =>
  withCreationsToday(deps, { ...store.presentKey(row, { name, member: true }), key });
