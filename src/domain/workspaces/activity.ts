import { type Activity, findActivity, findJobsUnderWay } from "../../store/workspaces/activity.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

export type { Activity };

/** Entries of each list. */
const listed = 5;

/** The codes of the workspace that changed last, and its jobs in progress. */
export const recentActivity = (deps: Deps, { workspaceId }: WorkspaceContext): Promise<Activity> =>
  findActivity(deps.db, workspaceId, { limit: listed, scanOrigin: deps.settings.scanOrigin });

/** The bulk jobs and print jobs of the workspace that are in progress. */
export const jobsUnderWay = (deps: Deps, { workspaceId }: WorkspaceContext): Promise<Activity["jobs"]> =>
  findJobsUnderWay(deps.db, workspaceId, listed);
