import { limits } from "../../contract/limits.ts";
import type { Difference, ProposalResult, ProposalStatus } from "../../contract/resources/codes/proposals.ts";
import { workUnits } from "../../contract/work-units.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { randomBase62 } from "../../lib/crypto/random.ts";
import { newId, timeOfId } from "../../lib/text/ids.ts";
import { sameJson } from "../../lib/text/json.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { findQrs } from "../../store/codes/codes.ts";
import { listKeyIds } from "../../store/identity/keys.ts";
import type { ProposalRow, ProposedChange, Seen } from "../../store/proposals.ts";
import * as store from "../../store/proposals.ts";
import { rowChanges } from "../bulk/changes/prepare-changes.ts";
import { createBulkJob, newJob } from "../bulk/jobs.ts";
import { startJob } from "../bulk/start.ts";
import type { Caller, Member, WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, rateLimited, requireFound, ServiceError } from "../errors.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { parseCursor, toPage } from "../paging.ts";
import { revertChange } from "../undo.ts";
import { type ExaminedChange, examineEntryUndo, itemsToChange, rowsToCreate } from "./examine.ts";

/** The changes that keys propose: each is examined first, and made by a token, or by a person. */

export type { ProposedChange };

/** A change that can be made now. */
export interface Proposal {
  readonly id: string;
  /** Makes the change, once; null if a person must confirm it. */
  readonly token: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly difference: Difference;
}

const tokenPrefix = "change_";

/**
 * Stores an examined change. @returns the token that makes it
 * @throws rate_limited while too many of the workspace's wait; plan_limit
 */
export async function propose(
  deps: Deps,
  caller: Caller,
  { change, seen, difference }: ExaminedChange,
): Promise<Proposal> {
  const { workspaceId, keyId, actor, personConfirms } = caller;
  const now = deps.now();
  const { minutes, personMinutes, bytes: cap } = limits.proposals;
  const token = personConfirms ? null : tokenPrefix + randomBase62(32);
  const row = {
    ...{ id: newId(now), workspaceId, keyId, proposedBy: actor, change, seen, difference },
    digest: token === null ? null : await sha256Hex(token),
    expiresAt: now + (personConfirms ? personMinutes : minutes) * 60_000,
  };
  if (!(await store.insertProposal(deps.db, row, now, cap))) throw rateLimited(minutes * 60);
  return { id: row.id, token, expiresAt: new Date(row.expiresAt).toISOString(), difference };
}

/**
 * Makes the change that a token stands for.
 * @throws invalid_input for a token of another key, or one that is used or has expired; (409) if what the change was
 * examined for has changed since; rate_limited; errors of the change
 */
export async function makeProposed(
  deps: Deps,
  caller: Caller,
  token: string,
  kinds: readonly ProposedChange["kind"][],
): Promise<ProposalResult> {
  const row = await store.findProposalByToken(deps.db, caller, await sha256Hex(token));
  if (row === undefined || (row.change !== null && !kinds.includes(row.change.kind))) {
    throw invalid("token", "isn't one that this key got from a dry run of this tool");
  }
  return make(deps, caller, row);
}

/** A proposal as people and agents read it. */
export interface DescribedProposal extends Pick<ProposalRow, "id" | "difference" | "proposedBy"> {
  /** The outcome; null until it is used. */
  readonly result: ProposalResult | null;
  readonly status: ProposalStatus;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  /** The name of who used it. */
  readonly usedBy: string | null;
}

