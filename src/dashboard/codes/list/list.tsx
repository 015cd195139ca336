import { limits } from "../../../contract/limits.ts";
import type { QrList } from "../../../contract/resources/codes/qr.ts";
import { listMostScanned } from "../../../domain/analytics/most-scanned.ts";
import { countQr } from "../../../domain/codes/list.ts";
import { searchQr } from "../../../domain/codes/search.ts";
import { pageTitlesOf } from "../../../domain/codes/titles.ts";
import { findFolders } from "../../../domain/folders/folders.ts";
import { ifAvailable } from "../../../domain/ledger.ts";
import { scansOfCodes, sparklineDays } from "../../../domain/scans/list.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Head } from "../../../ui/head.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuLink } from "../../../ui/menu.tsx";
import { Missing } from "../../../ui/missing.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { choicesOf } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { May } from "../../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { ListControls } from "./controls.tsx";
import { filtersOf, listAddress, type Order, readOrder, readSearch } from "./search.ts";
import { Searching } from "./searching.tsx";
import { allOf, type ListFacts, Selection } from "./selection.tsx";
import { CodeTable } from "./table.tsx";

/** The workspace's codes that a search finds. The search, order and page are in the address. */
export async function codeList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query, user, address } = request;
  const text = query.get("q") ?? "";
  const order = readOrder(query);
  const cursor = query.get("cursor") ?? undefined;
  const search = readSearch(text);
  const filters = await filtersOf(request, search);
  const { items, nextCursor, searched, matched, isMissing } = await readList(
    request,
    filters,
    order,
    search.words,
  );
  const hasLife = items.some(({ startsAt, expiresAt }) => startsAt !== null || expiresAt !== null);
  const [pageTitles, scans, folders, choices, timeZone] = await Promise.all([
    pageTitlesOf(deps, context, items),
    ifAvailable(deps, () =>
      scansOfCodes(
        deps,
        context,
        items.map(({ id }) => id),
      ),
    ),
    findFolders(deps, context, [...new Set(items.flatMap(({ folderId }) => folderId ?? []))]),
    choicesOf(folderSource, request, new URLSearchParams({ folderId: filters?.folderId ?? "" })),
    hasLife ? request.timeZone() : "UTC",
  ]);
  const total = user.liveCodes;
  return {
    title: "Codes",
    content: (
      <>
        <ListHead search={text} matched={matched} total={total} />
        {total === 0 ? (
          <FirstCode />
        ) : (
          <>
            <ListControls
              {...{ text, order, matched, total, choices, isSearching: searched !== undefined }}
            />
            <div id="found">
              {items.length > 0 && (
                <CodeTable
                  {...{ items, pageTitles, scans, folders, order, address, timeZone, now: deps.now() }}
                />
              )}
              {isMissing && <Missing what="The scans of your codes" />}
              <div class="found-rest">
                {matched.codes === 0 && !isMissing && nextCursor === null && <NoneFound order={order} />}
                {searched !== undefined && nextCursor !== null && (
                  <Searching
                    searched={searched}
                    address={continued(listAddress(search, order), nextCursor, matched.codes)}
                    isEmpty={items.length === 0}
                  />
                )}
                {searched === undefined && (
                  <Pages
                    address={listAddress(search, order)}
                    isFirst={cursor === undefined}
                    nextCursor={nextCursor}
                  />
                )}
              </div>
            </div>
            {(items.length > 0 || searched !== undefined) && (
              <Selection
                {...{ search: text, matched, total, folders: choices, address, listed: items.length }}
              />
            )}
          </>
        )}
      </>
    ),
  };
}

