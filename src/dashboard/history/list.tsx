import { exportTypes } from "../../contract/resources/enums.ts";
import { type HistoryEntry, HistoryKind } from "../../contract/resources/history/history.ts";
import { may } from "../../domain/context/permissions.ts";
import { exportHistory, listHistory } from "../../domain/history/history.ts";
import { listKeyNames } from "../../domain/identity/keys.ts";
import { listMembers } from "../../domain/identity/members.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { bounds } from "../../protocol/bounds.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pages } from "../../ui/pages.tsx";
import { FilterBar } from "../filters/bar.tsx";
import type { Choice } from "../filters/menu.tsx";
import { addressOf, queryForFile, readFilters } from "../filters/query.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { Entries, NewestFollow, namesFor } from "./entries.tsx";
import { historyFilters } from "./filters.ts";
import { historyKinds } from "./kinds.ts";

const path = "/dashboard/history";

/** The workspace's history: who changed what, newest first. Filters and page are in the address. */
export async function workspaceHistory(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const timeZone = await request.timeZone();
  const zone = zoneOf(timeZone);
  const filters = readFilters(historyFilters, query, zone);
  const { values } = filters;
  const list = filters.query === undefined ? null : await listHistory(deps, context, filters.query);
  const entries = list?.items ?? [];
  return {
    title: "History",
    status: list === null ? 400 : 200,
    content: (
      <>
        <Head title="History">
          <a class="button" href={addressOf(`${path}/export.ndjson`, values)} download="">
            <Icon name="download" />
            Export NDJSON
          </a>
        </Head>
        <FilterBar
          path={path}
          labels={historyFilters.labels}
          form={filters}
          choices={{
            actor: await actorsOf(request, entries),
            kind: HistoryKind.options.map((kind): Choice => [kind, historyKinds[kind].many]),
          }}
          typed={["actor"]}
          today={zone.dayOf(deps.now())}
        />
        {list !== null && (
          <>
            <NewestFollow {...list} />
            {entries.length > 0 ? (
              <Entries
                entries={entries}
                names={await namesFor(request, entries)}
                now={deps.now()}
                timeZone={timeZone}
                back={may(context, "codes.write") ? request.address : null}
              />
            ) : (
              <NoEntries isFiltered={values.size > 0} hasMore={list.nextCursor !== null} />
            )}
            <Pages
              address={addressOf(path, values)}
              isFirst={query.get("cursor") === null}
              nextCursor={list.nextCursor}
            />
          </>
        )}
      </>
    ),
  };
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  /** Whether there are more entries to search. */
  readonly hasMore: boolean;
}

function NoEntries({ isFiltered, hasMore }: NoEntriesProps) {
  if (hasMore) return <Empty title="No change matches so far" text="Older changes are on the next page." />;
  if (isFiltered) return <Empty title="No change matches" text="Use fewer filters, or other days." />;
  return (
    <Empty
      title="No changes yet"
      text={`Every change in this workspace is listed here for ${bounds.history.days} days: who made it, when, and what it was before.`}
    >
      <a class="button" href="/dashboard/codes/new">
        New code
      </a>
    </Empty>
  );
}

/**
 * Returns who can be chosen as having made a change: kinds of actors, members, keys, and others who did on this page of
 * results, such as former members.
 */
async function actorsOf(
  { deps, context }: DashboardRequest,
  entries: readonly HistoryEntry[],
): Promise<readonly Choice[]> {
  const [{ members }, keys] = await Promise.all([
    listMembers(deps, context),
    may(context, "keys") ? listKeyNames(deps, context) : [],
  ]);
  const found = new Map<string, string>();
  for (const { id, name, email, current } of members) {
    found.set(id, `${name ?? email ?? "Without a name"}${current ? " (you)" : ""}`);
  }
  for (const { id, name } of keys) found.set(id, `API key ${name}`);
  for (const { actor } of entries) {
    if (actor.id === null || found.has(actor.id)) continue;
    found.set(actor.id, actor.kind === "key" ? `API key ${actor.name}` : actor.name);
  }
  return [["person", "All people"], ["key", "All API keys"], ["operator", "The operator"], ...found];
}

/** Returns the history shown on a page as NDJSON: filtered, newest first. @throws invalid_input, rate_limited */
export async function historyFile(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const list = queryForFile(historyFilters, query, zoneOf(await request.timeZone()));
  const lines = await exportHistory(deps, context, list);
  return new Response(streamOf(lines, deps), {
    headers: {
      "content-type": exportTypes.ndjson,
      "content-disposition": 'attachment; filename="history.ndjson"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
