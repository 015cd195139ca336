import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import * as store from "../../store/templates/logo-files.ts";
import type { LogoId } from "../../store/templates/logos.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";

/** How long a request waits for a file. */
const timeoutMilliseconds = 5000;

/** @param problem why the request can't be completed now, as a sentence */
export const logoUnavailable = (problem: string) =>
  new ServiceError("internal", `${problem} Try again in a few seconds.`, {
    status: 503,
    headers: { "retry-after": "5" },
  });

/** Writes the file of a logo. @throws internal (503) if its store fails */
export async function writeLogoFile(deps: Deps, logo: LogoId, bytes: Uint8Array): Promise<void> {
  try {
    await withTimeout(deps, timeoutMilliseconds, () => store.writeLogoFile(deps, logo, bytes));
  } catch (error) {
    log("error", "logo not stored", { ...logo, error: describeError(error) });
    throw logoUnavailable("The logo can't be stored right now.");
  }
}

/**
 * Reads a logo's file. @throws internal (503) if its store fails, because an image without its logo would be a different image
 */
export async function readLogoFile(deps: Deps, logo: LogoId): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = await withTimeout(deps, timeoutMilliseconds, () => store.readLogoFile(deps, logo));
    if (bytes === null) throw new Error("the file is missing");
    return bytes;
  } catch (error) {
    log("error", "logo not read", { ...logo, error: describeError(error) });
    throw logoUnavailable("The logo of this image can't be read right now.");
  }
}
