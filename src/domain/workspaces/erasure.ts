import { erasureSteps } from "../../contract/resources/identity/leaving.ts";
import { describeError, log } from "../../lib/log.ts";
import { workspaceKey } from "../../protocol/routes.ts";
import * as store from "../../store/workspaces/deletion.ts";
import type { Deps } from "../deps.ts";
import { releaseOneHost } from "../domains/checks.ts";
import { callLedger } from "../ledger.ts";
import { publishPending } from "../routing/publish.ts";
import { closeWorkspace } from "./deletion.ts";

type Step = (typeof erasureSteps)[number];

export const workspaceErasure = {
  /** Workspaces that one sweep goes on with, and slices of each. */
  workspaces: 3,
  slices: 10,
  /** Codes or pages of a slice, its rows of other tables, and its files. */
  codes: 500,
  rows: 1000,
  files: 1000,
  /** When the next sweep goes on, milliseconds. */
  pause: 60_000,
};

/** Erases a slice of a part. @returns whether nothing of the part is left */
const eraseSlice: Readonly<Record<Step, (deps: Deps, workspaceId: string) => Promise<boolean>>> = {
  codes: async ({ db, now }, id) =>
    (await store.eraseWorkspaceCodes(db, id, now(), workspaceErasure.codes)) < workspaceErasure.codes,
  pages: async ({ db, now }, id) =>
    (await store.eraseWorkspacePages(db, id, now(), workspaceErasure.codes)) < workspaceErasure.codes,
  records: async (deps, id) =>
    (await releaseOneHost(deps, id)) &&
    (await store.deleteWorkspaceRows(deps.db, id, workspaceErasure.rows)) < workspaceErasure.rows,
  files: ({ files }, id) => (files === undefined ? Promise.resolve(true) : deleteFiles(files, id)),
  ledger: async (deps, id) => {
    await callLedger(deps, id, (ledger) => ledger.erase());
    return true;
  },
};

async function deleteFiles(files: R2Bucket, workspaceId: string): Promise<boolean> {
  for (const folder of ["archives", "logos", "page-images", "prints"]) {
    const { objects } = await files.list({
      prefix: `${folder}/${workspaceId}/`,
      limit: workspaceErasure.files,
    });
    if (objects.length === 0) continue;
    await files.delete(objects.map(({ key }) => key));
    return false;
  }
  return true;
}

/**
 * Goes on with the deletion of workspaces: ends what a request couldn't end, and erases the data of those whose time has
 * come, in slices. Each part is recorded, so that a sweep goes on where the last one ended.
 */
export async function eraseWorkspaces(deps: Deps): Promise<void> {
  const now = deps.now();
  const { workspaces, pause } = workspaceErasure;
  const due = await store.takeDueDeletions(deps.db, now, now + pause, workspaces);
  await Promise.all(
    due.map(async (workspace) => {
      try {
        await (workspace.deletion.closed ? erase(deps, workspace) : closeWorkspace(deps, workspace));
      } catch (error) {
        log("error", "deletion of a workspace interrupted; the sweep will retry", {
          workspaceId: workspace.id,
          error: describeError(error),
        });
      }
    }),
  );
}

async function erase(deps: Deps, { id, deletion }: store.DeletedWorkspace): Promise<void> {
  let at = deletion.step === null ? 0 : erasureSteps.indexOf(deletion.step);
  if (deletion.step === null) await begin(deps, id, "codes");
  for (let slice = 0; slice < workspaceErasure.slices; slice += 1) {
    const step = erasureSteps[at];
    if (step === undefined) break;
    if (!(await eraseSlice[step](deps, id))) continue;
    at += 1;
    const next = erasureSteps[at];
    if (next === undefined) await store.finishDeletion(deps.db, id);
    else await begin(deps, id, next);
  }
}

/** Codes that went on until now stop with the first part. */
async function begin(deps: Deps, id: string, step: Step): Promise<void> {
  await store.setErasureStep(deps.db, id, step, deps.now());
  await publishPending(deps, workspaceKey(id));
}
