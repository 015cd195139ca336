import { equalInConstantTime } from "../../lib/crypto/constant-time.ts";
import { hmac } from "../../lib/crypto/digest.ts";
import { isId, newId, timeOfId } from "../../lib/text/ids.ts";
import type { Deps } from "../deps.ts";
import { visitorKey } from "../visitor-key.ts";

/** The hidden fields of every form. The names of a page's own fields can't begin with `_`. */
export const guardFields = {
  /** The form's token, which contains the time it was shown and identifies one submission. */
  token: "_form",
  /** A field that people can't see or reach. Programs that fill in every field give themselves away. */
  trap: "_website",
} as const;

/** A form sent sooner than this was not filled in by a person. */
const minFormMilliseconds = 2_000;

/** The oldest form that is accepted. Pages are never cached, but tabs stay open for days. */
const maxFormMilliseconds = 7 * 24 * 60 * 60_000;

/** Creates the token of a form that is shown now. @param now epoch milliseconds */
export async function newFormToken(deps: Deps, pageId: string, now: number): Promise<string> {
  const id = newId(now);
  return `${id}.${await formSignature(deps, pageId, id)}`;
}

/**
 * Checks whether a form was open for a plausible time: `early` if it was sent too soon, `expired` if it is too old or
 * its token is not from this page.
 */
export async function checkFormToken(
  deps: Deps,
  pageId: string,
  token: string,
): Promise<"valid" | "early" | "expired"> {
  const [id = "", signature = ""] = token.split(".");
  if (!isId(id) || !(await equalInConstantTime(signature, await formSignature(deps, pageId, id))))
    return "expired";
  const age = deps.now() - timeOfId(id);
  if (age > maxFormMilliseconds) return "expired";
  return age < minFormMilliseconds ? "early" : "valid";
}

async function formSignature(deps: Deps, pageId: string, id: string): Promise<string> {
  const digest = await hmac(await visitorKey(deps), JSON.stringify(["form", pageId, id]));
  return new Uint8Array(digest, 0, 16).toHex();
}
