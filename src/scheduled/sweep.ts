import { itemMilliseconds } from "../domain/bulk/expiry.ts";
import { deleteAbandonedJobs } from "../domain/bulk/staging.ts";
import type { Deps } from "../domain/deps.ts";
import { checkDueDomains } from "../domain/domains/checks.ts";
import { countWaiting, forwardStrandedEvents } from "../domain/events/forwarding.ts";
import { completePendingRevocations } from "../domain/identity/revocation.ts";
import { measureStoredDesigns } from "../domain/images/unmeasured.ts";
import { resumeStrandedJobs } from "../domain/jobs/queue.ts";
import { convertStoredLogo } from "../domain/logos/pictures.ts";
import { logoRemoval, removeUnusedLogos } from "../domain/logos/removal.ts";
import { sendAlerts } from "../domain/operations/alerts.ts";
import { retryScans } from "../domain/operations/dead-letters.ts";
import { findDueWork, type IsDue, type Work } from "../domain/operations/due-work.ts";
import { eraseDeleted } from "../domain/operations/erasure.ts";
import { emptyProposals, pruneBulkItems, pruningTasks } from "../domain/operations/pruning.ts";
import { noteSweep } from "../domain/operations/sweep-runs.ts";
import { pageImageRemoval, removeUnusedPageImages } from "../domain/pages/image-removal.ts";
import { removeExpiredPrints } from "../domain/print/removal.ts";
import { restorableMilliseconds } from "../domain/restorable.ts";
import { healRouteCache } from "../domain/routing/cache-check.ts";
import { repairStalePublications } from "../domain/routing/repair.ts";
import { sendWorkspaceAlerts } from "../domain/workspaces/alerts.ts";
import { eraseWorkspaces } from "../domain/workspaces/erasure.ts";
import { routing } from "../edge/routing/timing.ts";
import { describeError, log } from "../lib/log.ts";

interface Task {
  readonly run: (deps: Deps) => Promise<void>;
  /** It runs if one of these is due, at its time or so many milliseconds later. */
  readonly work: readonly (readonly [Work, after?: number])[];
}

/** Tasks of every minute: they prune old records and resume work that a crash interrupted. */
export const tasks: Readonly<Record<string, Task>> = {
  ...Object.fromEntries(pruningTasks.map(({ kind, run }) => [`prune ${kind}`, { run, work: [[kind]] }])),
  emptyProposals: { run: emptyProposals, work: [["proposalContents"]] },
  pruneBulkItems: { run: pruneBulkItems, work: [["bulkItems", itemMilliseconds]] },
  eraseDeleted: { run: eraseDeleted, work: [["deleted", restorableMilliseconds]] },
  checkDueDomains: { run: checkDueDomains, work: [["domainChecks"]] },
  sendWorkspaceAlerts: { run: sendWorkspaceAlerts, work: [["alertChecks"]] },
  eraseWorkspaces: { run: eraseWorkspaces, work: [["deletedWorkspaces"]] },
  removeUnusedLogos: {
    run: removeUnusedLogos,
    work: [["logos", logoRemoval.graceMilliseconds], ["logosBeingRemoved"]],
  },
  removeUnusedPageImages: {
    run: removeUnusedPageImages,
    work: [["pageImages", pageImageRemoval.graceMilliseconds]],
  },
  measureStoredDesigns: { run: measureStoredDesigns, work: [["unmeasuredDesigns"]] },
  convertStoredLogo: { run: convertStoredLogo, work: [["unconvertedLogos"]] },
  completePendingRevocations: { run: completePendingRevocations, work: [["revocations"]] },
  retryScans: { run: retryScans, work: [["unrecordedScans"]] },
  forwardStrandedEvents: { run: forwardStrandedEvents, work: [["events"]] },
  countWaiting: { run: countWaiting, work: [["events"], ["waitingBytes"]] },
  healRouteCache: {
    run: healRouteCache,
    work: [["provedDomains"], ["suspendedWorkspaces"], ["deletedWorkspaces"]],
  },
  repairStalePublications: {
    run: repairStalePublications,
    work: [["publications", routing.stalePublicationMilliseconds], ["cacheRefusals"]],
  },
  resumeStrandedJobs: { run: resumeStrandedJobs, work: [["unfinishedBulkJobs"], ["unfinishedPrints"]] },
  deleteAbandonedJobs: { run: deleteAbandonedJobs, work: [["unfinishedBulkJobs"]] },
  removeExpiredPrints: { run: removeExpiredPrints, work: [["expiredPrints"]] },
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
  let isDue: IsDue = () => true;
  const isKnown = await run("findDueWork", async () => {
    isDue = await findDueWork(deps);
  });
  // A restored installation stays as the backup has it until it is in use.
  if (isKnown && isDue("restored")) return;
  const due = Object.entries(tasks).filter(([, { work }]) => work.some((due) => isDue(...due)));
  const done = await Promise.all(due.map(([name, task]) => run(name, task.run)));
  done.push(await run("sendAlerts", sendAlerts));
  await run("noteSweep", () => noteSweep(deps, !isKnown || done.includes(false)));
}
