import type { Deps } from "../deps.ts";
import * as store from "../../store/dead-letters.ts";

/** Stores a queue message that failed every retry. */
export async function saveDeadLetter(deps: Deps, queue: string, id: string, body: unknown): Promise<void> {
  await store.saveDeadLetter(deps.db, { id, queue, body, createdAt: deps.now() });
}
