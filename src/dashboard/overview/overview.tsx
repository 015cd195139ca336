import { recentActivity } from "../../domain/workspaces/activity.ts";
import { WorkspaceAnalytics } from "../analytics/workspace-analytics.tsx";
import { Empty } from "../components/empty.tsx";
import { Head } from "../components/head.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";
import { Changes } from "./changes.tsx";
import { Jobs } from "./jobs.tsx";

/** The workspace at a glance, or the way to the first code if there is none. */
export async function overview(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, user } = request;
  const [{ codes, jobs }, timeZone] = await Promise.all([recentActivity(deps, context), request.timeZone()]);
  return {
    title: "Overview",
    content: (
      <>
        {user.liveCodes === 0 ? (
          <>
            <Head title="Overview" />
            <Jobs jobs={jobs} />
            <Empty
              title={user.name === null ? "Welcome" : `Welcome, ${user.name}`}
              text="Create your first code: enter an address, print the image, and change where it leads whenever you like."
            >
              <a class="button primary" href="/dashboard/codes/new">
                Create your first code
              </a>
            </Empty>
          </>
        ) : (
          <WorkspaceAnalytics request={request}>
            <Changes codes={codes} timeZone={timeZone} />
            <Jobs jobs={jobs} />
          </WorkspaceAnalytics>
        )}
      </>
    ),
  };
}
