import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { QrStatus } from "../../../contract/resources/enums.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { withoutScheme } from "../../../lib/web/without-scheme.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { scanColumns } from "../../../ui/charts/scan-columns.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuCopy, MenuLink } from "../../../ui/menu.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { formatDate, formatNumber, formatTime } from "../../../ui/values/format.ts";
import { May } from "../../frame/may.tsx";
import { typeTexts } from "../form/types.ts";
import { CodeActions } from "../menu.tsx";
import { CodeStatus, ReadabilityMark } from "../status.tsx";
import { NameAndDestination } from "./cells.tsx";
import { folderAddress, placeAddress, searchAddress } from "./search.ts";
import { MenuSelect, SelectCode, SelectPage } from "./selection.tsx";
import { type ColumnName, columnTexts, firstOrder, type Place, type Sort } from "./view.ts";

interface TableProps {
  readonly items: readonly Qr[];
  readonly pageTitles: ReadonlyMap<string, string>;
  /** Null if they aren't available now. */
  readonly scans: ReadonlyMap<string, CodeScans> | null;
  readonly folders: readonly ListedFolder[];
  readonly place: Place;
  /** Whether the list is in the order that its view says. */
  readonly isSorted: boolean;
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
  readonly scans: CodeScans | null;
}

/** The codes on a page of the list, each with its menu, in the columns of its view. */
export function CodeTable({ items, scans, address, ...props }: TableProps) {
  const rows = items.map((qr): Row => ({ qr, scans: scans?.get(qr.id) ?? null }));
  const { columns } = props.place.view;
  const width = columns.reduce((sum, name) => sum + widths[name], widthBesides);
  const isWide = width > widest;
  return (
    <>
      <Table
        isWide={isWide}
        kind={isWide ? `codes at-least-${8 * Math.ceil(width / 8)}` : "codes"}
        rows={rows}
        columns={[
          { head: <SelectPage />, kind: "picks", cell: SelectCode },
          {
            ...sortedBy("name", "Code", props),
            kind: "code",
            cell: ({ qr }) => (
              <NameAndDestination
                qr={qr}
                pageTitles={columns.includes("destination") ? props.pageTitles : null}
              />
            ),
          },
          ...columns.flatMap((name) => columnsOf(name, props)),
        ]}
        actions={RowMenu}
      />
      <RowMenus address={address} />
    </>
  );
}

/** The widths of columns, as in list.css, and of those that are always there; rem. */
const widths: Readonly<Record<ColumnName, number>> = {
  ...{ destination: 0, scanUrl: 15, qrType: 9, folder: 9, tags: 11, status: 9.5, scans30d: 14 },
  ...{ scans: 6, lastScan: 8, createdAt: 8, updatedAt: 8, externalId: 9, domain: 11 },
};
const widthBesides = 24;

/** The width up to which a table fits beside the navigation, as most columns shrink. A wider one scrolls sideways. */
const widest = 70;

/** Returns the heading of a column, with a link that sorts by it, or in the other direction. */
function sortedBy(sort: Sort, head: string, { place, isSorted }: Pick<TableProps, "place" | "isSorted">) {
  const { view } = place;
  const isBy = isSorted && view.sort === sort;
  const reversed = view.order === "asc" ? "desc" : "asc";
  const order = isBy && sort !== "scans30d" ? reversed : firstOrder(sort);
  return {
    sorted: isBy ? (view.order === "asc" ? ("ascending" as const) : ("descending" as const)) : undefined,
    head: (
      <a class="sort" href={placeAddress(place, { sort, order })} data-view="">
        {head}
        {isBy && <Icon name={view.order === "asc" ? "arrow-up" : "arrow-down"} />}
      </a>
    ),
  };
}

/** Returns the columns of the table for one that is chosen. The destination is below the name. */
function columnsOf(name: ColumnName, props: Omit<TableProps, "items" | "scans" | "address">): Column<Row>[] {
  const { folders, timeZone, now } = props;
  const dayOf = (time: string) => (
    <time datetime={time} title={formatTime(time, timeZone)}>
      {formatDate(time, timeZone)}
    </time>
  );
  const sorted = (sort: Sort) => sortedBy(sort, columnTexts[name], props);
  switch (name) {
    case "destination":
      return [];
    case "scanUrl":
      return [
        {
          ...sorted("hash"),
          kind: "link",
          cell: ({ qr }) => <span class="address">{withoutScheme(qr.scanUrl)}</span>,
        },
      ];
    case "qrType":
      return [{ ...sorted("qrType"), kind: "type", cell: ({ qr }) => <TypeOf qr={qr} /> }];
    case "folder": {
      const byId = new Map(folders.map((folder) => [folder.id, folder]));
      const cell = ({ qr }: Row) => <FolderLink folder={byId.get(qr.folderId ?? "")} />;
      return [{ ...sorted("folder"), kind: "folder", priority: 3, cell }];
    }
    case "tags":
      return [{ head: columnTexts.tags, kind: "marks", cell: ({ qr }) => <Tags tags={qr.tags} /> }];
    case "status":
      return [
        {
          ...sorted("status"),
          kind: "state",
          cell: ({ qr }) => (
            <>
              <CodeStatus qr={qr} now={now} timeZone={timeZone} /> <ReadabilityMark qr={qr} />
            </>
          ),
        },
      ];
    case "scans30d": {
      const name = props.place.view.columns.includes("scans") ? "In 30 days" : "Scans";
      const { sorted: isBy, head } = sortedBy("scans30d", name, props);
      return [...scanColumns<Row>(({ scans }) => scans?.days ?? null, isBy !== undefined, head)];
    }
    case "scans":
      return [
        {
          ...sorted("scans"),
          kind: "total",
          cell: ({ scans }) => (scans === null ? "–" : formatNumber(scans.total)),
        },
      ];
    case "lastScan":
      return [
        {
          ...sorted("lastScan"),
          kind: "day",
          cell: ({ scans }) => {
            const at = scans?.lastScanAt;
            if (at === undefined) return "–";
            return at === null ? "Never" : dayOf(new Date(at).toISOString());
          },
        },
      ];
    case "createdAt":
      return [{ ...sorted("createdAt"), kind: "day", cell: ({ qr }) => dayOf(qr.createdAt) }];
    case "updatedAt":
      return [{ ...sorted("updatedAt"), kind: "day", cell: ({ qr }) => dayOf(qr.updatedAt) }];
    case "externalId":
      return [{ ...sorted("externalId"), kind: "own", cell: ({ qr }) => qr.externalId }];
    case "domain":
      return [{ ...sorted("domain"), kind: "domain", cell: ({ qr }) => qr.domain }];
  }
}

const TypeOf = ({ qr }: { qr: Qr }) => {
  const { icon, name } = typeTexts[qr.qrType];
  return (
    <span>
      <Icon name={icon} />
      <span>{name}</span>
    </span>
  );
};

const FolderLink = ({ folder }: { folder: ListedFolder | undefined }) =>
  folder === undefined ? null : (
    <a href={folderAddress(folder)}>
      <Icon name="folder" />
      <span dir="auto">{folder.name}</span>
    </a>
  );

/** How many tags a row shows. The code's page shows all. */
const shownTags = 2;

const Tags = ({ tags }: Pick<Qr, "tags">) => (
  <div>
    {tags.slice(0, shownTags).map((tag) => (
      <a class="tag" dir="auto" href={searchAddress({ words: "", tag })}>
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
    <MenuLink href={`/dashboard/codes/${qr.id}`}>
      <bdi>{codeTitle(qr)}</bdi>
    </MenuLink>
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
