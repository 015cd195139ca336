import { limits } from "../../contract/limits.ts";
import { listDeletedQr } from "../../domain/codes/restoration.ts";
import { codeTitle, pageTitlesOf } from "../../domain/codes/titles.ts";
import { Empty } from "../components/empty.tsx";
import { Action } from "../components/forms/buttons.tsx";
import { Head } from "../components/head.tsx";
import { Pages } from "../components/pages.tsx";
import { Table } from "../components/table.tsx";
import { formatDate } from "../components/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { NameAndDestination } from "./list/cells.tsx";

const path = "/dashboard/codes/deleted";

/** The deleted codes that can be restored, latest first. */
export async function deletedCodes(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await listDeletedQr(deps, context, {
    cursor,
    limit: limits.qrList.default,
  });
  const pageTitles = await pageTitlesOf(
    deps,
    context,
    items.map(({ qr }) => qr),
  );
  return {
    title: "Deleted codes",
    content: (
      <>
        <Head title="Deleted codes" back={{ path: "/dashboard/codes", name: "Codes" }} />
        {items.length === 0 ? (
          <Empty
            title="No deleted codes"
            text={`A code that you delete stays here for ${limits.deletedDays} days, and can be restored.`}
          >
            <a class="button" href="/dashboard/codes">
              Show all codes
            </a>
          </Empty>
        ) : (
          <Table
            rows={items}
            columns={[
              {
                head: "Code",
                cell: ({ qr }) => <NameAndDestination qr={qr} pageTitles={pageTitles} />,
              },
              {
                head: "Can be restored until",
                kind: "quiet",
                cell: ({ restorableUntil }) => (
                  <>
                    <span class="unit">Until </span>
                    {formatDate(restorableUntil)}
                  </>
                ),
              },
            ]}
            actions={({ qr }) => (
              <Action path={`/dashboard/codes/${qr.id}/restore`}>
                Restore<span class="visually-hidden"> {codeTitle(qr)}</span>
              </Action>
            )}
          />
        )}
        <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}
