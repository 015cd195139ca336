import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/qr.ts";
import { listDeletedQr } from "../../domain/codes/restoration.ts";
import { codeTitle, pageTitlesOf } from "../../domain/codes/titles.ts";
import { Empty } from "../components/empty.tsx";
import { Action } from "../components/forms/buttons.tsx";
import { Head } from "../components/head.tsx";
import { Pages } from "../components/pages.tsx";
import { formatDate } from "../components/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { NameAndDestination } from "./list/cells.tsx";

const path = "/dashboard/codes/deleted";

/** The codes that were deleted and can be restored, the last one first. */
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
          <div class="fitting">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Code</th>
                  <th scope="col">Can be restored until</th>
                  <th scope="col">
                    <span class="visually-hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <Row {...item} pageTitles={pageTitles} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

interface RowProps {
  readonly qr: Qr;
  readonly restorableUntil: string;
  readonly pageTitles: ReadonlyMap<string, string>;
}

const Row = ({ qr, restorableUntil, pageTitles }: RowProps) => (
  <tr>
    <td>
      <NameAndDestination qr={qr} pageTitles={pageTitles} />
    </td>
    <td class="quiet">
      <span class="unit">Until </span>
      {formatDate(restorableUntil)}
    </td>
    <td class="end">
      <Action path={`/dashboard/codes/${qr.id}/restore`}>
        Restore<span class="visually-hidden"> {codeTitle(qr)}</span>
      </Action>
    </td>
  </tr>
);
