import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { limits } from "../../contract/limits.ts";
import type { OwnerInput, SignInLink, SignInLinkInput } from "../../contract/resources/identity/sign-in.ts";
import { visitorKey } from "../../edge/scans/visitor-key.ts";
import { hmac, sha256Hex } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { newId } from "../../lib/text/ids.ts";
import { networksOf } from "../../lib/web/network.ts";
import * as store from "../../store/identity/sign-in-links.ts";
import type { Deps } from "../deps.ts";
import { notFound, ServiceError } from "../errors.ts";
import {
  beginRegistration,
  type Ceremony,
  finishRegistration,
  PasskeyFailure,
  spending,
} from "./passkeys.ts";
import { signInAgainPath } from "./recent-sign-in.ts";
import { newSession, type SignedInPerson, sealSession } from "./sessions.ts";
import { canSignIn, defaultPlanOf, waysToSignIn } from "./ways.ts";

/** One-time links of the operator, and joining without one where everyone may. */

/** How long a link works. */
const linkMilliseconds = 60 * 60_000;

/**
 * Creates a link.
 * @throws not_found for an unknown person; invalid_input if nobody could use it, because people can't sign in, or not with
 * passkeys
 */
export async function createSignInLink(deps: Deps, { kind, userId }: SignInLinkInput): Promise<SignInLink> {
  const isConfirmation = kind === "confirmation";
  const isUsable = kind === "recovery" ? waysToSignIn(deps).passkeys : canSignIn(deps);
  if (!isConfirmation && !isUsable) {
    throw new ServiceError("invalid_input", "Passkeys are off. Set PASSKEYS to on, then create the link.");
  }
  const token = randomBase62(43);
  const expiresAt = deps.now() + linkMilliseconds;
  const digest = isConfirmation ? await confirmationDigest(token) : await sha256Hex(token);
  const link = { digest, userId: userId ?? null, expiresAt };
  if (!(await store.insertSignInLink(deps.db, link))) throw notFound("Person");
  const path = isConfirmation ? `${signInAgainPath}/` : "/dashboard/links/";
  const url = deps.settings.appOrigin + path + token;
  return { url, kind, expiresAt: new Date(expiresAt).toISOString() };
}

/** Returns the digest of a confirmation link's token: no other kind of link has it. */
const confirmationDigest = (token: string): Promise<string> => sha256Hex(`confirmation ${token}`);

/**
 * Signs a person in again by a confirmation link of the operator, in the same session.
 * @param device that of `describeDevice`
 * @returns the session cookie's value
 * @throws PasskeyFailure for a link that is unknown, used, expired or another person's
 */
export async function signInAgainWithLink(
  deps: Deps,
  { userId, sessionId }: Pick<SignedInPerson, "userId" | "sessionId">,
  token: string,
  device: string | null,
): Promise<string> {
  const session = newSession(deps, userId, device);
  const digest = await confirmationDigest(token);
  if (!(await store.renewSessionByLink(deps.db, digest, sessionId, session)))
    throw new PasskeyFailure("link");
  return sealSession(deps, session);
}

/** Returns whether a confirmation link is the person's and can be used. */
export async function isConfirmationOf(
  deps: Deps,
  { userId }: Pick<SignedInPerson, "userId">,
  token: string,
): Promise<boolean> {
  const link = await store.findSignInLink(deps.db, await confirmationDigest(token), deps.now());
  return link?.userId === userId;
}

/** A link that can be used. */
export interface OpenLink {
  readonly digest: string;
  /** The person whose passkeys it replaces; null for the link of a new owner. */
  readonly person: { readonly userId: string; readonly name: string } | null;
}

/** Returns what a link is for. @throws PasskeyFailure if it is unknown, used or has expired */
export async function readLink(deps: Deps, token: string): Promise<OpenLink> {
  const row = await store.findSignInLink(deps.db, await sha256Hex(token), deps.now());
  if (row === undefined) throw new PasskeyFailure("link");
  const { digest, userId, userName } = row;
  return { digest, person: userId === null ? null : { userId, name: userName ?? "Your account" } };
}

/** @param link null for joining without one */
const purposeOf = (link: OpenLink | null): string => (link === null ? "join" : `link ${link.digest}`);

/** Starts making the passkey of a link, or of someone who joins without one. The browser fills in a new owner's name. */
export function beginJoining(
  deps: Deps,
  link: OpenLink | null,
): Promise<Ceremony<PublicKeyCredentialCreationOptionsJSON>> {
  const person = link?.person ?? { userId: newId(deps.now()), name: "" };
  return beginRegistration(deps, purposeOf(link), person);
}

/** A new passkey as sent by the browser. */
interface Given {
  readonly answer: string;
  readonly sealed: string | undefined;
  /** The passkey's name. */
  readonly name: string;
  /** That of `describeDevice`. */
  readonly device: string | null;
}

/**
 * Creates a person with a passkey and a workspace. Without a link, they count for their network's day.
 * @returns the session cookie's value
 * @throws PasskeyFailure
 */
export async function join(
  deps: Deps,
  link: OpenLink | null,
  { person, workspace }: OwnerInput,
  given: Given,
  clientAddress: string,
): Promise<string> {
  const { userId, passkey, spent } = await finishRegistration(deps, purposeOf(link), given);
  if (link === null) await countJoining(deps, clientAddress);
  const session = newSession(deps, userId, given.device);
  const owner = {
    name: person,
    workspaceId: newId(deps.now()),
    workspaceName: workspace,
    plan: defaultPlanOf(deps),
  };
  const digest = link?.digest ?? null;
  const hasJoined = await spending(store.insertOwner(deps.db, owner, passkey, session, spent, digest));
  if (!hasJoined) throw new PasskeyFailure("link");
  return sealSession(deps, session);
}

/** @throws PasskeyFailure after too many people of the network today */
async function countJoining(deps: Deps, clientAddress: string): Promise<void> {
  const key = await visitorKey(deps);
  for (const { network, times } of networksOf(clientAddress)) {
    const meter = deps.meter(`joins:${new Uint8Array(await hmac(key, network)).toHex()}`);
    const count = await meter.takeCreation(deps.now(), times * limits.passkeys.joinsPerDay);
    if (count === null) throw new PasskeyFailure("limited");
  }
}

/**
 * Replaces a person's passkeys by a new one and ends all their sessions.
 * @returns the session cookie's value
 * @throws PasskeyFailure
 */
export async function recover(deps: Deps, link: OpenLink, given: Given): Promise<string> {
  const { userId, passkey, spent } = await finishRegistration(deps, purposeOf(link), given);
  const session = newSession(deps, userId, given.device);
  const isReplaced = await spending(store.replacePasskeys(deps.db, passkey, session, spent, link.digest));
  if (!isReplaced) throw new PasskeyFailure("link");
  return sealSession(deps, session);
}
