import type { Deps } from "../deps.ts";
import { forgetOldAnswers } from "../domain/idempotency.ts";

/** What runs each minute: cleaning up, and taking up what a crash left behind. */
export async function sweep(deps: Deps): Promise<void> {
  await forgetOldAnswers(deps);
}
