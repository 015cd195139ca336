import type { Child } from "hono/jsx";
import { limits } from "../../../contract/limits.ts";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import type { HistoryEntry } from "../../../contract/resources/history/history.ts";
import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { codeTitle, pageTitlesOf } from "../../../domain/codes/titles.ts";
import { listDomains } from "../../../domain/domains/domains.ts";
import { findFolders, type ListedFolder } from "../../../domain/folders/folders.ts";
import { listObjectHistory } from "../../../domain/history/history.ts";
import { ifAvailable } from "../../../domain/ledger.ts";
import { codeActivity } from "../../../domain/scans/list.ts";
import type { RecentScans } from "../../../protocol/analytics.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Head } from "../../../ui/head.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink, MenuTitle } from "../../../ui/menu.tsx";
import { NotAvailable } from "../../../ui/missing.tsx";
import { CodeImage } from "../../../ui/values/code-image.tsx";
import { formatDate } from "../../../ui/values/format.ts";
import { tintClasses } from "../../../ui/values/tint.ts";
import { Views } from "../../../ui/views.tsx";
import { ShareLink } from "../../analytics/share-link.tsx";
import { May } from "../../frame/may.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { typeTexts } from "../form/types.ts";
import { folderAddress, searchAddress } from "../list/search.ts";
import { CodeActions, statusChange } from "../menu.tsx";
import { CodeStatus, ReadabilityMark } from "../status.tsx";
import { Addresses, type AddressesForm, type RefusedAlias } from "./addresses.tsx";
import { type DestinationForm, destinationForm, type RefusedDestination } from "./destination-form.ts";
import { LeadsTo } from "./leads-to.tsx";
import { LastScan, LiveCard } from "./live-card.tsx";

/** A form of the head that was refused. */
export type RefusedInHead = RefusedDestination | RefusedAlias;

/** A code and the rest that the head of its pages shows, whichever page it is. */
export interface HeadOfCode {
  readonly qr: Qr;
  readonly folder: ListedFolder | undefined;
  /** The titles of hosted pages, by id. */
  readonly pageTitles: ReadonlyMap<string, string>;
  /** Its latest scans; null if they can't be read. */
  readonly activity: RecentScans | null;
  /** Its latest changes, newest first; empty if they can't be read. */
  readonly changes: readonly HistoryEntry[];
  readonly destination: DestinationForm;
  readonly addresses: AddressesForm;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The page's path and query. */
  readonly address: string;
}

/** Reads the latest changes of a code, newest first; none if they can't be read. */
export async function latestChanges(
  { deps, context }: DashboardRequest,
  { id }: Qr,
): Promise<readonly HistoryEntry[]> {
  const list = await ifAvailable(deps, () =>
    listObjectHistory(deps, context, { kind: "code", id }, { limit: limits.historyList.default }),
  );
  return list?.items ?? [];
}

/**
 * Reads what the head of a code's pages shows.
 * @param changes its latest changes, if they are read already
 * @param refused a form of the head that was refused
 */
export async function readHead(
  request: DashboardRequest,
  edited: VersionedQr,
  changes = latestChanges(request, edited.qr),
  refused?: RefusedInHead,
): Promise<HeadOfCode> {
  const { deps, context } = request;
  const { qr } = edited;
  const [[folder], pageTitles, activity, latest, destination, { domains }, timeZone] = await Promise.all([
    qr.folderId === null ? [] : findFolders(deps, context, [qr.folderId]),
    pageTitlesOf(deps, context, [qr]),
    ifAvailable(deps, () => codeActivity(deps, context, qr.id)),
    changes,
    destinationForm(request, edited, refused?.field === "destination" ? refused : undefined),
    listDomains(deps, context),
    request.timeZone(),
  ]);
  const address = refused === undefined ? request.address : `/dashboard/codes/${qr.id}`;
  return {
    ...{ qr, folder, pageTitles, activity, destination, timeZone, address },
    addresses: {
      domains,
      scanOrigin: deps.settings.scanOrigin,
      refused: refused?.field === "alias" ? refused : undefined,
    },
    changes: latest,
    now: deps.now(),
  };
}

interface Props {
  readonly head: HeadOfCode;
  readonly current: "report" | "scans" | "history" | "proof";
}

