import type { Child } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { codeTitle, pageTitlesOf } from "../../domain/codes/titles.ts";
import { findFolders, type ListedFolder } from "../../domain/folders/folders.ts";
import { routeTarget } from "../../domain/routing/route-target.ts";
import { tagTarget } from "../../domain/routing/utm.ts";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink, MenuTitle } from "../../ui/menu.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { Views } from "../../ui/views.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { codeImageAddress } from "../../ui/values/code-image.tsx";
import { typeTexts } from "./form/types.ts";
import { destinationText } from "./list/cells.tsx";
import { folderAddress } from "./list/search.ts";
import { CodeActions } from "./menu.tsx";
import { CodeStatus, ReadabilityMark } from "./status.tsx";
import { tintClasses } from "./tint.ts";

/** A code and the rest that the head of its pages shows, whichever page it is. */
interface HeadOfCode {
  readonly qr: Qr;
  readonly folder: ListedFolder | undefined;
  /** The titles of hosted pages, by id. */
  readonly pageTitles: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** Reads what the head of a code's pages shows. */
export async function readHead(request: DashboardRequest, qr: Qr): Promise<HeadOfCode> {
  const { deps, context } = request;
  const [[folder], pageTitles, timeZone] = await Promise.all([
    qr.folderId === null ? [] : findFolders(deps, context, [qr.folderId]),
    pageTitlesOf(deps, context, [qr]),
    request.timeZone(),
  ]);
  return { qr, folder, pageTitles, timeZone, now: deps.now() };
}

interface Props {
  readonly head: HeadOfCode;
  readonly current: "figures" | "scans" | "history";
  /** Recent activity, which phones show before the image. */
  readonly activity?: Child;
  /** By default its type and its creation. Null values are left out. */
  readonly facts?: readonly (readonly [name: string, value: Child | null])[];
}

/** The head of a code's pages, in the code's own colour: what it is, where it leads, and its actions. */
export function CodeHead({ head, current, activity, facts }: Props) {
  const { qr, folder, pageTitles, now, timeZone } = head;
  const shownFacts = facts ?? [
    ["Type", typeTexts[qr.qrType].name],
    ["Created", formatDate(qr.createdAt, timeZone)],
  ];
  const page = `/dashboard/codes/${qr.id}`;
  return (
    <header class={`code-head ${tintClasses(qr.colorConfig?.dotsColor)}`}>
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
        <Downloads qr={qr} />
        <May permission="codes.write">
          <a class="button" href={`${page}/edit`}>
            <Icon name="pencil" />
            Edit
          </a>
        </May>
        <Menu label="More actions" icon="ellipsis">
          <CodeActions qr={qr}>
            <May permission="codes.write">
              <MenuLink href={`${page}/share`} icon="share-2">
                Share report
              </MenuLink>
            </May>
            <MenuLink href={`${page}/test`} icon="scan-line">
              Test
            </MenuLink>
          </CodeActions>
        </Menu>
      </Head>
      <div class="about">
        <img
          class="picture"
          src={codeImageAddress(qr)}
          alt={`QR code for ${qr.scanUrl}`}
          width="196"
          height="196"
        />
        <div class="texts">
          {activity}
          <ShortLink qr={qr} />
          <Leads qr={qr} pageTitles={pageTitles} />
          <dl class="head-facts">
            {shownFacts
              .filter(([, value]) => value !== null)
              .map(([name, value]) => (
                <div>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
        </div>
      </div>
      <Views
        label="Views of the code"
        views={[
          [page, "Figures"],
          [`${page}/scans`, "Scan log"],
          [`${page}/history`, "History"],
        ]}
        current={current === "figures" ? page : `${page}/${current}`}
      />
    </header>
  );
}

/** Side lengths of the images for screens, in pixels. */
const sizes = [512, 1024, 2048] as const;

function Downloads({ qr }: { qr: Qr }) {
  const file = `/dashboard/codes/${qr.id}/image`;
  return (
    <Menu text="Download" icon="download" button="button primary">
      <MenuTitle>For print, sharp at any size</MenuTitle>
      <MenuLink href={`${file}?format=svg&download`} download="">
        SVG
      </MenuLink>
      {qr.readability === "unreadable" ? (
        <MenuLink href={`/dashboard/codes/${qr.id}/print`}>PDF</MenuLink>
      ) : (
        <MenuLink href={`${file}?format=pdf&download`} download="">
          PDF
        </MenuLink>
      )}
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

/** The address in the image, to read and to copy. */
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
        Copy
      </button>
    </div>
  );
}

/** Says where a scan leads: to an address with its campaign parameters, to a hosted page, or elsewhere, in words. */
function Leads({ qr, pageTitles }: Pick<HeadOfCode, "qr" | "pageTitles">) {
  const { destination } = tagTarget(routeTarget(qr.data), qr.utm);
  return (
    <p class="leads">
      <Icon name="corner-down-right" />
      {/^https?:/.test(destination) ? (
        <a class="address" href={destination} rel="noreferrer">
          {destination}
        </a>
      ) : qr.data.type === "servicepage" ? (
        <a href={`/dashboard/pages/${qr.data.pageId}`}>{destinationText(qr.data, pageTitles)}</a>
      ) : (
        <span>{destinationText(qr.data, pageTitles)}</span>
      )}
    </p>
  );
}
