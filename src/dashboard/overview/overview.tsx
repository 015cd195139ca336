import { WorkspaceAnalytics } from "../analytics/workspace-analytics.tsx";
import { getWorkspace } from "../../domain/workspaces/workspace.ts";
import { Empty } from "../components/empty.tsx";
import { Head } from "../components/head.tsx";
import type { PageAnswer, Visit } from "../frame/visit.ts";

/** The workspace at a glance; the way to the first code, if there is none. */
export async function overview(visit: Visit): Promise<PageAnswer> {
  const { deps, owner, user } = visit;
  const { usage, name } = await getWorkspace(deps, owner);
  return {
    title: "Overview",
    content: (
      <>
        <Head title={name} />
        {usage.liveCodes === 0 ? (
          <Empty
            title={user.name === null ? "Welcome" : `Welcome, ${user.name}`}
            text="Make your first code: enter an address, print the image, and change where it leads whenever you like."
          >
            <a class="button primary" href="/dashboard/codes/new">
              Create your first code
            </a>
          </Empty>
        ) : (
          <WorkspaceAnalytics visit={visit} />
        )}
      </>
    ),
  };
}
