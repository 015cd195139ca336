import { workspaceKey } from "../../protocol/routes.ts";
import type { Deps } from "../deps.ts";
import type { RequestContext } from "./request-context.ts";
import { recallRecord, resolveRecord } from "./resolve.ts";
import { workspaceKind } from "./route-kinds.ts";

/** Returns whether a workspace is suspended or closed, as far as it can be read. */
export async function isWorkspaceSuspended(
  deps: Deps,
  workspaceId: string,
  context: RequestContext,
): Promise<boolean> {
  const key = workspaceKey(workspaceId);
  const workspace =
    recallRecord(deps, workspaceKind, key, deps.now()) ??
    (await resolveRecord(deps, workspaceKind, key, context));
  return typeof workspace === "object" && workspace.suspended !== undefined;
}
