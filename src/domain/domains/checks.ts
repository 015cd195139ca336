import { limits } from "../../contract/limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { serviceActor } from "../../protocol/history.ts";
import * as store from "../../store/domains/domains.ts";
import type { Deps } from "../deps.ts";
import { changeResource } from "../resources/change.ts";
import { advanceClaim, type ClaimProgress, hasProof, releaseHost } from "./claims.ts";
import { CustomHostnameError } from "./custom-hostnames.ts";
import { hasRequestsLeft, requestsMade } from "./requests.ts";
import { domainResource, givenByOperator } from "./resource.ts";

/**
 * The work of a sweep for domains. All its requests to DNS and to Cloudflare leave some of the 50 that an invocation has. A
 * proof takes up to two, so that the rest is enough for a check, which takes up to 22 and usually a few.
 */
const sweep = { requests: 44, proofs: 10, checks: 8, requestsPerCheck: 22 };

/** When the sweep tries again to check a domain after a fault of ours, milliseconds. */
const retryMilliseconds = 10 * 60_000;

/**
 * Checks the domains that are due, and ends what is over: claims without proof, and custom hostnames of removed domains.
 * Claims wait for their proof apart from the others. Workspaces have turns, so that many domains of one hold up no other.
 */
export async function checkDueDomains(deps: Deps): Promise<void> {
  const before = requestsMade(deps);
  for (const row of await store.listDueDomains(deps.db, "unproved", deps.now(), sweep.proofs)) {
    await tryToCheck(deps, row, true);
  }
  for (const row of await store.listDueDomains(deps.db, "others", deps.now(), sweep.checks)) {
    const left = sweep.requests - (requestsMade(deps) - before);
    if (left < sweep.requestsPerCheck || !(await hasRequestsLeft(deps, "sweep"))) return;
    await tryToCheck(deps, row, false);
  }
}

async function tryToCheck(deps: Deps, row: store.DomainRow, proofOnly: boolean): Promise<void> {
  try {
    await checkRow(deps, row, proofOnly);
  } catch (error) {
    log("error", "domain not checked", { host: row.host, error: describeError(error) });
    await store.saveCheck(deps.db, row, { checkAt: deps.now() + retryMilliseconds });
  }
}

/**
 * Checks how far a domain is, because a person asks for it: at most once a minute, and while the installation has requests
 * to Cloudflare left.
 * @returns `before` if it was checked within the minute, `later` if the sweep does it soon
 */
export async function checkOnRequest(deps: Deps, row: store.DomainRow): Promise<"now" | "before" | "later"> {
  const now = deps.now();
  if (!(await hasRequestsLeft(deps, "person"))) {
    await store.saveCheck(deps.db, row, { checkAt: now });
    return "later";
  }
  if (!(await store.beginCheck(deps.db, row, now, now - limits.domain.checkMilliseconds))) return "before";
  await checkRow(deps, row, false);
  return "now";
}

/**
 * Checks how far a domain is, and stores that. Can be interrupted anywhere, and repeated.
 * @param proofOnly whether an unproved claim only looks for its proof, and the sweep goes on
 */
export async function checkRow(deps: Deps, row: store.DomainRow, proofOnly: boolean): Promise<void> {
  if (row.deletedAt !== null) return release(deps, row);
  const now = deps.now();
  if (row.token === givenByOperator && row.status !== "active") {
    const isFree = (await store.findHolder(deps.db, row.host)) === undefined;
    return save(deps, row, {
      status: isFree ? "active" : "unproved",
      provedAt: isFree ? now : null,
      customHostnameId: null,
      problem: isFree ? null : "held_by_another_workspace",
      detail: null,
      checkAt: now + dayLength,
    });
  }
  const claimEnd = row.claimedAt + limits.domain.claimDays * dayLength;
  if (row.status === "unproved" && now >= claimEnd) return endClaim(deps, row);
  const progress = await advanceClaim(
    deps,
    { ...row, createdAt: row.claimedAt },
    {
      mayTake: () => mayTake(deps, row),
      inUse: () => store.countCustomHostnames(deps.db),
      proofOnly,
    },
  );
  if (row.provedAt === null && progress.provedAt !== null) await takeFromHolder(deps, row);
  await save(deps, row, progress);
}

