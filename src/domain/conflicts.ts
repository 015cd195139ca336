import { limits } from "../contract/limits.ts";
import { log } from "../lib/log.ts";
import type { Deps } from "./deps.ts";
import { ServiceError, unavailableSeconds } from "./errors.ts";

/** Notes what an attempt is based on, which other requests may change before it is stored. @returns it */
export type Note = <Read>(read: Read) => Read;

/**
 * Repeats a change for as long as other requests get ahead of it, after random, growing pauses.
 * @param resource the noun for the changed resource
 * @param attempt must store nothing if it returns `conflict`
 * @param patience gives up after this many milliseconds of pauses; by default after some attempts
 * @throws internal when it gives up: 503, or 500 where each attempt was based on the same, so that nobody got ahead
 */
export async function retryOnConflict<T>(
  deps: Deps,
  resource: string,
  attempt: (note: Note) => Promise<T | "conflict">,
  patience?: number,
): Promise<T> {
  const reads: unknown[][] = [];
  let paused = 0;
  for (let attempts = 1; ; attempts += 1) {
    const read: unknown[] = [];
    const outcome = await attempt((each) => {
      read.push(each);
      return each;
    });
    if (outcome !== "conflict") return outcome;
    reads.push(read);
    if (patience === undefined ? attempts === limits.changeAttempts.count : paused > patience) break;
    const milliseconds = Math.ceil(Math.random() * Math.min(1000, 10 * 2 ** attempts));
    await deps.pause(milliseconds);
    paused += milliseconds;
  }
  if (new Set(reads.map((read) => JSON.stringify(read))).size === 1) {
    log("error", "change refused", { resource, attempts: reads.length });
    throw new ServiceError(
      "internal",
      `The ${resource} couldn't be changed, which is a fault of this service.`,
    );
  }
  throw new ServiceError("internal", `Other requests are changing the ${resource}. Try again.`, {
    status: 503,
    headers: { "retry-after": String(unavailableSeconds) },
  });
}

/**
 * Finds a code, and does to it what is decided upon what was found; over again where another request has created, changed
 * or deleted it meanwhile.
 * @param decide whose errors are final
 * @throws as retryOnConflict
 */
export const actOnCode = <Found, Result>(
  deps: Deps,
  find: () => Promise<Found>,
  decide: (found: Found) => () => Promise<Result>,
): Promise<Result> =>
  retryOnConflict(deps, "QR code", async (note) => {
    const act = decide(note(await find()));
    try {
      return await act();
    } catch (error) {
      if (error instanceof ServiceError && isConflict(error)) return "conflict";
      throw error;
    }
  });

const isConflict = ({ status, invalid: wrong }: ServiceError): boolean =>
  status === 412 || status === 404 || (status === 409 && wrong?.field === "externalId");
