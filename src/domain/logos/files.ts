import { limits } from "../../contract/limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import * as store from "../../store/logos/files.ts";
import type { LogoId } from "../../store/logos/logos.ts";
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

/** Returns the most bytes of a logo's file. */
export const maxLogoBytes = ({ files }: Pick<Deps, "files">): number =>
  files === undefined ? limits.logoInCatalogue.bytes : limits.logo.bytes;

/** Writes the file of a logo, and the drawing of an SVG. @throws internal (503) if its store fails */
export async function writeLogoFile(
  deps: Deps,
  logo: LogoId,
  bytes: Uint8Array,
  drawing: string | undefined,
): Promise<void> {
  try {
    await withTimeout(deps, timeoutMilliseconds, () => store.writeLogoFile(deps, logo, bytes, drawing));
  } catch (error) {
    log("error", "logo not stored", { ...logo, error: describeError(error) });
    throw logoUnavailable("The logo can't be stored right now.");
  }
}

/** Writes the drawing of a stored logo. @throws if its store fails */
export const writeLogoDrawing = (deps: Deps, logo: LogoId, drawing: string): Promise<void> =>
  withTimeout(deps, timeoutMilliseconds, () => store.writeLogoDrawing(deps, logo, drawing));

/**
 * Reads a logo's file. @throws internal (503) if its store fails, because an image without its logo would be a different image
 */
export const readLogoFile = (deps: Deps, logo: LogoId): Promise<Uint8Array<ArrayBuffer>> =>
  read(deps, logo, async () => {
    const bytes = await store.readLogoFile(deps, logo);
    if (bytes === null) throw new Error("the file is missing");
    return bytes;
  });

/** Reads a logo's drawing; null if it is missing. @throws internal (503) if its store fails */
export const readLogoDrawing = (deps: Deps, logo: LogoId): Promise<string | null> =>
  read(deps, logo, () => store.readLogoDrawing(deps, logo));

async function read<T>(deps: Deps, logo: LogoId, from: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(deps, timeoutMilliseconds, from);
  } catch (error) {
    log("error", "logo not read", { ...logo, error: describeError(error) });
    throw logoUnavailable("The logo of this image can't be read right now.");
  }
}
