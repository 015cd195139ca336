import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { WorkspaceNotices } from "../../domain/workspaces/notices.ts";
import { formatNumber } from "../components/values/format.ts";
import { Notice } from "../components/notice.tsx";
import { type FlashName, flashes } from "./flash.ts";
import type { DashboardRequest } from "./request.ts";
import { Reason, WorkspaceNotes } from "./workspace-notices.tsx";

/** The share of a plan's codes, and of its storage, from which a notice is shown. */
const nearlyFull = 0.8;

interface Props {
  readonly request: DashboardRequest;
  readonly notices: WorkspaceNotices | null;
  readonly flash: FlashName | undefined;
}

/** The notices above the content of every page: of the change before it, and of the workspace. */
export function Notices({ request, notices, flash }: Props) {
  const { member, liveCodes, storedBytes, storageLimit, suspended } = request.user;
  const { title, liveCodes: cap } = plans[member.plan];
  return (
    <>
      {flash !== undefined && (
        <Notice kind="good" role="status">
          <p>{flashes[flash]}</p>
        </Notice>
      )}
      {suspended !== null && (
        <Notice kind="bad">
          <p>
            <strong>This workspace is suspended by the operator of this service.</strong> Its codes show a
            neutral page. You can change and delete what exists; nothing new can be created.{" "}
            <Reason suspended={suspended} />
          </p>
        </Notice>
      )}
      {notices !== null && <WorkspaceNotes notices={notices} address={request.address.replace(/\?.*/, "")} />}
      {cap !== null && liveCodes >= cap * nearlyFull && (
        <Notice kind="warn">
          <p>
            {liveCodes >= cap
              ? `Your plan ${title} allows ${cap} codes, and you have them all.`
              : `You use ${liveCodes} of the ${cap} codes that your plan ${title} allows.`}
          </p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </Notice>
      )}
      {storedBytes >= storageLimit * nearlyFull && (
        <Notice kind="warn">
          <p>
            Your codes, pages, templates and bulk jobs take up {megabytes(storedBytes)} of the{" "}
            {megabytes(storageLimit)} MB that this workspace can store. Once it is full, nothing can be added.
            What you delete makes room within {limits.deletedDays} days.
          </p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </Notice>
      )}
    </>
  );
}

const megabytes = (bytes: number): string => formatNumber(Math.round(bytes / 1e5) / 10);

/** Where the plan can be changed; advice, if the operator has set no such page. */
export function UpgradeLink({ url }: { url: string }) {
  return url === "" ? (
    <span>Ask the operator of this service for a larger plan.</span>
  ) : (
    <a href={url}>Change the plan</a>
  );
}
