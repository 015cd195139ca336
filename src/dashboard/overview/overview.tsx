import { getWorkspace } from "../../domain/workspaces/workspace.ts";
import { Empty } from "../components/empty.tsx";
import { Figures } from "../components/figures.tsx";
import { formatNumber } from "../components/format.ts";
import { Head } from "../components/head.tsx";
import type { PageAnswer, Visit } from "../frame/visit.ts";

/** The workspace at a glance; the way to the first code, if there is none. */
export async function overview({ deps, owner, user }: Visit): Promise<PageAnswer> {
  const { limits, usage, name } = await getWorkspace(deps, owner);
  const requests = `${formatNumber(usage.requestsThisMinute)} of ${formatNumber(limits.requestsPerMinute)}`;
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
          <Figures
            items={[
              ["Codes", formatNumber(usage.liveCodes)],
              ["Scans in all", formatNumber(usage.scans)],
              ["Webhooks", formatNumber(usage.webhooks)],
              ["Your requests this minute", requests],
            ]}
          />
        )}
      </>
    ),
  };
}
