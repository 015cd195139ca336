import { limits } from "../../../contract/limits.ts";
import type { Qr, QrList } from "../../../contract/resources/qr.ts";
import { listMostScanned } from "../../../domain/analytics/most-scanned.ts";
import { countQr, searchQr } from "../../../domain/codes/list.ts";
import { pageTitlesOf } from "../../../domain/codes/titles.ts";
import { findFolders, type ListedFolder } from "../../../domain/folders/folders.ts";
import { scansOfCodes, sparklineDays } from "../../../domain/scans/list.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { choicesOf } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { Empty } from "../../components/empty.tsx";
import { Head } from "../../components/head.tsx";
import { Pages } from "../../components/pages.tsx";
import { Badge, NumberCell } from "../../components/values/cells.tsx";
import { formatCount, formatNumber } from "../../components/values/format.ts";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { statusOfCode } from "../form/types.ts";
import { NameAndDestination } from "./cells.tsx";
import { ListControls } from "./controls.tsx";
import { filtersOf, folderAddress, type Order, readOrder, readSearch, searchAddress } from "./search.ts";
import { SelectCode, Selection, SelectPage } from "./selection.tsx";
import { Sparkline } from "./sparkline.tsx";

/** The codes of the workspace that a search finds. The search, the order and the page are in the address. */
export async function codeList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query, user } = request;
  const text = query.get("q") ?? "";
  const order = readOrder(query);
  const cursor = query.get("cursor") ?? undefined;
  const filters = await filtersOf(request, readSearch(text));
  const { items, nextCursor, matched } = await readList(request, filters, order);
  const [pageTitles, scans, folders, choices] = await Promise.all([
    pageTitlesOf(deps, context, items),
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
        {user.liveCodes === 0 ? (
          <FirstCode />
        ) : (
          <>
            <ListControls
              matched={matched}
              total={user.liveCodes}
              text={text}
              order={order}
              choices={choices}
            />
            {items.length === 0 ? (
              <NoneFound order={order} />
            ) : (
              <Selection search={text} total={user.liveCodes}>
                <CodeTable {...{ items, pageTitles, scans, folders, now: deps.now() }} />
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

interface Listed extends QrList {
  /** How many codes the whole list has; `isAll` is false where only the first codes of the workspace were counted. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
}

/** A page of the list. @param filters null if no code can match */
async function readList(
  { deps, context, query, user }: DashboardRequest,
  filters: Awaited<ReturnType<typeof filtersOf>>,
  order: Order | undefined,
): Promise<Listed> {
  const cursor = query.get("cursor") ?? undefined;
  const limit = limits.qrList.default;
  if (filters === null) return { items: [], nextCursor: null, matched: { codes: 0, isAll: true } };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  // Scans are in the ledger, the filters in the catalogue.
  if (order === "scans" && !isFiltered) {
    const found = await listMostScanned(deps, context, { days: sparklineDays, cursor, limit });
    return { ...found, matched: { codes: found.total, isAll: true } };
  }
  const selection = { ...filters, order: order === "scans" ? undefined : order };
  const [list, matched] = await Promise.all([
    searchQr(deps, context, { ...selection, cursor, limit }),
    isFiltered ? countQr(deps, context, selection) : { codes: user.liveCodes, isAll: true },
  ]);
  return { ...list, matched };
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

const NoneFound = ({ order }: { order: Order | undefined }) => (
  <Empty
    {...(order === "scans"
      ? { title: "No scans in the last 30 days", text: "A code shows up here once it has been scanned." }
      : { title: "No results", text: "Check the spelling, or remove a filter." })}
  >
    <a class="button" href="/dashboard/codes">
      Show all codes
    </a>
  </Empty>
);

interface TableProps {
  readonly items: readonly Qr[];
  readonly pageTitles: ReadonlyMap<string, string>;
  readonly scans: ReadonlyMap<string, CodeScans>;
  readonly folders: readonly ListedFolder[];
  /** Epoch milliseconds. */
  readonly now: number;
}

function CodeTable({ items, pageTitles, scans, folders, now }: TableProps) {
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
          <CodeRow
            qr={qr}
            pageTitles={pageTitles}
            scans={scans.get(qr.id)}
            folder={links.get(qr.folderId ?? "")}
            now={now}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly qr: Qr;
  readonly pageTitles: ReadonlyMap<string, string>;
  readonly scans: CodeScans | undefined;
  readonly folder: { readonly name: string; readonly address: string } | undefined;
  readonly now: number;
}

function CodeRow({ qr, pageTitles, scans, folder, now }: RowProps) {
  const status = statusOfCode(qr, now);
  const recent = scans?.days.reduce((sum, day) => sum + day, 0) ?? 0;
  return (
    <tr>
      <td>
        <SelectCode qr={qr} />
      </td>
      <td>
        <NameAndDestination qr={qr} pageTitles={pageTitles} />
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