function ListHead(list: ListFacts) {
  const all = new URLSearchParams({ all: "on", q: list.search });
  return (
    <Head title="Codes">
      <May permission="codes.write">
        <a class="button plain" href="/dashboard/codes/import">
          <Icon name="upload" />
          Import
        </a>
      </May>
      {list.matched.codes > 0 && (
        <a
          class="button plain hidden-on-phones"
          href={`/dashboard/codes/export.csv?${new URLSearchParams({ q: list.search })}`}
          download=""
        >
          <Icon name="download" />
          Export
        </a>
      )}
      <Menu label="More" icon="ellipsis" button="button plain">
        <May permission="codes.write">
          <MenuLink href="/dashboard/codes/import" icon="upload">
            Import codes
          </MenuLink>
        </May>
        {list.matched.codes > 0 && (
          <MenuLink
            href={`/dashboard/codes/export.csv?${new URLSearchParams({ q: list.search })}`}
            icon="download"
            download=""
          >
            Export {allOf(list)}
          </MenuLink>
        )}
        {list.matched.codes > 0 && (
          <>
            <MenuLink
              href={`/dashboard/codes/export.ndjson?${new URLSearchParams({ q: list.search })}`}
              icon="download"
              download=""
            >
              Export {allOf(list)} as NDJSON
            </MenuLink>
            <MenuLink href={`/dashboard/print/images?${all}`} icon="image">
              Download images of {allOf(list)}
            </MenuLink>
            <MenuLink href={`/dashboard/print?${all}`} icon="printer">
              Print labels for {allOf(list)}
            </MenuLink>
          </>
        )}
        <MenuLink href="/dashboard/bin?kind=code" icon="trash">
          Deleted codes
        </MenuLink>
      </Menu>
      <May permission="codes.write">
        <a class="button primary" href="/dashboard/codes/new">
          <Icon name="plus" />
          New code
        </a>
      </May>
    </Head>
  );
}

/** Returns the address where a search goes on. @param found how many codes its pages have shown */
const continued = (address: string, cursor: string, found: number): string =>
  `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ cursor, found: String(found) })}`;

interface Listed extends QrList {
  /** How many codes the whole list has. `isAll` is false if not all of the workspace's codes were examined. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** The ledger, which knows the order, doesn't respond. */
  readonly isMissing?: true;
}

/** Reads a page of the list. @param filters null if no code can match */
async function readList(
  { deps, context, query, user }: DashboardRequest,
  filters: Awaited<ReturnType<typeof filtersOf>>,
  order: Order | undefined,
  words: string,
): Promise<Listed> {
  const cursor = query.get("cursor") ?? undefined;
  const limit = limits.qrList.default;
  if (filters === null) return { items: [], nextCursor: null, matched: { codes: 0, isAll: true } };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  // Scans are in the ledger, but the filters are in the catalogue.
  if (order === "scans" && !isFiltered) {
    const found = await ifAvailable(deps, () =>
      listMostScanned(deps, context, { days: sparklineDays, cursor, limit }),
    );
    if (found === null)
      return { items: [], nextCursor: null, matched: { codes: 0, isAll: true }, isMissing: true };
    return { ...found, matched: { codes: found.total, isAll: true } };
  }
  const selection = { ...filters, order: order === "scans" ? undefined : order };
  const list = await searchQr(deps, context, { ...selection, cursor, limit }, words);
  // Pages that aren't full follow one another, so what they have shown is all that was found.
  const shown = list.items.length + (Number(query.get("found")) || 0);
  const isCounted = cursor === undefined || query.has("found");
  const isFull = list.nextCursor !== null && list.searched === undefined;
  const matched = !isFiltered
    ? { codes: user.liveCodes, isAll: true }
    : isCounted && !isFull
      ? { codes: shown, isAll: list.nextCursor === null }
      : await countQr(deps, context, selection);
  return { ...list, matched };
}

const FirstCode = () => (
  <Empty
    title="No codes yet"
    text="Create one, or import a spreadsheet. You can change where a code leads at any time, even after it is printed."
  >
    <May permission="codes.write">
      <a class="button primary" href="/dashboard/codes/new">
        <Icon name="plus" />
        New code
      </a>
      <a class="button" href="/dashboard/codes/import">
        <Icon name="upload" />
        Import codes
      </a>
    </May>
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
