import type { Deps } from "../deps.ts";
import * as store from "../../store/dead-letters.ts";

/** Keeps a queue message that failed every retry. */
export async function keepDeadLetter(deps: Deps, queue: string, id: string, body: unknown): Promise<void> {
  await store.keepDeadLetter(deps.db, { id, queue, body, createdAt: deps.now() });
}
