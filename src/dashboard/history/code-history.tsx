import { limits } from "../../contract/limits.ts";
import { getVersionedQr, listQrHistory } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { Empty } from "../../ui/empty.tsx";
import { Pages } from "../../ui/pages.tsx";
import { CodeHead, readHead } from "../codes/head/head.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { Entries, NewestFollow, namesFor } from "./entries.tsx";

/** The changes of a code, newest first. @throws not_found */
export async function historyOfCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const edited = await getVersionedQr(deps, context, request.param("id"));
  const { qr } = edited;
  const listing = listQrHistory(deps, context, qr.id, { cursor, limit: limits.historyList.default });
  // The first page has the changes that the head shows.
  const latest = cursor === undefined ? listing.then(({ items }) => items) : undefined;
  const [head, list] = await Promise.all([readHead(request, edited, latest), listing]);
  return {
    title: `History of ${codeTitle(qr)}`,
    content: (
      <>
        <CodeHead head={head} current="history" />
        <NewestFollow {...list} />
        {list.items.length > 0 ? (
          <Entries
            entries={list.items}
            names={await namesFor(request, list.items)}
            now={head.now}
            timeZone={head.timeZone}
            back={may(context, "codes.write") ? request.address : null}
          />
        ) : (
          <Empty
            title="No changes yet"
            text="Changes are listed here from now on: who made them, when, and what the code was before."
          />
        )}
        <Pages
          address={`/dashboard/codes/${qr.id}/history`}
          isFirst={cursor === undefined}
          nextCursor={list.nextCursor}
        />
      </>
    ),
  };
}
