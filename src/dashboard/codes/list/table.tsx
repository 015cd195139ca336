import { NotAvailable } from "../../../ui/missing.tsx";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { Sparkline } from "../../../ui/charts/sparkline.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuCopy, MenuLink } from "../../../ui/menu.tsx";
import { Table } from "../../../ui/table.tsx";
import { formatCount, formatNumber } from "../../../ui/values/format.ts";
import { CodeActions } from "../menu.tsx";
import { CodeStatus, ReadabilityMark } from "../status.tsx";
import { NameAndDestination } from "./cells.tsx";
import { folderAddress, type Order, searchAddress } from "./search.ts";
import { MenuSelect, SelectCode, SelectPage } from "./selection.tsx";
import { May } from "../../frame/may.tsx";

interface TableProps {
  readonly items: readonly Qr[];
  readonly pageTitles: ReadonlyMap<string, string>;
  /** Null if they aren't available now. */
  readonly scans: ReadonlyMap<string, CodeScans> | null;
  readonly folders: readonly ListedFolder[];
  readonly order: Order | undefined;
  /** The list's address, to which a row's actions return. */
  readonly address: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The codes on a page of the list, each with its scans and a menu. */
export function CodeTable({ items, pageTitles, folders, scans, order, address, now, timeZone }: TableProps) {
  const foldersById = new Map(folders.map((folder) => [folder.id, folder]));
  const rows = items.map((qr) => {
    const days = scans?.get(qr.id)?.days ?? [];
    return { qr, days, recent: scans && days.reduce((sum, day) => sum + day, 0) };
  });
  return (
    <Table
      kind="codes"
      rows={rows}
      columns={[
        { head: <SelectPage />, cell: SelectCode },
        {
          head: "Code",
          kind: "code",
          sorted: order === "name" ? "ascending" : undefined,
          cell: ({ qr }) => <NameAndDestination qr={qr} pageTitles={pageTitles} />,
        },
        {
          head: "Folder",
          kind: "folder",
          priority: 3,
          cell: ({ qr }) => <FolderLink folder={foldersById.get(qr.folderId ?? "")} />,
        },
        { head: "Tags", kind: "marks", cell: ({ qr }) => <Tags tags={qr.tags} /> },
        {
          head: "Status",
          kind: "state",
          cell: ({ qr }) => (
            <>
              <CodeStatus qr={qr} now={now} timeZone={timeZone} /> <ReadabilityMark qr={qr} />
            </>
          ),
        },
        {
          head: "Last 30 days",
          kind: "days",
          cell: ({ days, recent }) =>
            recent === null ? (
              <NotAvailable />
            ) : (
              <Sparkline
                height={24}
                values={days}
                label={`${formatCount(recent, "scan")} in the last 30 days`}
              />
            ),
        },
        {
          head: (
            <span class="sorted">
              Scans
              {order === "scans" && <Icon name="arrow-down" />}
            </span>
          ),
          kind: "number",
          sorted: order === "scans" ? "descending" : undefined,
          cell: ({ recent }) => (recent === null ? "–" : formatNumber(recent)),
        },
      ]}
      actions={({ qr }) => <RowMenu qr={qr} address={address} />}
    />
  );
}

const FolderLink = ({ folder }: { folder: ListedFolder | undefined }) =>
  folder === undefined ? null : (
    <a href={folderAddress(folder)}>
      <Icon name="folder" />
      <span>{folder.name}</span>
    </a>
  );

/** How many tags a row shows. The code's page shows all. */
const shownTags = 2;

const Tags = ({ tags }: Pick<Qr, "tags">) => (
  <div>
    {tags.slice(0, shownTags).map((tag) => (
      <a class="tag" href={searchAddress({ words: "", tag })}>
        <span>{tag}</span>
      </a>
    ))}
    {tags.length > shownTags && (
      <span class="caption quiet">
        +{tags.length - shownTags}
        <span class="visually-hidden"> more tags</span>
      </span>
    )}
  </div>
);

function RowMenu({ qr, address }: { qr: Qr; address: string }) {
  const page = `/dashboard/codes/${qr.id}`;
  return (
    <Menu label={`Actions for ${codeTitle(qr)}`} tip="Actions" icon="ellipsis" button="button plain">
      <CodeActions qr={qr} back={address}>
        <MenuSelect qr={qr} />
        <MenuCopy text={qr.scanUrl} icon="copy">
          Copy short link
        </MenuCopy>
        <MenuLink href={`${page}/image?format=png&size=1024&download`} icon="download" download="">
          Download image
        </MenuLink>
        <May permission="codes.write">
          <MenuLink href={`${page}/edit`} icon="pencil">
            Edit
          </MenuLink>
        </May>
      </CodeActions>
    </Menu>
  );
}
