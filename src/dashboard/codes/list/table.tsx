import type { Qr } from "../../../contract/resources/qr.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu, MenuAction, MenuCopy, MenuDivider, MenuLink } from "../../components/menu.tsx";
import { formatCount, formatNumber } from "../../components/values/format.ts";
import { CodeStatus } from "../status.tsx";
import { NameAndDestination } from "./cells.tsx";
import { folderAddress, type Order, searchAddress } from "./search.ts";
import { SelectCode, SelectPage } from "./selection.tsx";
import { Sparkline } from "../../charts/sparkline.tsx";

interface TableProps {
  readonly items: readonly Qr[];
  readonly pageTitles: ReadonlyMap<string, string>;
  readonly scans: ReadonlyMap<string, CodeScans>;
  readonly folders: readonly ListedFolder[];
  readonly order: Order | undefined;
  /** The address of the list, to which the actions of a row return. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The codes of a page of the list, each with its scans and a menu. */
export function CodeTable({ items, folders, scans, order, ...row }: TableProps) {
  const foldersById = new Map(folders.map((folder) => [folder.id, folder]));
  return (
    <div class="fitting">
      <table class="table codes">
        <thead>
          <tr>
            <th scope="col">
              <SelectPage />
            </th>
            <th scope="col" aria-sort={order === "name" ? "ascending" : undefined}>
              Code
            </th>
            <th scope="col" data-priority="3">
              Folder
            </th>
            <th scope="col">Tags</th>
            <th scope="col">Status</th>
            <th scope="col">Last 30 days</th>
            <th scope="col" class="number" aria-sort={order === "scans" ? "descending" : undefined}>
              <span class="sorted">
                Scans
                {order === "scans" && <Icon name="arrow-down" />}
              </span>
            </th>
            <th scope="col">
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((qr) => (
            <CodeRow
              {...row}
              qr={qr}
              days={scans.get(qr.id)?.days ?? []}
              folder={foldersById.get(qr.folderId ?? "")}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Tags of a row that are shown; the code's page has all. */
const shownTags = 2;

interface RowProps extends Pick<TableProps, "pageTitles" | "address" | "now" | "timeZone"> {
  readonly qr: Qr;
  /** Scans by day. */
  readonly days: readonly number[];
  readonly folder: ListedFolder | undefined;
}

function CodeRow({ qr, pageTitles, days, folder, address, now, timeZone }: RowProps) {
  const recent = days.reduce((sum, day) => sum + day, 0);
  return (
    <tr>
      <td>
        <SelectCode qr={qr} />
      </td>
      <td class="code">
        <NameAndDestination qr={qr} pageTitles={pageTitles} />
      </td>
      <td class="folder" data-priority="3">
        {folder !== undefined && (
          <a href={folderAddress(folder)}>
            <Icon name="folder" />
            <span>{folder.name}</span>
          </a>
        )}
      </td>
      <td class="marks">
        <div>
          {qr.tags.slice(0, shownTags).map((tag) => (
            <a class="tag" href={searchAddress({ words: "", tag })}>
              <span>{tag}</span>
            </a>
          ))}
          {qr.tags.length > shownTags && (
            <span class="caption quiet">
              +{qr.tags.length - shownTags}
              <span class="visually-hidden"> more tags</span>
            </span>
          )}
        </div>
      </td>
      <td class="state">
        <CodeStatus qr={qr} now={now} timeZone={timeZone} />
      </td>
      <td class="days">
        <Sparkline height={24} values={days} label={`${formatCount(recent, "scan")} in the last 30 days`} />
      </td>
      <td class="number">{formatNumber(recent)}</td>
      <td class="end">
        <RowMenu qr={qr} address={address} />
      </td>
    </tr>
  );
}

function RowMenu({ qr, address }: { qr: Qr; address: string }) {
  const page = `/dashboard/codes/${qr.id}`;
  const isActive = qr.status === "active";
  return (
    <Menu label={`Actions for ${codeTitle(qr)}`} tip="Actions" icon="ellipsis" button="button plain">
      <MenuCopy text={qr.scanUrl} icon="copy">
        Copy short link
      </MenuCopy>
      <MenuLink href={`${page}/image?format=png&size=1024&download`} icon="download" download="">
        Download image
      </MenuLink>
      <MenuLink href={`${page}/edit`} icon="pencil">
        Edit
      </MenuLink>
      <MenuLink href={`/dashboard/codes/new?from=${qr.id}`} icon="layers">
        Duplicate
      </MenuLink>
      <MenuLink href={`${page}/edit#folderId`} icon="folder-input">
        Move to folder
      </MenuLink>
      <MenuAction
        path={`${page}/${isActive ? "pause" : "resume"}`}
        icon={isActive ? "pause" : "play"}
        values={{ back: address }}
      >
        {isActive ? "Pause" : "Resume"}
      </MenuAction>
      <MenuDivider />
      <MenuLink href={`${page}/delete`} icon="trash" danger>
        Delete
      </MenuLink>
    </Menu>
  );
}