/** @throws not_found */
export async function getProposal(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<DescribedProposal> {
  const row = await requireProposal(deps, workspaceId, id);
  const { difference, proposedBy, result, expiresAt, usedAt, usedBy } = row;
  const { jobId = null, entryId = null, error = null } = result ?? {};
  return {
    ...{ id, difference, proposedBy, status: statusOf(row, deps.now()) },
    result: result && { jobId, entryId, error },
    expiresAt: new Date(expiresAt).toISOString(),
    usedAt: isoTime(usedAt),
    usedBy: usedBy?.name ?? null,
  };
}

function statusOf({ usedAt, result, expiresAt }: ProposalRow, now: number): ProposalStatus {
  if (usedAt !== null) return result?.declined === true ? "declined" : "used";
  return expiresAt <= now ? "expired" : "waiting";
}

/** A change that waits for somebody to confirm it. */
export interface WaitingProposal extends Pick<store.WaitingProposal, "id" | "proposedBy" | "summary"> {
  /** ISO 8601. */
  readonly proposedAt: string;
  readonly expiresAt: string;
}

/** Returns a page of the changes that wait for somebody to confirm them, newest first. @throws invalid_input for a cursor of another list */
export async function listWaiting(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: WaitingProposal[]; nextCursor: string | null }> {
  const filters = "waiting changes";
  const after = parseCursor(cursor, filters);
  const rows = await store.listWaitingProposals(deps.db, workspaceId, deps.now(), {
    after,
    limit: limit + 1,
  });
  const { items, nextCursor } = toPage(rows, limit, filters);
  return { items: items.map(presentWaiting), nextCursor };
}

/** Returns the latest waiting changes that would change a code. */
export async function listWaitingOf(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  qrId: string,
  limit: number,
): Promise<WaitingProposal[]> {
  const rows = await store.listWaitingProposals(deps.db, workspaceId, deps.now(), { qrId, limit });
  return rows.map(presentWaiting);
}

const presentWaiting = ({ expiresAt, ...others }: store.WaitingProposal): WaitingProposal => ({
  ...others,
  proposedAt: new Date(timeOfId(others.id)).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});

const requireProposal = async (deps: Deps, workspaceId: string, id: string): Promise<ProposalRow> =>
  requireFound(await store.findProposal(deps.db, workspaceId, id), "Proposed change");

/**
 * Makes a change that a key proposed, as the person who confirms it.
 * @throws not_found; forbidden; invalid_input as makeProposed, and if the key has been revoked
 */
export async function confirmProposal(deps: Deps, member: Member, id: string): Promise<ProposalResult> {
  requirePermission(member, "codes.write");
  const row = await requireProposal(deps, member.workspaceId, id);
  if (row.digest !== null) throw invalid("", "This change needs no confirmation. Its key makes it.");
  if (!(await listKeyIds(deps.db, member.workspaceId)).includes(row.keyId)) {
    throw stale("The key that proposed this change has been revoked, so nothing was changed.");
  }
  return make(deps, member, row);
}

/** Ends a change that a key proposed, as the person who doesn't want it. @throws not_found; forbidden; invalid_input if it doesn't wait any more */
export async function declineProposal(deps: Deps, member: Member, id: string): Promise<void> {
  requirePermission(member, "codes.write");
  const row = await requireProposal(deps, member.workspaceId, id);
  if (row.digest !== null) throw invalid("", "This change needs no confirmation. Its key makes it.");
  const now = deps.now();
  const result = { jobId: null, entryId: null, error: null, declined: true } as const;
  if (row.usedAt === null && row.expiresAt <= now) throw stale("This proposal has expired already.");
  if (row.usedAt !== null || !(await store.useProposal(deps.db, row, now, member.actor, result))) {
    throw used(await requireProposal(deps, row.workspaceId, id));
  }
}

async function make(deps: Deps, context: WorkspaceContext, row: ProposalRow): Promise<ProposalResult> {
  const now = deps.now();
  const { change } = row;
  if (row.usedAt !== null) throw used(row);
  if (change === null || row.expiresAt <= now) throw stale("The dry run has expired. Run it again.");
  // Before the proposal is used, so that it can be made later.
  await takeHeavyWork(deps, context.workspaceId, workUnits.change(row.seen.length));
  if (!(await store.useProposal(deps.db, row, now, context.actor))) {
    throw used(await requireProposal(deps, row.workspaceId, row.id));
  }
  try {
    const result = await perform(deps, context, { ...row, change });
    await store.finishProposal(deps.db, row, result);
    return result;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await store.finishProposal(deps.db, row, { jobId: null, entryId: null, error: error.message });
    throw error;
  }
}

const stale = (message: string) => new ServiceError("invalid_input", message, { status: 409 });

function used({ usedAt, result }: ProposalRow): ServiceError {
  const at = new Date(usedAt ?? 0).toISOString();
  if (result?.declined === true) return stale(`This change was declined at ${at}, so nothing was changed.`);
  const outcome = result?.jobId ? ` It began the job ${result.jobId}.` : "";
  return stale(`This change was confirmed at ${at}, and can be made only once.${outcome}`);
}

async function perform(
  deps: Deps,
  context: WorkspaceContext,
  { change, seen, proposedBy, digest }: ProposalRow & { readonly change: ProposedChange },
): Promise<ProposalResult> {
  const proposer = digest === null ? { proposedBy: proposedBy.name } : {};
  if (change.kind === "create") {
    const options = { requireValid: true, atOnce: true, ...proposer };
    const rows = rowsToCreate(change.codes);
    const { jobId } = await createBulkJob(deps, context, rows, undefined, options);
    return { jobId, entryId: null, error: null };
  }
  if (change.kind === "undoEntry") {
    const now = await examineEntryUndo(deps, context, change.entryId);
    if (!sameJson(now.seen, seen)) throw changedSince(1);
    const { entry } = await revertChange(deps, context, change.entryId, { scope: "change" });
    return { jobId: null, entryId: entry?.id ?? null, error: null };
  }
  if (seen.length <= limits.proposals.atomic) await requireUnchanged(deps, context, seen);
  const items = await itemsToChange(deps, context, change, seen);
  const job = newJob(deps, "update", items.length, 0);
  const { jobId } = await startJob(
    deps,
    context,
    job,
    { items, change: jobChangeOf(change), source: null, ...proposer },
    { atOnce: true },
  );
  return { jobId, entryId: null, error: null };
}

const jobChangeOf = (change: Exclude<ProposedChange, { kind: "create" | "undoEntry" }>) => {
  if (change.kind === "rows") return rowChanges;
  return change.kind === "update" ? change.change : { revert: change.jobId };
};

/** @throws invalid_input (409) if some code doesn't have the version that was seen */
async function requireUnchanged(deps: Deps, { workspaceId }: WorkspaceContext, seen: Seen): Promise<void> {
  const ids = seen.map(([id]) => id);
  const codes = await findQrs(deps.db, workspaceId, ids);
  const changed = seen.filter(([id, version]) => codes.get(id)?.version !== version).length;
  if (changed > 0) throw changedSince(changed);
}

const changedSince = (count: number) =>
  stale(
    `${count === 1 ? "One of them has" : `${count} of them have`} changed since the dry run, so nothing was changed. Run it again.`,
  );
