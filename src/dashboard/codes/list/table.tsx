import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { QrStatus } from "../../../contract/resources/enums.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { scanColumns } from "../../../ui/charts/scan-columns.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuCopy, MenuLink } from "../../../ui/menu.tsx";
import { Table } from "../../../ui/table.tsx";
import { May } from "../../frame/may.tsx";
import { CodeActions } from "../menu.tsx";
import { CodeStatus, ReadabilityMark } from "../status.tsx";
import { NameAndDestination } from "./cells.tsx";
import { folderAddress, type Order, searchAddress } from "./search.ts";
import { MenuSelect, SelectCode, SelectPage } from "./selection.tsx";

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

interface Row {
  readonly qr: Qr;
  /** Null if they aren't available now. */
  readonly days: readonly number[] | null;
}

/** The codes on a page of the list, each with its scans and a menu. */
export function CodeTable({ items, pageTitles, folders, scans, order, address, now, timeZone }: TableProps) {
  const foldersById = new Map(folders.map((folder) => [folder.id, folder]));
  const rows = items.map((qr): Row => ({ qr, days: scans && (scans.get(qr.id)?.days ?? []) }));
  return (
    <>
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
          ...scanColumns<Row>(({ days }) => days, order === "scans"),
        ]}
        actions={RowMenu}
      />
      <RowMenus address={address} />
    </>
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

const templateOf = (status: QrStatus): string => `menu-${status}`;

const RowMenu = ({ qr }: { qr: Qr }) => (
  <Menu
    label={`Actions for ${codeTitle(qr)}`}
    tip="Actions"
    icon="ellipsis"
    button="button plain"
    template={{
      id: templateOf(qr.status),
      values: { id: qr.id, hash: qr.hash, link: qr.scanUrl },
    }}
  >
    <MenuLink href={`/dashboard/codes/${qr.id}`}>{codeTitle(qr)}</MenuLink>
  </Menu>
);

/** The items of the rows' menus, once for each status. */
const RowMenus = ({ address }: { address: string }) => (
  <>
    {QrStatus.options.map((status) => (
      <template id={templateOf(status)}>
        <CodeActions qr={{ id: "{id}", status }} back={address}>
          <MenuSelect hash="{hash}" />
          <MenuCopy text="{link}" icon="copy">
            Copy short link
          </MenuCopy>
          <MenuLink
            href="/dashboard/codes/{id}/image?format=png&size=1024&download"
            icon="download"
            download=""
          >
            Download image
          </MenuLink>
          <May permission="codes.write">
            <MenuLink href="/dashboard/codes/{id}/edit" icon="pencil">
              Edit
            </MenuLink>
          </May>
        </CodeActions>
      </template>
    ))}
  </>
);
