import { isByTotals, mostSorted } from "../../../contract/limits.ts";
import type { QrList } from "../../../contract/resources/codes/qr.ts";
import { listMostScanned } from "../../../domain/analytics/most-scanned.ts";
import { countQr, listSorted } from "../../../domain/codes/list.ts";
import { scansOfCodes, sparklineDays } from "../../../domain/codes/scans.ts";
import { searchQr } from "../../../domain/codes/search.ts";
import { pageTitlesOf } from "../../../domain/codes/titles.ts";
import { ServiceError } from "../../../domain/errors.ts";
import { findFolders } from "../../../domain/folders/folders.ts";
import { ifAvailable } from "../../../domain/ledger.ts";
import { Empty } from "../../../ui/empty.tsx";
import { HiddenFields } from "../../../ui/forms/hidden.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Head } from "../../../ui/head.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuLink } from "../../../ui/menu.tsx";
import { Missing } from "../../../ui/missing.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { formatNumber } from "../../../ui/values/format.ts";
import { choicesOf } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { May } from "../../frame/may.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../../frame/request.ts";
import { ListControls } from "./controls.tsx";
import { placeAt, type SavedPlace } from "./saved.ts";
import { filtersOf, isByLastScan, placeAddress, readSearch, saveAddress } from "./search.ts";
import { Searching } from "./searching.tsx";
import { allOf, type ListFacts, Selection } from "./selection.tsx";
import { CodeTable } from "./table.tsx";
import { readView, type Sort, sortText, type View, viewText, writeView } from "./view.ts";

/**
 * The workspace's codes that a search finds. The search, how they are shown and the page are in the address; how they were
 * shown last is remembered.
 */
