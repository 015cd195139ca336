import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { WorkspaceNotices } from "../../domain/workspaces/notices.ts";
import { isNearlyUsed } from "../../domain/workspaces/waiting.ts";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest } from "./request.ts";
import { Reason, WorkspaceNotes } from "./workspace-notices.tsx";

interface Props {
  readonly request: DashboardRequest;
  readonly notices: WorkspaceNotices | null;
}

/** The workspace's notices, above the content of every page. */
export function Notices({ request, notices }: Props) {
  const { member, liveCodes, storedBytes, storageLimit, suspended } = request.user;
  const { title, liveCodes: cap } = plans[member.plan];
  return (
    <>
      {suspended !== null && (
        <Notice kind="bad">
          <p>
            <strong>The operator of this service has suspended this workspace.</strong> Visitors see a generic
            page. You can change and delete what exists, but not create or restore anything.{" "}
            <Reason suspended={suspended} />
          </p>
        </Notice>
      )}
      {notices !== null && (
        <WorkspaceNotes notices={notices} address={request.address.replace(/\?.*/, "")} request={request} />
      )}
      {cap !== null && isNearlyUsed(liveCodes, cap) && (
        <Notice kind="warn">
          <p>
            {liveCodes >= cap
              ? `You've used all ${formatNumber(cap)} codes of your ${title} plan.`
              : `You've used ${formatNumber(liveCodes)} of the ${formatNumber(cap)} codes of your ${title} plan.`}
          </p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </Notice>
      )}
      {isNearlyUsed(storedBytes, storageLimit) && (
        <Notice kind="warn">
          <p>
            Your codes, pages, templates and bulk jobs take up {megabytes(storedBytes)} of the{" "}
            {megabytes(storageLimit)} MB that this workspace can store. Once that is used up, nothing can be
            added. Deleting something frees its space within {limits.deletedDays} days.
          </p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </Notice>
      )}
    </>
  );
}

const megabytes = (bytes: number): string => formatNumber(Math.round(bytes / 1e5) / 10);

/** Where to change the plan, or advice if the operator has configured no such page. */
export function UpgradeLink({ url }: { url: string }) {
  return url === "" ? (
    <span>Ask the operator of this service for a larger plan.</span>
  ) : (
    <a href={url}>Change plan</a>
  );
}
