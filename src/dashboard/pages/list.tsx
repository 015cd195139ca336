import { limits } from "../../contract/limits.ts";
import type { Page } from "../../contract/resources/pages.ts";
import { countCodesOfPages, listPages } from "../../domain/pages/pages.ts";
import { countSubmissions } from "../../domain/pages/submission-list.ts";
import { NumberCell } from "../components/values/cells.tsx";
import { Empty } from "../components/empty.tsx";
import { formatDate, formatNumber } from "../components/values/format.ts";
import { Status } from "../components/values/status.tsx";
import { Head } from "../components/head.tsx";
import { Pages } from "../components/pages.tsx";
import type { PageResponse, DashboardRequest } from "../frame/request.ts";
import { hasPages, NeedsPlan } from "./editor.tsx";

const path = "/dashboard/pages";

/** The hosted pages of the workspace, newest first, with their codes and submissions. */
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
    countSubmissions(deps, context, ids),
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
            <div class="fitting">
              <table class="table rows-of-names page-list">
                <thead>
                  <tr>
                    <th scope="col">Title</th>
                    <th scope="col" class="number">
                      Codes
                    </th>
                    <th scope="col" class="number">
                      Submissions
                    </th>
                    <th scope="col">Form</th>
                    <th scope="col">Updated</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((page, i) => (
                    <PageRow
                      page={page}
                      codes={codes.get(page.id) ?? 0}
                      submissions={submissions[i] ?? 0}
                      timeZone={timeZone}
                    />
                  ))}
                </tbody>
              </table>
            </div>
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
  <a class="button primary" href={`${path}/new`}>
    New page
  </a>
);

interface RowProps {
  readonly page: Page;
  readonly codes: number;
  readonly submissions: number;
  readonly timeZone: string;
}

function PageRow({ page, codes, submissions, timeZone }: RowProps) {
  const address = `${path}/${page.id}`;
  return (
    <tr>
      <td>
        <a class="name" href={address}>
          {page.title}
        </a>
      </td>
      <NumberCell unit={codes === 1 ? "code" : "codes"}>{formatNumber(codes)}</NumberCell>
      <NumberCell unit={submissions === 1 ? "submission" : "submissions"}>
        {submissions === 0 ? (
          0
        ) : (
          <a class="count" href={`${address}/submissions`}>
            {formatNumber(submissions)}
          </a>
        )}
      </NumberCell>
      <td class="state">
        <FormState page={page} />
      </td>
      <td class="quiet">{formatDate(page.updatedAt, timeZone)}</td>
    </tr>
  );
}

/** Whether a page's form can be filled in. */
export function FormState({ page: { form, formClosed, suspended } }: { page: Page }) {
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  if (form === null) return <span class="quiet">No form</span>;
  return formClosed ? <Status kind="ended">Closed</Status> : <Status kind="active">Open</Status>;
}