export async function codeList(request: DashboardRequest): Promise<PageResponse | SeeOther> {
  const { deps, context, query, user, address, preferences } = request;
  const place = await placeAt(request);
  const { text, view, saved } = place;
  const cursor = query.get("cursor") ?? undefined;
  const search = readSearch(text);
  const filters = await filtersOf(request, search);
  const list = await readList(request, filters, view, search.words).catch((error: unknown) => {
    const isRefused = error instanceof ServiceError && error.code === "invalid_input";
    // The last 90 days are others tomorrow, for which the cursor of today's page isn't valid.
    if (isRefused && cursor !== undefined && isByLastScan(search)) return null;
    throw error;
  });
  if (list === null) return { seeOther: placeAddress(place) };
  const { items, nextCursor, searched, matched, isMissing, isSorted = true } = list;
  const hasTimes =
    items.some(({ startsAt, expiresAt }) => startsAt !== null || expiresAt !== null) ||
    view.columns.some((name) => name === "createdAt" || name === "updatedAt" || name === "lastScan");
  const hasScans = view.columns.some(
    (name) => name === "scans30d" || name === "scans" || name === "lastScan",
  );
  const ids = hasScans ? items.map(({ id }) => id) : [];
  const [pageTitles, scans, folders, choices, timeZone] = await Promise.all([
    pageTitlesOf(deps, context, items),
    ifAvailable(deps, () => scansOfCodes(deps, context, ids)),
    findFolders(deps, context, [...new Set(items.flatMap(({ folderId }) => folderId ?? []))]),
    choicesOf(folderSource, request, new URLSearchParams({ folderId: filters?.folderId ?? "" })),
    hasTimes ? request.timeZone() : "UTC",
  ]);
  const total = user.liveCodes;
  return {
    title: saved?.name ?? "Codes",
    // Saved lists are themselves remembered.
    preferences: saved === null ? remembered(query, preferences.codes) : undefined,
    content: (
      <>
        <ListHead search={text} matched={matched} total={total} place={place} />
        {total === 0 ? (
          <FirstCode />
        ) : (
          <>
            <ListControls
              {...{ place, isSorted, matched, total, choices, isSearching: searched !== undefined }}
            />
            {place.isChanged && <ChangedList place={place} />}
            {!isSorted && <NotSorted view={view} />}
            {isByLastScan(search) ? (
              <ByCopies what="filter" />
            ) : (
              isSorted && isByTotals(view.sort) && <ByCopies what="order" />
            )}
            <div id="found">
              {items.length > 0 && (
                <CodeTable
                  {...{ items, pageTitles, scans, folders, place, isSorted, address, timeZone }}
                  now={deps.now()}
                />
              )}
              {isMissing && <Missing what="The scans of your codes" />}
              <div class="found-rest">
                {matched.codes === 0 && !isMissing && nextCursor === null && <NoneFound sort={view.sort} />}
                {searched !== undefined && nextCursor !== null && (
                  <Searching
                    searched={searched}
                    address={continued(placeAddress(place), nextCursor, matched.codes)}
                    isEmpty={items.length === 0}
                  />
                )}
                {searched === undefined && (
                  <Pages
                    address={placeAddress(place)}
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

/** Says that the list isn't as it is saved, and offers to save it so. */
const ChangedList = ({ place: { text, view, saved } }: { place: SavedPlace }) =>
  saved && (
    <div class="unsorted small quiet">
      <Icon name="info" />
      <span>This isn't how the list is saved.</span>
      <May permission={saved.shared ? "codes.write" : "codes.read"}>
        <PostForm action={`/dashboard/lists/${saved.id}/save`}>
          <HiddenFields values={[["q", text], ...writeView(view)]} />
          <button class="button plain" type="submit">
            Save changes
          </button>
        </PostForm>
      </May>
      <a href={saveAddress(text, view)}>Save as another list</a>
      <a href={`/dashboard/codes?list=${saved.id}`}>Discard changes</a>
    </div>
  );

function ListHead({ place, ...list }: ListFacts & { readonly place: SavedPlace }) {
  const all = new URLSearchParams({ all: "on", q: list.search });
  const { saved } = place;
  const canSelectAll = list.matched.codes > 0 && !isByLastScan(readSearch(list.search));
  const back = saved === null ? undefined : { path: "/dashboard/codes", name: "Codes" };
  return (
    <Head title={saved?.name ?? "Codes"} back={back}>
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
          <MenuLink
            href={`/dashboard/codes/export.ndjson?${new URLSearchParams({ q: list.search })}`}
            icon="download"
            download=""
          >
            Export {allOf(list)} as NDJSON
          </MenuLink>
        )}
        {canSelectAll && (
          <>
            <MenuLink href={`/dashboard/print/images?${all}`} icon="image">
              Download images of {allOf(list)}
            </MenuLink>
            <MenuLink href={`/dashboard/print?${all}`} icon="printer">
              Print labels for {allOf(list)}
            </MenuLink>
          </>
        )}
        {saved === null ? (
          <MenuLink href={saveAddress(place.text, place.view)} icon="bookmark">
            Save list
          </MenuLink>
        ) : (
          <May permission={saved.shared ? "codes.write" : "codes.read"}>
            <MenuLink href={`/dashboard/lists/${saved.id}/edit`} icon="pencil">
              Rename or share list
            </MenuLink>
            <MenuLink href={`/dashboard/lists/${saved.id}/delete`} icon="trash">
              Delete list
            </MenuLink>
          </May>
        )}
        <MenuLink href="/dashboard/lists" icon="bookmark">
          All saved lists
        </MenuLink>
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

/** Returns how the list is shown if the address says it and it is new, to remember it. */
function remembered(query: URLSearchParams, before: string) {
  const view = readView(query);
  const codes = view === null ? before : viewText(view);
  return codes === before ? undefined : { codes };
}

interface Listed extends QrList {
  /** How many codes the whole list has. `isAll` is false if not all of the workspace's codes were examined. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** The ledger, which knows the order, doesn't respond. */
  readonly isMissing?: true;
  /** Set if there are too many codes to sort: they are listed newest first. */
  readonly isSorted?: false;
}

/** Reads a page of the list. @param filters null if no code can match */
async function readList(
  { deps, context, query, user }: DashboardRequest,
  filters: Awaited<ReturnType<typeof filtersOf>>,
  { sort, order, rows: limit }: View,
  words: string,
): Promise<Listed> {
  const none = { items: [], nextCursor: null, matched: { codes: 0, isAll: true } };
  const cursor = query.get("cursor") ?? undefined;
  if (filters === null) return none;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const counted = () =>
    isFiltered ? countQr(deps, context, filters) : { codes: user.liveCodes, isAll: true };
  if (sort === "scans30d") {
    const ofFilter = isFiltered ? { filters } : {};
    const found = await ifAvailable(deps, async () => ({
      list: await listMostScanned(deps, context, { days: sparklineDays, cursor, limit, ...ofFilter }),
    }));
    if (found === null) return { ...none, isMissing: true };
    const { list } = found;
    // The codes of a filter that were never scanned match, too.
    if (list !== null)
      return { ...list, matched: isFiltered ? await counted() : { codes: list.total, isAll: true } };
  } else if (sort !== "createdAt") {
    const selection = { ...filters, sort, order, cursor, limit };
    const [list, matched] = await Promise.all([listSorted(deps, context, selection, sort), counted()]);
    if (list !== null) return { ...list, matched };
  }
  const isSorted = sort === "createdAt";
  const selection = { ...filters, ...(isSorted && order === "asc" && { sort, order }) };
  const list = await searchQr(deps, context, { ...selection, cursor, limit }, words);
  // Pages that aren't full follow one another, so what they have shown is all that was found.
  const shown = list.items.length + (Number(query.get("found")) || 0);
  const isCounted = cursor === undefined || query.has("found");
  const isFull = list.nextCursor !== null && list.searched === undefined;
  const matched = !isFiltered
    ? { codes: user.liveCodes, isAll: true }
    : isCounted && !isFull
      ? { codes: shown, isAll: list.nextCursor === null }
      : await countQr(deps, context, filters);
  return { ...list, matched, ...(!isSorted && { isSorted: false }) };
}

/** Says why a list isn't in the order that was chosen. */
const NotSorted = ({ view }: { view: View }) => (
  <p class="unsorted small quiet" role="status">
    <Icon name="info" />
    <span>
      These are more than {formatNumber(mostSorted(view.sort))} codes, newest first. Filter them to sort by{" "}
      {sortText(view.sort)}, or sort by name or date.
    </span>
  </p>
);

/** Says how old the filter or the order is. */
const ByCopies = ({ what }: { what: string }) => (
  <p class="unsorted small quiet">
    <Icon name="info" />
    <span>This {what} is up to a day old. The numbers are as they are now.</span>
  </p>
);

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

const NoneFound = ({ sort }: { sort: Sort }) => (
  <Empty
    {...(sort === "scans30d"
      ? { title: "No scans in the last 30 days", text: "A code shows up here once it has been scanned." }
      : { title: "No results", text: "Check the spelling, or remove a filter." })}
  >
    <a class="button" href="/dashboard/codes">
      Show all codes
    </a>
  </Empty>
);
