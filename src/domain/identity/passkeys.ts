import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { limits } from "../../contract/limits.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { decryptClaims, encryptClaims } from "../../lib/crypto/encryption.ts";
import { newId } from "../../lib/text/ids.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import { isUniqueViolation } from "../../store/database-errors.ts";
import * as store from "../../store/identity/passkeys.ts";
import { updatePasskeysSeen } from "../../store/identity/sessions.ts";
import type { Member } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, ServiceError } from "../errors.ts";
import { serviceNameOf } from "../service-name.ts";
import {
  algorithms,
  readSignature,
  relyingParty,
  verifyNewCredential,
  verifySignature,
} from "./passkey-answers.ts";
import { requireRecentSignIn, SignInAgain } from "./recent-sign-in.ts";
import { newSession, type SignedInPerson, sealSession, sessionsPerUser } from "./sessions.ts";
import { waysToSignIn } from "./ways.ts";

/**
 * Signing in with passkeys. The browser keeps the challenge, encrypted, so that visitors can't fill a table: for signing
 * in as a cookie, for a new passkey in the form. Once it is signed, its digest is stored until it expires, so that a
 * signature is accepted once.
 */

/**
 * Why a passkey was not accepted. `missing`: the browser sent none, as without scripts. `expired`: the challenge has
 * expired, was signed already or is of another page. `refused`: it is unknown, removed or its signature is wrong, which
 * nobody can tell apart. `limited`: the network tried too often. `link`: the link that allows a new one is used or has
 * expired. `full`: the person has as many as they can have.
 */
export type PasskeyProblem = "missing" | "expired" | "refused" | "limited" | "link" | "full";

export class PasskeyFailure extends Error {
  readonly problem: PasskeyProblem;

  constructor(problem: PasskeyProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** How long a challenge may wait for its signature. */
export const challengeMilliseconds = 15 * 60_000;

/** The most characters of a browser's answer. */
export const answerBytes = 32 * 1024;

/** The options for the browser, and the encrypted challenge, which comes back with the browser's answer. */
export interface Ceremony<Options> {
  readonly options: Options;
  readonly sealed: string;
}

/** A challenge of this service. */
interface Challenge {
  readonly text: string;
  /** The user to whom a new passkey will belong; empty for signing in. */
  readonly userId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  readonly spent: store.SpentChallenge;
}

/** @param purpose what the signature is good for; it is refused for anything else */
async function sealChallenge(deps: Deps, purpose: string, userId: string) {
  const challenge = crypto.getRandomValues(new Uint8Array(32)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
  const now = deps.now();
  const { sessionSecrets } = deps.settings.provider;
  const claims = { challenge, userId };
  const until = now + challengeMilliseconds;
  return { challenge, sealed: await encryptClaims(sessionSecrets, `passkey ${purpose}`, claims, now, until) };
}

/** @throws PasskeyFailure if there is none for the purpose, or it has expired */
async function openChallenge(deps: Deps, purpose: string, sealed: string | undefined): Promise<Challenge> {
  const { sessionSecrets } = deps.settings.provider;
  const claims =
    sealed === undefined
      ? null
      : await decryptClaims(sessionSecrets, `passkey ${purpose}`, sealed, deps.now());
  if (typeof claims?.challenge !== "string" || typeof claims.userId !== "string") {
    throw new PasskeyFailure("expired");
  }
  const { challenge: text, userId, exp = 0 } = claims;
  // Until a second after it expires, because the claim has no fractions.
  const expiresAt = (exp + 1) * 1000;
  return { text, userId, expiresAt, spent: { digest: await sha256Hex(text), expiresAt } };
}

/** Runs a write that spends a challenge. @throws PasskeyFailure if it is spent, or the passkey is known */
export async function spending<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error, "spent_challenges.digest")) throw new PasskeyFailure("expired");
    if (isUniqueViolation(error, "passkeys.credential_id")) throw new PasskeyFailure("refused");
    throw error;
  }
}

/** Counts an attempt of a network. @throws PasskeyFailure after too many; not_found if there are no passkeys here */
export function countAttempt(deps: Deps, clientAddress: string): Promise<void> {
  requirePasskeys(deps);
  return countOpening(deps, clientAddress);
}

/** Counts a network's opening of a one-time link. @throws PasskeyFailure after too many */
export async function countOpening(deps: Deps, clientAddress: string): Promise<void> {
  if ((await findExceeded(deps.signInLimit, clientAddress)) !== undefined)
    throw new PasskeyFailure("limited");
}

/** @throws not_found if people can't sign in with passkeys */
export function requirePasskeys(deps: Deps): void {
  if (!waysToSignIn(deps).passkeys) throw notFound("Page");
}

