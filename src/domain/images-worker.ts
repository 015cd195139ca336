import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/with-timeout.ts";
import type { ImagesMethods } from "../protocol/images.ts";
import type { Remote } from "../protocol/remote.ts";
import type { Deps } from "./deps.ts";
import { ServiceError } from "./errors.ts";

export type RemoteImages = Remote<ImagesMethods>;

/** The default timeout for the images Worker. */
const timeoutMilliseconds = 30_000;

interface Asked {
  /** The requested result, to begin a sentence with. */
  readonly what: string;
  /** A sentence about an alternative that works without it. */
  readonly instead: string;
  readonly milliseconds?: number;
}

/**
 * Calls the images Worker.
 * @throws internal (503) if it isn't installed or fails
 */
export async function askImagesWorker<T>(
  deps: Deps,
  { what, instead, milliseconds = timeoutMilliseconds }: Asked,
  ask: (images: RemoteImages) => Promise<T>,
): Promise<T> {
  const { images } = deps;
  if (images === undefined) throw notInstalled({ what, instead });
  try {
    return await withTimeout(deps, milliseconds, () => ask(images));
  } catch (error) {
    log("error", "images Worker failed", { what, error: describeError(error) });
    throw unavailable({ what, instead });
  }
}

/** The error where the images Worker fails. */
export const unavailable = ({ what, instead }: Asked): ServiceError =>
  new ServiceError(
    "internal",
    `${what} needs the images Worker, which is temporarily unavailable. Try again in a few seconds. ${instead}`,
    { status: 503, headers: { "retry-after": "5" } },
  );

/** The error where there is no images Worker. */
export const notInstalled = ({ what, instead }: Asked): ServiceError =>
  new ServiceError("internal", `${what} needs the images Worker, which isn't installed here. ${instead}`, {
    status: 503,
  });

/** How long the images Worker may take for a minimal drawing. */
const probeMilliseconds = 10_000;

const probe = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" width="1" height="1"/>';

/** Returns whether the images Worker works. True if it isn't installed, since waiting wouldn't change that. */
export async function canDraw(deps: Deps): Promise<boolean> {
  const { images } = deps;
  if (images === undefined) return true;
  try {
    await withTimeout(deps, probeMilliseconds, () => images.png(probe, 1));
    return true;
  } catch {
    return false;
  }
}
