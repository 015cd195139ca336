import * as z from "zod";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";

/** Times in milliseconds; the response's size in bytes. */
const rules = {
  timeout: 500,
  /** How long an isolate caches a verdict. */
  memory: 10 * 60_000,
  /** How long an isolate doesn't ask again after a failure. */
  pause: 30_000,
  hostsPerRequest: 500,
  /** Requests at a time: an invocation can have six connections waiting for headers. */
  requestsAtOnce: 6,
  answer: 256 * 1024,
};

/** Requests that one call may make. The others of an invocation are for what else it asks. */
const mostRequests = bounds.externalRequests - 10;

const tooManyHosts = () => {
  const most = mostRequests * rules.hostsPerRequest;
  return new ServiceError(
    "invalid_input",
    `The rows lead to more than ${most.toLocaleString("en")} different hosts. Send them in smaller jobs.`,
  );
};

const Verdict = z.object({ blocked: z.array(z.string()) });

const memory = perIsolate(() => ({
  verdicts: new BoundedMap<string, { blocked: boolean; until: number }>(10_000),
  pausedUntil: 0,
}));

/**
 * Returns the host names that the reputation service blocks; none if there is no such service. If it fails or takes too
 * long, hosts are allowed and the failure is logged.
 * @throws invalid_input for more names than an invocation can ask about
 */
export async function findDisreputable(deps: Deps, names: ReadonlySet<string>): Promise<Set<string>> {
  if (deps.settings.reputationUrl === "" || names.size === 0) return new Set();
  const now = deps.now();
  const remembered = memory(deps);
  const known = (name: string) => {
    const verdict = remembered.verdicts.get(name);
    return verdict !== undefined && verdict.until > now ? verdict : undefined;
  };
  const blocked = new Set([...names].filter((name) => known(name)?.blocked));
  const unknown = [...names].filter((name) => known(name) === undefined);
  if (now < remembered.pausedUntil) return blocked;
  const requests = [...chunksBySize(unknown, rules.hostsPerRequest, () => 1)];
  if (requests.length > mostRequests) throw tooManyHosts();
  const check = async (hosts: readonly string[]) => {
    try {
      const verdicts = await withTimeout(deps, rules.timeout, (signal) => ask(deps, hosts, signal));
      for (const name of hosts) {
        const isBlocked = verdicts.has(name);
        remembered.verdicts.set(name, { blocked: isBlocked, until: now + rules.memory });
        if (isBlocked) blocked.add(name);
      }
    } catch (error) {
      log("warn", "reputation unknown", { hosts: hosts.length, error: describeError(error) });
      remembered.pausedUntil = now + rules.pause;
    }
  };
  for (const together of chunksBySize(requests, rules.requestsAtOnce, () => 1)) {
    if (now < remembered.pausedUntil) break;
    await Promise.all(together.map(check));
  }
  return blocked;
}

/** @throws if the service fails or its response is invalid, and the signal's reason */
async function ask(deps: Deps, hosts: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
  const response = await deps.fetch(deps.settings.reputationUrl, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ hosts }),
    redirect: "manual",
    signal,
  });
  const text = await readAtMost(response.body, rules.answer, signal);
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  return new Set(Verdict.parse(JSON.parse(text)).blocked);
}
