import type { Finding } from "../../src/contract/resources/operations/operations.ts";
import { ApiError } from "../lib/account/api.ts";
import { advise, lacksPermission, permissions } from "../lib/installation/advice.ts";

export type { Finding };

export const ok = (name: string, what: string): Finding => ({ name, status: "ok", what, mend: null });
export const warning = (name: string, what: string, mend: string): Finding => ({
  name,
  status: "warning",
  what,
  mend,
});
export const failed = (name: string, what: string, mend: string): Finding => ({
  name,
  status: "failed",
  what,
  mend,
});
/** Something that could not be checked. @param mend lets it be checked the next time */
export const unknown = (name: string, what: string, mend: string | null = null): Finding => ({
  name,
  status: "unknown",
  what,
  mend,
});

const statusPage = "https://www.cloudflarestatus.com";
export const tokenPage = "https://dash.cloudflare.com/profile/api-tokens";

/**
 * Returns the finding for an error of a check by Cloudflare's API.
 * @throws the error, if it is another one
 */
export function ofError(name: string, error: unknown, accountId: string): Finding {
  if (error instanceof ApiError) return ofApiError(name, error, accountId);
  const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
  if (!isTimeout && !(error instanceof TypeError)) throw error;
  return unknown(name, `Not checked. Cloudflare's API can't be reached: ${error.message}.`, statusPage);
}

/** An answer says what the account lacks, or that the token isn't enough. */
function ofApiError(name: string, error: ApiError, accountId: string): Finding {
  const advice = lacksPermission(error) ? undefined : advise({ codes: error.codes, accountId });
  const [what = "", mend] = advice?.split(/\n.*?(?=https:|npm run )/) ?? [];
  if (mend !== undefined) return failed(name, what, mend.split(" or ")[0] ?? mend);
  if (error.isRefusal) {
    const [, permission] = permissions.find(([path]) => path.test(error.path)) ?? [];
    const reason = permission === undefined ? "" : `: it needs the permission "${permission}"`;
    return unknown(name, `Not checked. The token can't read this${reason}.`, tokenPage);
  }
  return unknown(name, `Not checked. Cloudflare's API answered: ${error.message}.`, statusPage);
}
