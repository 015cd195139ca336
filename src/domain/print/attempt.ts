import { describeError, log } from "../../lib/log.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import { canDraw } from "../images-worker.ts";

/** A drawing, or a sentence that says why there is none. */
export type Attempt<T> = { readonly drawn: T } | { readonly error: string };

/**
 * Draws one code among many, so that it fails alone. A failure on our side is retried, and blamed on the code only if
 * the images Worker can draw others.
 * @throws while the images Worker is down
 */
export async function attemptDrawing<T>(deps: Deps, draw: () => Promise<T>): Promise<Attempt<T>> {
  for (let isRepetition = false; ; isRepetition = true) {
    try {
      return { drawn: await draw() };
    } catch (error) {
      const known = error instanceof ServiceError ? error : undefined;
      if (known !== undefined && known.status < 500) return { error: known.message };
      if (!(await canDraw(deps))) throw error;
      if (!isRepetition) continue;
      log("error", "code of a print not drawn", { error: describeError(error) });
      return {
        error: known?.message ?? "The code couldn't be drawn because something went wrong on our side.",
      };
    }
  }
}
