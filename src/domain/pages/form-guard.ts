import { visitorKey, visitorKeys } from "../../edge/scans/visitor-key.ts";
import { equalInConstantTime } from "../../lib/crypto/constant-time.ts";
import { hmac } from "../../lib/crypto/digest.ts";
import { isId, newId, timeOfId } from "../../lib/text/ids.ts";
import type { Deps } from "../deps.ts";

/** The hidden fields of every form. The names of a page's own fields can't begin with `_`. */
export const guardFields = {
  /** The form's token, which contains the time it was shown and identifies one submission. */
  token: "_form",
  /**
   * A field that people can't see or reach, unlike programs that fill in every field. Its name means nothing to
   * browsers and password managers.
   */
  trap: "_q",
} as const;

/** The trap's names: this version's, and that of forms that 1.0.0 has shown. */
const trapNames = [guardFields.trap, "_website"] as const;

/** Whether a form's hidden field was filled in: by a program, or by a browser that ignores how the field is marked. */
export const isTrapFilled = (values: URLSearchParams): boolean =>
  trapNames.some((name) => values.getAll(name).some((value) => value !== ""));

/** A form sent sooner than this was not filled in by a person. */
const minFormMilliseconds = 2_000;

/** The oldest form that is accepted. Pages are never cached, but tabs stay open for days. */
const maxFormMilliseconds = 7 * 24 * 60 * 60_000;

/** Creates the token of a form that is shown now. @param now epoch milliseconds */
export async function newFormToken(deps: Deps, pageId: string, now: number): Promise<string> {
  const id = newId(now);
  return `${id}.${await formSignature(await visitorKey(deps), pageId, id)}`;
}

/** A form's token that is from this service. */
interface CheckedToken {
  /** Whether it was sent sooner than a person can fill in a form. */
  readonly isEarly: boolean;
  /** The key that signed it, which stays the same when the form is sent again. */
  readonly key: CryptoKey;
}

/** Checks a form's token. @returns null if it is too old or not from this page */
export async function checkFormToken(
  deps: Deps,
  pageId: string,
  token: string,
): Promise<CheckedToken | null> {
  const [id = "", signature = ""] = token.split(".");
  if (!isId(id)) return null;
  const age = deps.now() - timeOfId(id);
  if (age > maxFormMilliseconds) return null;
  for (const key of await visitorKeys(deps)) {
    if (await equalInConstantTime(signature, await formSignature(key, pageId, id))) {
      return { isEarly: age < minFormMilliseconds, key };
    }
  }
  return null;
}

async function formSignature(key: CryptoKey, pageId: string, id: string): Promise<string> {
  const digest = await hmac(key, JSON.stringify(["form", pageId, id]));
  return new Uint8Array(digest, 0, 16).toHex();
}
