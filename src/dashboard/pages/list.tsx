import { NotAvailable } from "../../ui/missing.tsx";
import { ifAvailable } from "../../domain/ledger.ts";
import { limits } from "../../contract/limits.ts";
import type { Page } from "../../contract/resources/pages.ts";
import { countCodesOfPages, listPages } from "../../domain/pages/pages.ts";
import { countSubmissions } from "../../domain/pages/submission-list.ts";
import { may } from "../../domain/context/permissions.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatDate, formatNumber } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { hasPages, NeedsPlan } from "./editor.tsx";
import { May } from "../frame/may.tsx";

const path = "/dashboard/pages";

/** The workspace's hosted pages, newest first, with their codes and submissions. */
export async function pageList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const [{ items, nextCursor }, timeZone] = await Promise.all([
    listPages(deps, context, { cursor, limit: limits.pageList.default }),
    request.timeZone(),
  ]);
  const ids = items.map(({ id }) => id);
  const [codes, submissions] = await Promise.all([
    countCodesOfPages(deps, context, ids),
    ifAvailable(deps, () => countSubmissions(deps, context, ids)),
  ]);
  const canCreate = hasPages(request);
  return {
    title: "Pages",
    content: (
      <>
        <Head title="Pages">{canCreate && items.length > 0 && <NewPage />}</Head>
        {!canCreate && <NeedsPlan request={request} />}
        {items.length > 0 ? (
          <>
            <Table
              kind="rows-of-names page-list"
              rows={items.map((page, i) => ({
                page,
                codes: codes.get(page.id) ?? 0,
                submissions: submissions && (submissions[i] ?? 0),
              }))}
              columns={[
                {
                  head: "Title",
                  cell: ({ page }) => (
                    <a class="name" href={`${path}/${page.id}`}>
                      {page.title}
                    </a>
                  ),
                },
                {
                  head: "Codes",
                  kind: "number",
                  unit: (row) => (row.codes === 1 ? "code" : "codes"),
                  cell: (row) => formatNumber(row.codes),
                },
                {
                  head: "Submissions",
                  kind: "number",
                  unit: (row) => (row.submissions === 1 ? "submission" : "submissions"),
                  cell: ({ page, submissions: count }) =>
                    count === null ? (
                      <NotAvailable />
                    ) : count === 0 || !may(context, "submissions.read") ? (
                      formatNumber(count)
                    ) : (
                      <a class="count" href={`${path}/${page.id}/submissions`}>
                        {formatNumber(count)}
                      </a>
                    ),
                },
                { head: "Form", kind: "state", cell: FormState },
                { head: "Updated", kind: "quiet", cell: ({ page }) => formatDate(page.updatedAt, timeZone) },
              ]}
            />
            <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
          </>
        ) : (
          <Empty
            title="No pages yet"
            text="A page shows text, links, images and a form on a visitor's phone. You don't need a website: a code opens it."
          >
            {canCreate && <NewPage />}
          </Empty>
        )}
      </>
    ),
  };
}

const NewPage = () => (
  <May permission="codes.write">
    <a class="button primary" href={`${path}/new`}>
      New page
    </a>
  </May>
);

/** Whether a page's form accepts submissions. */
export function FormState({ page: { form, formClosed, suspended } }: { page: Page }) {
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  if (form === null) return <span class="quiet">No form</span>;
  return formClosed ? <Status kind="ended">Closed</Status> : <Status kind="active">Open</Status>;
}
