import { pruneAbuseReports } from "../domain/abuse-reports/review.ts";
import { deleteAbandonedJobs } from "../domain/bulk/staging.ts";
import type { Deps } from "../domain/deps.ts";
import { checkDueDomains } from "../domain/domains/checks.ts";
import { countWaiting, forwardStrandedEvents } from "../domain/events/forwarding.ts";
import { completePendingRevocations } from "../domain/identity/revocation.ts";
import { pruneSessions } from "../domain/identity/sessions.ts";
import { pruneSignIns } from "../domain/identity/sign-in-links.ts";
import { measureStoredDesigns } from "../domain/images/unmeasured.ts";
import { resumeStrandedJobs } from "../domain/jobs/queue.ts";
import { convertStoredLogo } from "../domain/logos/pictures.ts";
import { removeUnusedLogos } from "../domain/logos/removal.ts";
import { sendAlerts } from "../domain/operations/alerts.ts";
import { pruneDeadLetters, retryScans } from "../domain/operations/dead-letters.ts";
import { findDueWork, type Work } from "../domain/operations/due-work.ts";
import { eraseDeleted } from "../domain/operations/erasure.ts";
import { pruneFigures } from "../domain/operations/figures.ts";
import {
  pruneBulkItems,
  pruneExpiredKeys,
  pruneIdempotencyRecords,
  pruneProposals,
  pruneRevokedKeys,
} from "../domain/operations/pruning.ts";
import { noteSweep } from "../domain/operations/sweep-runs.ts";
import { removeUnusedPageImages } from "../domain/pages/image-removal.ts";
import { removeExpiredPrints } from "../domain/print/removal.ts";
import { healRouteCache } from "../domain/routing/cache-check.ts";
import { repairStalePublications } from "../domain/routing/repair.ts";
import { eraseWorkspaces } from "../domain/workspaces/erasure.ts";
import { describeError, log } from "../lib/log.ts";

interface Task {
  readonly run: (deps: Deps) => Promise<void>;
  /** It runs if one of these is due. */
  readonly work: readonly Work[];
}

/** Tasks of every minute: they prune old records and resume work that a crash interrupted. */
export const tasks: Readonly<Record<string, Task>> = {
  pruneIdempotencyRecords: { run: pruneIdempotencyRecords, work: ["idempotencyRecords"] },
  pruneProposals: { run: pruneProposals, work: ["proposals"] },
  pruneBulkItems: { run: pruneBulkItems, work: ["bulkItems", "bulkJobs"] },
  pruneSessions: { run: pruneSessions, work: ["sessions"] },
  pruneSignIns: {
    run: pruneSignIns,
    work: ["signInLinks", "invitations", "challenges", "operatorSessions"],
  },
  pruneFigures: { run: pruneFigures, work: ["figures"] },
  pruneRevokedKeys: { run: pruneRevokedKeys, work: ["revokedKeys"] },
  pruneExpiredKeys: { run: pruneExpiredKeys, work: ["expiredKeys"] },
  eraseDeleted: {
    run: eraseDeleted,
    work: ["deletedCodes", "deletedPages", "deletedRows"],
  },
  checkDueDomains: { run: checkDueDomains, work: ["domainChecks"] },
  eraseWorkspaces: { run: eraseWorkspaces, work: ["deletedWorkspaces"] },
  removeUnusedLogos: { run: removeUnusedLogos, work: ["logos", "logosBeingRemoved"] },
  removeUnusedPageImages: { run: removeUnusedPageImages, work: ["pageImages"] },
  measureStoredDesigns: { run: measureStoredDesigns, work: ["unmeasuredDesigns"] },
  convertStoredLogo: { run: convertStoredLogo, work: ["unconvertedLogos"] },
  completePendingRevocations: { run: completePendingRevocations, work: ["revocations"] },
  pruneDeadLetters: { run: pruneDeadLetters, work: ["deadLetters"] },
  retryScans: { run: retryScans, work: ["unrecordedScans"] },
  pruneAbuseReports: { run: pruneAbuseReports, work: ["abuseReports", "openReports"] },
  forwardStrandedEvents: { run: forwardStrandedEvents, work: ["events"] },
  countWaiting: { run: countWaiting, work: ["events", "waitingBytes"] },
  healRouteCache: {
    run: healRouteCache,
    work: ["provedDomains", "suspendedWorkspaces", "deletedWorkspaces"],
  },
  repairStalePublications: { run: repairStalePublications, work: ["publications", "cacheRefusals"] },
  resumeStrandedJobs: { run: resumeStrandedJobs, work: ["unfinishedBulkJobs", "unfinishedPrints"] },
  deleteAbandonedJobs: { run: deleteAbandonedJobs, work: ["unfinishedBulkJobs"] },
  removeExpiredPrints: { run: removeExpiredPrints, work: ["expiredPrints", "removedPrints"] },
};

/** Runs the tasks that have work. A failing task doesn't affect the others and runs again a minute later. */
export async function sweep(deps: Deps): Promise<void> {
  const run = async (task: string, work: (deps: Deps) => Promise<void>) => {
    try {
      await work(deps);
      return true;
    } catch (error) {
      log("error", "sweep failed", { task, error: describeError(error) });
      return false;
    }
  };
  let isDue: (work: Work) => boolean = () => true;
  const isKnown = await run("findDueWork", async () => {
    isDue = await findDueWork(deps);
  });
  const due = Object.entries(tasks).filter(([, { work }]) => work.some(isDue));
  const done = await Promise.all(due.map(([name, task]) => run(name, task.run)));
  done.push(await run("sendAlerts", sendAlerts));
  await run("noteSweep", () => noteSweep(deps, !isKnown || done.includes(false)));
}