/** Returns whether the host is free: suspended nowhere else, and held by nobody else whose proof still stands. */
async function mayTake(deps: Deps, row: store.DomainRow): Promise<boolean> {
  const { id, host } = row;
  if (await store.isSuspendedElsewhere(deps.db, row)) return false;
  const holder = await store.findHolder(deps.db, host);
  if (holder === undefined || holder.id === id) return true;
  return holder.token !== givenByOperator && (await hasProof(deps, host, holder.token)) === false;
}

/** Takes a host from the workspace that no longer proves it. */
async function takeFromHolder(deps: Deps, { id, host }: store.DomainRow): Promise<void> {
  const holder = await store.findHolder(deps.db, host);
  if (holder === undefined || holder.id === id) return;
  await save(deps, holder, {
    status: "unproved",
    provedAt: null,
    customHostnameId: null,
    problem: "held_by_another_workspace",
    detail: null,
    checkAt: deps.now() + dayLength,
  });
}

/**
 * Stores the progress of a domain that has not changed since it was read. Only a new status is a change that its owner
 * sees in the history.
 */
async function save(deps: Deps, row: store.DomainRow, progress: ClaimProgress): Promise<void> {
  const { status, provedAt, ...check } = { ...progress, checkedAt: deps.now() };
  if (status === row.status && (provedAt === null) === (row.provedAt === null)) {
    return store.saveCheck(deps.db, row, check);
  }
  const newest = await store.findNewestRoute(deps.db, row.host);
  const context = { workspaceId: row.workspaceId, actor: serviceActor };
  const isLost = provedAt === null && row.provedAt !== null;
  const values = { status, provedAt, ...check, ...(isLost && { claimedAt: deps.now() }) };
  await changeResource(deps, context, domainResource, row.id, (before) =>
    before.version === row.version
      ? { ...before, ...values, routeVersion: Math.max(before.routeVersion, newest) }
      : before,
  );
}

/** Ends a claim that nobody proved. */
async function endClaim(deps: Deps, row: store.DomainRow): Promise<void> {
  const context = { workspaceId: row.workspaceId, actor: serviceActor };
  await changeResource(deps, context, domainResource, row.id, (before) =>
    before.version === row.version ? { ...before, deletedAt: deps.now(), checkAt: null } : before,
  );
}

/**
 * Gives a custom hostname of a workspace that is being erased back to Cloudflare.
 * @returns whether it has no other
 * @throws CustomHostnameError if it is worth another try
 */
export async function releaseOneHost(deps: Deps, workspaceId: string): Promise<boolean> {
  const row = await store.findWithCustomHostname(deps.db, workspaceId);
  if (row === undefined) return true;
  try {
    await release(deps, row);
  } catch (error) {
    // Without a token that works, the workspace's erasure would never end.
    if (!(error instanceof CustomHostnameError && error.failure === "unready")) throw error;
    const { host, customHostnameId } = row;
    log("error", "custom hostname not given back", { host, customHostnameId, error: describeError(error) });
    await store.saveCheck(deps.db, row, { customHostnameId: null, checkAt: null });
  }
  return false;
}

/** Gives the custom hostname of a removed domain back. */
async function release(deps: Deps, row: store.DomainRow): Promise<void> {
  if (row.customHostnameId !== null) {
    const holder = await store.findHolder(deps.db, row.host);
    const isShared = holder?.id !== row.id && holder?.customHostnameId === row.customHostnameId;
    if (!isShared) await releaseHost(deps, row.customHostnameId);
  }
  await store.saveCheck(deps.db, row, { customHostnameId: null, checkAt: null });
}