/** The head of a code's pages, in the code's own colour: what it is, where it leads, its last scans, and its actions. */
export function CodeHead({ head, current }: Props) {
  const { qr, folder, now, timeZone, activity, changes } = head;
  const page = `/dashboard/codes/${qr.id}`;
  const last = changes.find(
    ({ action, changes: { data } }) => action === "code.updated" && data !== undefined,
  );
  return (
    <header
      class={`code-head ${current === "report" ? "" : "compact "}${tintClasses(qr.colorConfig?.dotsColor)}`}
    >
      <Head
        title={codeTitle(qr)}
        back={
          folder === undefined
            ? { path: "/dashboard/codes", name: "Codes" }
            : { path: folderAddress(folder), name: folder.name }
        }
        beside={
          <>
            <CodeStatus qr={qr} now={now} timeZone={timeZone} />
            <ReadabilityMark qr={qr} />
          </>
        }
      >
        <Actions qr={qr} query={current === "report" ? head.address.replace(/^[^?]*/, "") : ""} />
      </Head>
      <div class="about">
        <CodeImage qr={qr} size={196} alt={`QR code for ${qr.scanUrl}`} class="picture" />
        <div class="texts">
          <LeadsTo {...head} last={last} back={head.address} />
          <ShortLink qr={qr} />
          <Addresses qr={qr} {...head.addresses} />
          <HeadFacts {...head} />
        </div>
        <LiveCard qr={qr} activity={activity} now={now} timeZone={timeZone} />
      </div>
      <Views
        label="Views of the code"
        views={[
          [page, "Report"],
          [`${page}/scans`, "Scan log"],
          [`${page}/history`, "History"],
          [`${page}/proof`, "Print proof"],
        ]}
        current={current === "report" ? page : `${page}/${current}`}
      />
    </header>
  );
}

/** @param query of a report that is shared as it is shown */
function Actions({ qr, query }: { qr: Qr; query: string }) {
  const page = `/dashboard/codes/${qr.id}`;
  const [step, icon, text] = statusChange(qr);
  return (
    <>
      <May permission="codes.write">
        <PostForm action={`${page}/${step}`}>
          <button class="button" type="submit">
            <Icon name={icon} />
            <span class="hidden-on-phones">{text}</span>
          </button>
        </PostForm>
        <ShareLink href={`${page}/share${query}`}>
          <span class="hidden-on-phones">Share report</span>
        </ShareLink>
      </May>
      <Downloads qr={qr} />
      <Menu label="More actions" icon="ellipsis">
        <May permission="codes.write">
          <MenuLink href={`${page}/edit`} icon="pencil">
            Edit
          </MenuLink>
        </May>
        <CodeActions qr={qr} hasStatus={false} />
      </Menu>
    </>
  );
}

/** Side lengths of the images for screens, in pixels. */
const sizes = [512, 1024, 2048] as const;

function Downloads({ qr }: { qr: Qr }) {
  const page = `/dashboard/codes/${qr.id}`;
  const file = `${page}/image`;
  return (
    <Menu
      text={
        <span>
          Download<span class="hidden-on-phones"> for print</span>
        </span>
      }
      icon="download"
      button="button primary"
    >
      <MenuTitle>For print, sharp at any size</MenuTitle>
      <MenuLink href={`${file}?format=svg&download`} download="">
        SVG
      </MenuLink>
      {qr.readability === "unreadable" ? (
        <MenuLink href={`${page}/print`}>PDF</MenuLink>
      ) : (
        <MenuLink href={`${file}?format=pdf&download`} download="">
          PDF
        </MenuLink>
      )}
      <MenuLink href={`${page}/proof.pdf`} download="">
        Proof for the printer
      </MenuLink>
      <MenuLink href={`/dashboard/print?id=${qr.id}`}>Labels</MenuLink>
      <MenuDivider />
      <MenuTitle>For screens</MenuTitle>
      {sizes.map((size) => (
        <MenuLink href={`${file}?format=png&size=${size}&download`} download="">
          PNG, {size} px
        </MenuLink>
      ))}
    </Menu>
  );
}

/** The address in the image, to read, to copy and to test. */
function ShortLink({ qr }: { qr: Qr }) {
  const { host } = new URL(qr.scanUrl);
  return (
    <div class="short-link">
      <span class="visually-hidden">Short link</span>
      <a class="address" href={qr.scanUrl} target="_blank" rel="noopener" title={qr.scanUrl}>
        <span class="quiet">{host}/</span>
        {qr.hash}
      </a>
      <button
        class="button plain"
        type="button"
        data-copy={qr.scanUrl}
        data-copied="Copied"
        data-script=""
        hidden
      >
        <Icon name="copy" />
        <span class="hidden-on-phones">Copy</span>
      </button>
      <a class="button plain" href={`/dashboard/codes/${qr.id}/test`}>
        <Icon name="scan-line" />
        <span class="hidden-on-phones">Test</span>
      </a>
    </div>
  );
}

function HeadFacts({ qr, folder, activity, now, timeZone }: HeadOfCode) {
  const facts: readonly (readonly [name: string, value: Child | null])[] = [
    ["Type", typeTexts[qr.qrType].name],
    [
      "Folder",
      folder === undefined ? null : (
        <a href={folderAddress(folder)} dir="auto">
          {folder.name}
        </a>
      ),
    ],
    ["Tags", qr.tags.length === 0 ? null : <Tags tags={qr.tags} />],
    ["Created", formatDate(qr.createdAt, timeZone)],
    ["Last scan", activity === null ? <NotAvailable /> : <LastScan activity={activity} now={now} />],
  ];
  return (
    <dl class="head-facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const Tags = ({ tags }: { tags: readonly string[] }) => (
  <>
    {tags.map((tag) => (
      <a class="tag" dir="auto" href={searchAddress({ words: "", tag })}>
        {tag}
      </a>
    ))}
  </>
);