/**
 * Starts signing in with any passkey of this service.
 * @param sealed the challenge cookie's value, if there is one: tabs of a browser share a challenge while it is fresh
 */
export async function beginPasskeySignIn(
  deps: Deps,
  sealed: string | undefined,
): Promise<Ceremony<PublicKeyCredentialRequestOptionsJSON>> {
  const shared = await openChallenge(deps, signInPurpose, sealed).catch(() => undefined);
  const isFresh = shared !== undefined && shared.expiresAt - deps.now() > challengeMilliseconds / 2;
  const begun =
    isFresh && sealed !== undefined
      ? { challenge: shared.text, sealed }
      : await sealChallenge(deps, signInPurpose, "");
  const { challenge } = begun;
  const options = { challenge, rpId: relyingParty(deps), userVerification: "required" } as const;
  return { options, sealed: begun.sealed };
}

const signInPurpose = "sign-in";

/** A browser's answer, and the challenge that it was asked to sign. */
interface SignedAnswer {
  /** JSON. */
  readonly answer: string;
  /** The challenge cookie's value. */
  readonly sealed: string | undefined;
}

/** A passkey that has signed a challenge. Neither its use nor the challenge is recorded yet. */
interface Signed {
  readonly userId: string;
  readonly passkey: { readonly id: string; readonly counter: number };
  readonly spent: store.SpentChallenge;
}

/** Checks a signature. @throws PasskeyFailure */
async function verifyAnswer(deps: Deps, { answer, sealed }: SignedAnswer): Promise<Signed> {
  if (answer === "") throw new PasskeyFailure("missing");
  const challenge = await openChallenge(deps, signInPurpose, sealed);
  const signature = readSignature(answer);
  if (signature === null) throw new PasskeyFailure("refused");
  const passkey = await store.findPasskeyByCredential(deps.db, signature.id);
  const handle = signature.response.userHandle ?? null;
  if (passkey === undefined || (handle !== null && handle !== userHandle(passkey.userId))) {
    throw new PasskeyFailure("refused");
  }
  const counter = await verifySignature(deps, signature, challenge.text, passkey);
  if (counter === null) throw new PasskeyFailure("refused");
  return { userId: passkey.userId, passkey: { id: passkey.id, counter }, spent: challenge.spent };
}

/**
 * Signs the owner of a passkey in.
 * @param device that of `describeDevice`
 * @returns the session cookie's value
 * @throws PasskeyFailure
 */
export async function finishPasskeySignIn(
  deps: Deps,
  given: SignedAnswer,
  device: string | null,
): Promise<string> {
  const { userId, passkey, spent } = await verifyAnswer(deps, given);
  const session = newSession(deps, userId, device);
  const isStarted = await spending(
    store.insertSessionOfPasskey(deps.db, passkey, spent, session, sessionsPerUser),
  );
  if (!isStarted) throw new PasskeyFailure("refused");
  return sealSession(deps, session);
}

/**
 * Signs a person in again with one of their passkeys, in the same session.
 * @param device that of `describeDevice`
 * @returns the session cookie's value
 * @throws PasskeyFailure, also for another person's passkey
 */
export async function signInAgainWithPasskey(
  deps: Deps,
  { userId, sessionId }: Pick<SignedInPerson, "userId" | "sessionId">,
  given: SignedAnswer,
  device: string | null,
): Promise<string> {
  const signed = await verifyAnswer(deps, given);
  if (signed.userId !== userId) throw new PasskeyFailure("refused");
  const session = newSession(deps, userId, device);
  const isRenewed = await spending(
    store.renewSessionByPasskey(deps.db, signed.passkey, signed.spent, sessionId, session),
  );
  if (!isRenewed) throw new PasskeyFailure("refused");
  return sealSession(deps, session);
}

/** The user's id as authenticators keep it. */
const userHandle = (userId: string): string =>
  new TextEncoder().encode(userId).toBase64({ alphabet: "base64url", omitPadding: true });

/** For whom a passkey is made. */
export interface PasskeyOwner {
  readonly userId: string;
  /** Shown by the authenticator. */
  readonly name: string;
}

/**
 * Starts making a passkey.
 * @param purpose what it is good for: adding to an account, or using a link
 * @param known the user's passkeys, of which no authenticator may make a second one
 */
