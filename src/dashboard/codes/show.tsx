import { NotAvailable } from "../../ui/missing.tsx";
import { ifAvailable } from "../../domain/ledger.ts";
import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import type { ListedFolder } from "../../domain/folders/folders.ts";
import { codeActivity } from "../../domain/scans/list.ts";
import { codeAnalytics } from "../analytics/code-analytics.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatDate, formatTime } from "../../ui/values/format.ts";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { Reason } from "../frame/workspace-notices.tsx";
import { dataFacts, fieldFacts } from "./facts.tsx";
import { typeTexts } from "./form/types.ts";
import { CodeHead, readHead } from "./head.tsx";
import { folderAddress, searchAddress } from "./list/search.ts";
import { CodeActivity, LastScan } from "./live.tsx";
import { ReadabilityNotice } from "./status.tsx";

/** A code: its image, its effect, and its scans as they arrive. @throws not_found */
export async function showCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, address } = request;
  const qr = await getQr(deps, context, request.param("id"));
  const [head, activity, report] = await Promise.all([
    readHead(request, qr),
    ifAvailable(deps, () => codeActivity(deps, context, qr.id)),
    codeAnalytics(request, qr),
  ]);
  const { folder, now, timeZone } = head;
  return {
    title: codeTitle(qr),
    content: (
      <div
        data-live={
          activity === null ? undefined : `/api/v1/developer/qr/${qr.id}/scans/live?after=${activity.latest}`
        }
      >
        <CodeHead
          head={head}
          current="figures"
          activity={activity === null ? <NotAvailable /> : <CodeActivity activity={activity} />}
          facts={[
            ["Type", typeTexts[qr.qrType].name],
            ["Folder", folder === undefined ? null : <FolderLink folder={folder} />],
            ["Tags", qr.tags.length === 0 ? null : <Tags tags={qr.tags} />],
            ["Created", formatDate(qr.createdAt, timeZone)],
            ["Last scan", activity === null ? <NotAvailable /> : <LastScan activity={activity} now={now} />],
          ]}
        />
        {qr.suspended !== null && (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended this code. Visitors see a generic page.{" "}
              <Reason suspended={qr.suspended} />
            </p>
          </Notice>
        )}
        <ReadabilityNotice qr={qr}>
          <May permission="codes.write">
            <a href={`/dashboard/codes/${qr.id}/edit`}>Change the design</a> before you print it.
          </May>
        </ReadabilityNotice>
        {qr.qrType !== "url" && <MoreFacts qr={qr} timeZone={timeZone} />}
        <div id="report">{report}</div>
        {qr.qrType === "url" && <MoreFacts qr={qr} timeZone={timeZone} />}
        {/* Separate from the report, whose links would inherit its attributes. */}
        <div
          data-renewal=""
          hx-get={address}
          hx-trigger="scanned"
          hx-target="#report"
          hx-select="#report"
          hx-select-oob="#code-activity"
          hx-swap="outerHTML"
          hx-indicator="this"
        />
      </div>
    ),
  };
}

const FolderLink = ({ folder }: { folder: ListedFolder }) => (
  <a href={folderAddress(folder)}>{folder.name}</a>
);

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <>
    {tags.map((tag) => (
      <a class="tag" href={searchAddress({ words: "", tag })}>
        {tag}
      </a>
    ))}
  </>
);

/** All other fields that have been filled in. */
function MoreFacts({ qr, timeZone }: { qr: Qr; timeZone: string }) {
  const none = () => undefined;
  const facts: (readonly [string, Child])[] = [
    ...(qr.qrType === "url" ? [] : dataFacts(qr.data)),
    ...fieldFacts(qr, {
      startsAt: (time) => formatTime(time, timeZone),
      expiresAt: (time) => formatTime(time, timeZone),
      folderId: none,
      tags: none,
    }),
    ...utmFacts(qr),
  ];
  if (facts.length === 0) return null;
  return (
    <details class="more more-facts" open={qr.qrType !== "url"}>
      <summary>Details</summary>
      <Facts items={facts} />
    </details>
  );
}

/** The campaign parameters, as added to the address that a scan opens. */
const utmFacts = ({ utm }: Qr): (readonly [string, Child])[] =>
  Object.entries(utm ?? {}).map(([name, value]) => [`utm_${name}`, value]);
