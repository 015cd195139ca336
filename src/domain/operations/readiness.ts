import type { Readiness } from "../../contract/resources/operations.ts";
import { describeError, log } from "../../lib/log.ts";
import { TimeoutError, withTimeout } from "../../lib/with-timeout.ts";
import { regions } from "../../protocol/regions.ts";
import { readCatalogue, readRouteCache } from "../../store/operations/readiness.ts";
import type { Deps } from "../deps.ts";
import { queuesOf } from "./queues.ts";

/** How long a part may take to respond. */
const partMilliseconds = 3000;

/** The name of the ledger and meter that are read. No workspace or key has this name. */
const probe = "readiness";

/** Returns, for each part, a read that shows whether it works. Queues are asked for their metrics; nothing is sent. */
function checksOf(deps: Deps): Record<string, () => Promise<unknown>> {
  return {
    "route cache": () => readRouteCache(deps.routeCache),
    ledger: () => deps.ledger(probe).countScans(),
    meter: () => deps.meter(probe).used(deps.now()),
    ...Object.fromEntries(
      regions.map((region) => [`feed ${region}`, () => deps.feed(region).changes(Number.MAX_SAFE_INTEGER)]),
    ),
    ...Object.fromEntries(
      Object.entries(queuesOf(deps)).map(([name, queue]) => [`queue ${name}`, () => queue.metrics()]),
    ),
  };
}

/** Reads from every store and queue in parallel. Errors are logged; the result doesn't contain their text. */
export async function checkReadiness(deps: Deps): Promise<Readiness> {
  let catalogueBytes: number | null = null;
  const readSize = async () => {
    catalogueBytes = await readCatalogue(deps.db);
  };
  const checks = { catalogue: readSize, ...checksOf(deps) };
  const parts = await Promise.all(
    Object.entries(checks).map(([name, check]) => checkPart(deps, name, check)),
  );
  return { ready: parts.every(({ status }) => status === "ok"), catalogueBytes, parts };
}

async function checkPart(
  deps: Deps,
  name: string,
  check: () => Promise<unknown>,
): Promise<Readiness["parts"][number]> {
  const began = deps.now();
  const result = (status: "ok" | "failed", problem: string | null) => ({
    name,
    status,
    milliseconds: deps.now() - began,
    problem,
  });
  try {
    await withTimeout(deps, partMilliseconds, check);
    return result("ok", null);
  } catch (error) {
    log("error", "not ready", { part: name, error: describeError(error) });
    return result("failed", error instanceof TimeoutError ? error.message : "answered an error");
  }
}
