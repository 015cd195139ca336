import { limits } from "../../../contract/limits.ts";
import type { Qr } from "../../../contract/resources/qr.ts";
import { listQr } from "../../../domain/codes/codes.ts";
import { findFolders, type ListedFolder } from "../../../domain/folders/folders.ts";
import { scansOfCodes } from "../../../domain/scans/list.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { Badge, NumberCell } from "../../components/values/cells.tsx";
import { Empty } from "../../components/empty.tsx";
import { formatCount, formatNumber } from "../../components/values/format.ts";
import { Head } from "../../components/head.tsx";
import { Pages } from "../../components/pages.tsx";
import { choicesOf } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import type { PageResponse, DashboardRequest } from "../../frame/request.ts";
import { NameAndDestination } from "./cells.tsx";
import { ListControls } from "./controls.tsx";
import { filtersOf, folderAddress, readOrder, readSearch, searchAddress } from "./search.ts";
import { SelectCode, Selection, SelectPage } from "./selection.tsx";
import { Sparkline } from "./sparkline.tsx";
import { CodeTabs } from "../tabs.tsx";
import { statusOfCode } from "../form/types.ts";

/** The codes of the workspace that a search finds. The search, the order and the page are in the address. */
export async function codeList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query, user } = request;
  const text = query.get("q") ?? "";
  const order = readOrder(query);
  const cursor = query.get("cursor") ?? undefined;
  const filters = await filtersOf(request, readSearch(text));
  const { items, nextCursor } =
    filters === null
      ? { items: [], nextCursor: null }
      : await listQr(deps, context, { ...filters, order, cursor, limit: limits.qrList.default });
  const [scans, folders, choices] = await Promise.all([
    scansOfCodes(
      deps,
      context,
      items.map(({ id }) => id),
    ),
    findFolders(deps, context, [...new Set(items.flatMap(({ folderId }) => folderId ?? []))]),
    choicesOf(folderSource, request, new URLSearchParams({ folderId: filters?.folderId ?? "" })),
  ]);
  const given = Object.entries({ q: text, order: order ?? "" }).filter(([, value]) => value !== "");
  const search = new URLSearchParams(given).toString();
  const isEverything = text === "" && cursor === undefined;
  return {
    title: "Codes",
    content: (
      <>
        <Head title="Codes">
          <a class="button" href="/dashboard/jobs">
            Bulk jobs
          </a>
          <a class="button" href="/dashboard/codes/import">
            Create many
          </a>
        </Head>
        {isEverything && items.length === 0 ? (
          <FirstCode />
        ) : (
          <>
            <CodeTabs current="/dashboard/codes" />
            <ListControls text={text} order={order} choices={choices} />
            {items.length === 0 ? (
              <NoneFound />
            ) : (
              <Selection search={text} total={user.liveCodes}>
                <CodeTable {...{ items, scans, folders, now: deps.now() }} />
              </Selection>
            )}
            <Pages
              address={`/dashboard/codes${search === "" ? "" : `?${search}`}`}
              isFirst={cursor === undefined}
              nextCursor={nextCursor}
            />
          </>
        )}
      </>
    ),
  };
}

const FirstCode = () => (
  <Empty
    title="No codes yet"
    text="A code is an image that people scan with their phones. You can change where it leads at any time, also after it was printed."
  >
    <a class="button primary" href="/dashboard/codes/new">
      Create your first code
    </a>
    <a class="button" href="/dashboard/codes/import">
      Create many from a table
    </a>
  </Empty>
);

const NoneFound = () => (
  <Empty title="No code matches" text="Check the spelling, or use fewer filters.">
    <a class="button" href="/dashboard/codes">
      Show all codes
    </a>
  </Empty>
);

interface TableProps {
  readonly items: readonly Qr[];
  readonly scans: ReadonlyMap<string, CodeScans>;
  readonly folders: readonly ListedFolder[];
  /** Epoch milliseconds. */
  readonly now: number;
}

function CodeTable({ items, scans, folders, now }: TableProps) {
  const links = new Map(
    folders.map((folder) => [folder.id, { name: folder.name, address: folderAddress(folder) }]),
  );
  return (
    <table class="table codes selectable">
      <thead>
        <tr>
          <th scope="col">
            <SelectPage />
          </th>
          <th scope="col">Code</th>
          <th scope="col">Tags and folder</th>
          <th scope="col">Status</th>
          <th scope="col">Last 30 days</th>
          <th scope="col" class="number">
            Scans
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((qr) => (
          <CodeRow qr={qr} scans={scans.get(qr.id)} folder={links.get(qr.folderId ?? "")} now={now} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly qr: Qr;
  readonly scans: CodeScans | undefined;
  readonly folder: { readonly name: string; readonly address: string } | undefined;
  readonly now: number;
}

function CodeRow({ qr, scans, folder, now }: RowProps) {
  const status = statusOfCode(qr, now);
  const recent = scans?.days.reduce((sum, day) => sum + day, 0) ?? 0;
  return (
    <tr>
      <td>
        <SelectCode qr={qr} />
      </td>
      <td>
        <NameAndDestination qr={qr} />
      </td>
      <td>
        {(qr.tags.length > 0 || folder !== undefined) && (
          <div class="marks">
            {folder !== undefined && (
              <a class="tag" href={folder.address}>
                <span class="visually-hidden">Folder </span>▸ {folder.name}
              </a>
            )}
            {qr.tags.map((tag) => (
              <a class="tag" href={searchAddress({ words: "", tag })}>
                {tag}
              </a>
            ))}
          </div>
        )}
      </td>
      <td>
        <Badge kind={status.kind}>{status.text}</Badge>
      </td>
      <td>
        <Sparkline days={scans?.days ?? []} label={`${formatCount(recent, "scan")} in the last 30 days`} />
      </td>
      <NumberCell unit={scans?.total === 1 ? "scan" : "scans"}>{formatNumber(scans?.total ?? 0)}</NumberCell>
    </tr>
  );
}
