import { findSuspension } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import type { WorkspaceContext } from "./context.ts";

/**
 * The error for creating or restoring something in a suspended workspace. It omits the reason, because a web page's visitors may see
 * it.
 */
export const workspaceSuspendedError = () =>
  new ServiceError(
    "forbidden",
    "The operator of this service has suspended your workspace. You can change and delete what exists, but not create or restore anything.",
  );

/** Returns that error if the workspace is suspended. */
export const suspensionError = async (
  deps: Deps,
  { workspaceId }: Pick<WorkspaceContext, "workspaceId">,
): Promise<ServiceError | undefined> =>
  (await findSuspension(deps.db, workspaceId)) === null ? undefined : workspaceSuspendedError();

/** Prevents creating and restoring in a suspended workspace. @throws forbidden */
export async function requireNotSuspended(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
): Promise<void> {
  const error = await suspensionError(deps, context);
  if (error !== undefined) throw error;
}
