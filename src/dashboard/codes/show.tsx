import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { ClosedReason } from "../../contract/resources/enums.ts";
import type { ClosedScans } from "../../contract/resources/scans/scans.ts";
import { getVersionedQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { listWaitingOf } from "../../domain/proposals/proposals.ts";
import { noticesListed } from "../../domain/workspaces/notices.ts";
import { Notice } from "../../ui/notice.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatTime } from "../../ui/values/format.ts";
import { codeAnalytics } from "../analytics/code-analytics.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { WaitingNotice } from "../frame/waiting.tsx";
import { Reason } from "../frame/workspace-notices.tsx";
import { dataFacts, fieldFacts } from "./facts.tsx";
import { DomainNotice } from "./head/addresses.tsx";
import { CodeHead, latestChanges, type RefusedInHead, readHead } from "./head/head.tsx";
import { StripToCome } from "./proof.tsx";
import { queryNames } from "./query-names.ts";
import { ReadabilityNotice } from "./status.tsx";
import { closedSentences } from "./still-scanned.tsx";

/**
 * A code: its image, its effect, and its scans as they arrive.
 * @param refused a form of its head that can't be stored as it is
 * @throws not_found
 */
export async function showCode(request: DashboardRequest, refused?: RefusedInHead): Promise<PageResponse> {
  const { deps, context } = request;
  const edited = await getVersionedQr(deps, context, request.param("id"));
  const { qr } = edited;
  const changes = latestChanges(request, qr);
  const [head, report, waiting] = await Promise.all([
    readHead(request, edited, changes, refused),
    codeAnalytics(request, qr, changes),
    may(context, "codes.write") ? listWaitingOf(deps, context, qr.id, noticesListed) : [],
  ]);
  const { timeZone, address } = head;
  return {
    title: refused === undefined ? codeTitle(qr) : `Problem: ${codeTitle(qr)}`,
    status: refused?.status ?? 200,
    content: (
      <>
        <CodeHead head={head} current="report" />
        <Download id={qr.id} format={request.query.get("download")} />
        {qr.suspended !== null && (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended this code. Visitors see a generic page.{" "}
              <Reason suspended={qr.suspended} />
            </p>
          </Notice>
        )}
        <ClosedNotice qr={qr} closed={head.activity?.closed} now={deps.now()} />
        {waiting.map((change) => (
          <WaitingNotice change={change} />
        ))}
        <DomainNotice qr={qr} domains={head.addresses.domains} />
        <ReadabilityNotice qr={qr}>
          <May permission="codes.write">
            <a href={`/dashboard/codes/${qr.id}/edit`}>Change the design</a> before you print it.
          </May>
        </ReadabilityNotice>
        {qr.qrType !== "url" && <MoreFacts qr={qr} timeZone={timeZone} />}
        <div id="report">{report}</div>
        <StripToCome id={qr.id} timeZone={timeZone} />
        {qr.qrType === "url" && <MoreFacts qr={qr} timeZone={timeZone} />}
        {/* Separate from the report, whose links would inherit its attributes. */}
        <div
          data-renewal=""
          hx-get={address}
          hx-trigger="scanned"
          hx-target="#report"
          hx-select="#report"
          hx-swap="outerHTML"
          hx-indicator="this"
        />
      </>
    ),
  };
}

/** Says that people scan a code that leads nowhere now. */
function ClosedNotice({ qr, closed, now }: { qr: Qr; closed: ClosedScans | undefined; now: number }) {
  const { suspended, status, startsAt, expiresAt } = qr;
  const isNow: Readonly<Record<ClosedReason, boolean>> = {
    deleted: false,
    suspended: suspended !== null,
    paused: suspended === null && status === "paused",
    not_started: startsAt !== null && Date.parse(startsAt) > now,
    expired: expiresAt !== null && Date.parse(expiresAt) <= now,
  };
  const sentences = closedSentences(closed, (reason) => isNow[reason]);
  return sentences.length === 0 ? null : (
    <Notice kind="info">
      <p>{sentences.join(" ")}</p>
    </Notice>
  );
}

/** The image of a code that was just created to be downloaded. A script downloads it, once. */
const Download = ({ id, format }: { id: string; format: string | null }) =>
  format !== "pdf" && format !== "svg" ? null : (
    <Notice kind="info">
      <p>
        Your code is ready to print.{" "}
        <a href={`/dashboard/codes/${id}/image?format=${format}&download`} download="" data-download-now="">
          Download the {format.toUpperCase()}
        </a>
      </p>
    </Notice>
  );

/** All other fields that have been filled in. */
function MoreFacts({ qr, timeZone }: { qr: Qr; timeZone: string }) {
  const none = () => undefined;
  const facts: (readonly [string, Child])[] = [
    ...(qr.qrType === "url" ? [] : dataFacts(qr.data)),
    ...fieldFacts(qr, {
      startsAt: (time) => formatTime(time, timeZone),
      expiresAt: (time) => formatTime(time, timeZone),
      query: (query) => (query === "off" ? undefined : queryNames[query]),
      folderId: none,
      tags: none,
      domain: none,
      aliases: none,
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