export async function beginRegistration(
  deps: Deps,
  purpose: string,
  { userId, name }: PasskeyOwner,
  known: readonly store.PasskeyRow[] = [],
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  const { challenge, sealed } = await sealChallenge(deps, purpose, userId);
  const options: PublicKeyCredentialCreationOptionsJSON = {
    challenge,
    rp: { id: relyingParty(deps), name: serviceNameOf(deps) },
    user: { id: userHandle(userId), name, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    attestation: "none",
    excludeCredentials: known.map(({ credentialId: id }) => ({ id, type: "public-key" })),
  };
  return { options, sealed };
}

/** A passkey that was made for a challenge. Neither is stored yet. */
export interface Registration {
  readonly userId: string;
  readonly passkey: store.NewPasskey;
  readonly spent: store.SpentChallenge;
}

/**
 * Checks a new passkey.
 * @param purpose that of `beginRegistration`
 * @param answer of the browser, as JSON
 * @throws PasskeyFailure
 */
export async function finishRegistration(
  deps: Deps,
  purpose: string,
  { answer, sealed, name }: { answer: string; sealed: string | undefined; name: string },
): Promise<Registration> {
  if (answer === "") throw new PasskeyFailure("missing");
  const { text, userId, spent } = await openChallenge(deps, purpose, sealed);
  const credential = await verifyNewCredential(deps, answer, text);
  if (credential === null) throw new PasskeyFailure("refused");
  const now = deps.now();
  return { userId, passkey: { id: newId(now), name, createdAt: now, ...credential }, spent };
}

const addingFor = ({ userId }: Member): string => `add ${userId}`;

/** A passkey as its owner sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

const presentPasskey = ({ id, name, createdAt, lastUsedAt }: store.PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: new Date(createdAt).toISOString(),
  lastUsedAt: isoTime(lastUsedAt),
});

/** Returns the person's passkeys, oldest first. */
export async function listPasskeys(deps: Deps, { userId }: Pick<Member, "userId">): Promise<Passkey[]> {
  return (await store.listPasskeys(deps.db, userId)).map(presentPasskey);
}

/** Ends the notices of the person's new passkeys in this session. */
export async function markPasskeysSeen(deps: Deps, { sessionId }: Member): Promise<void> {
  if (sessionId !== null) await updatePasskeysSeen(deps.db, sessionId, deps.now());
}

/** Returns a passkey of the person. @throws not_found */
export async function getPasskey(deps: Deps, member: Member, id: string): Promise<Passkey> {
  const passkeys = await listPasskeys(deps, member);
  return requireFound(
    passkeys.find((passkey) => passkey.id === id),
    "Passkey",
  );
}

/** Starts making another passkey for a person who is signed in. @param name of the person @throws SignInAgain */
export async function beginAddingPasskey(
  deps: Deps,
  member: Member,
  name: string,
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  requireRecentSignIn(deps, member);
  const known = await store.listPasskeys(deps.db, member.userId);
  return beginRegistration(deps, addingFor(member), { userId: member.userId, name }, known);
}

/** Adds a passkey for a person who is signed in. @throws PasskeyFailure, SignInAgain */
export async function addPasskey(
  deps: Deps,
  member: Member,
  given: { answer: string; sealed: string | undefined; name: string },
): Promise<void> {
  requireRecentSignIn(deps, member);
  const { userId, sessionId } = member;
  // Tokens can't add one: there is no page to make it.
  if (sessionId === null) throw new SignInAgain(deps);
  const { passkey, spent } = await finishRegistration(deps, addingFor(member), given);
  const { count } = limits.passkeys;
  const hasRoom = await spending(store.insertPasskey(deps.db, { userId, sessionId }, passkey, spent, count));
  if (!hasRoom) throw new PasskeyFailure("full");
}

/** @throws not_found */
export async function renamePasskey(deps: Deps, { userId }: Member, id: string, name: string): Promise<void> {
  if (!(await store.renamePasskey(deps.db, userId, id, name))) throw notFound("Passkey");
}

/**
 * Removes a passkey, which is refused at once.
 * @throws SignInAgain; not_found; invalid_input for the only way to sign in
 */
export async function removePasskey(deps: Deps, member: Member, id: string): Promise<void> {
  await getPasskey(deps, member, id);
  await removePasskeys(deps, member, [id]);
}

/**
 * Removes several of the person's passkeys.
 * @throws SignInAgain; invalid_input if that would leave no way to sign in
 */
export async function removePasskeys(
  deps: Deps,
  person: Pick<Member, "userId" | "authenticatedAt">,
  ids: readonly string[],
): Promise<void> {
  requireRecentSignIn(deps, person);
  const issuer = waysToSignIn(deps).provider ? deps.settings.provider.issuer : "";
  if ((await store.deletePasskeys(deps.db, person.userId, ids, issuer)) > 0) return;
  const left = await listPasskeys(deps, person);
  if (!left.some(({ id }) => ids.includes(id))) return;
  throw new ServiceError(
    "invalid_input",
    left.length === 1
      ? "This passkey is your only way to sign in. Add another one first, then remove this one."
      : "Passkeys are your only way to sign in. Keep at least one of them.",
    { status: 409 },
  );
}
