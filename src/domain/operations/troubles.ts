import { perIsolate } from "../../lib/isolate-memory.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Deps } from "../deps.ts";
import { backlogOf } from "./queues.ts";

/** Something about the service that everyone who uses it should know: scans aren't counted, or a part is missing. */
export type Trouble = "uncounted" | "incomplete";

/** How long an isolate remembers whether scans wait, and how long it asks: pages wait for the answer. */
const rememberedMilliseconds = 60_000;
const askingMilliseconds = 500;

const lateScans = perIsolate(() => ({ askedAt: Number.NEGATIVE_INFINITY, areLate: false }));

/** Returns the troubles that are known without reading a store: by the bindings, and by the age of scans on their queue. */
export async function troublesOf(deps: Deps): Promise<readonly Trouble[]> {
  const { missingBindings } = deps.settings;
  const isUncounted = missingBindings.includes("LEDGERS") || (await areScansLate(deps));
  return [
    ...(isUncounted ? (["uncounted"] as const) : []),
    ...(missingBindings.length > 0 ? (["incomplete"] as const) : []),
  ];
}

async function areScansLate(deps: Deps): Promise<boolean> {
  const memory = lateScans(deps);
  const now = deps.now();
  if (now - memory.askedAt >= rememberedMilliseconds) {
    memory.askedAt = now;
    const asking = withTimeout(deps, askingMilliseconds, () => backlogOf(deps, deps.scanQueue));
    // A queue that doesn't answer says nothing about scans. The operator's checks name it.
    memory.areLate = await asking.then(
      ({ isLate }) => isLate,
      () => false,
    );
  }
  return memory.areLate;
}
