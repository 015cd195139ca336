import { limits } from "../../contract/limits.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { findFolders } from "../../domain/folders/folders.ts";
import { may } from "../../domain/identity/caller.ts";
import { listQrHistory } from "../../domain/history/history.ts";
import { Empty } from "../components/empty.tsx";
import { Pages } from "../components/pages.tsx";
import { formatDate } from "../components/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { Entries, namesFor } from "../history/entries.tsx";
import { typeTexts } from "./form/types.ts";
import { CodeHead } from "./head.tsx";

/** The changes of a code, newest first. @throws not_found */
export async function historyOfCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const [qr, timeZone] = await Promise.all([getQr(deps, context, request.param("id")), request.timeZone()]);
  const [[folder], list] = await Promise.all([
    qr.folderId === null ? [] : findFolders(deps, context, [qr.folderId]),
    listQrHistory(deps, context, qr.id, { cursor, limit: limits.historyList.default }),
  ]);
  return {
    title: `History of ${codeTitle(qr)}`,
    content: (
      <>
        <CodeHead
          qr={qr}
          folder={folder}
          now={deps.now()}
          timeZone={timeZone}
          current="history"
          activity={null}
          facts={[
            ["Type", typeTexts[qr.qrType].name],
            ["Created", formatDate(qr.createdAt, timeZone)],
          ]}
        />
        {list.items.length > 0 ? (
          <Entries
            entries={list.items}
            names={await namesFor(request, list.items)}
            now={deps.now()}
            timeZone={timeZone}
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
