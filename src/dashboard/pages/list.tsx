import { limits } from "../../contract/limits.ts";
import type { Page } from "../../contract/resources/pages.ts";
import { sparklineDays } from "../../domain/codes/scans.ts";
import { may } from "../../domain/context/permissions.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { filterPagesWithDraft } from "../../domain/pages/drafts.ts";
import { countCodesOfPages, listPages } from "../../domain/pages/pages.ts";
import { countSubmissions } from "../../domain/pages/submission-list.ts";
import { scansOfPages } from "../../domain/scans/groups.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { NotAvailable } from "../../ui/missing.tsx";
import { Pages } from "../../ui/pages.tsx";
import { formatDate, formatNumber } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { hasPages, NeedsPlan } from "./editor.tsx";
import { PagePicture } from "./page-picture.tsx";

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
  const [codes, submissions, scans, drafts] = await Promise.all([
    countCodesOfPages(deps, context, ids),
    ifAvailable(deps, () => countSubmissions(deps, context, ids)),
    ifAvailable(deps, () => scansOfPages(deps, context, ids)),
    may(context, "codes.write") ? filterPagesWithDraft(deps, context, ids) : new Set<string>(),
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
            <ul class="plain page-grid">
              {items.map((page, i) => (
                <PageCard
                  page={page}
                  hasDraft={drafts.has(page.id)}
                  scans={scans === null ? null : scans?.get(page.id)?.reduce((sum, day) => sum + day, 0)}
                  submissions={submissions && (submissions[i] ?? 0)}
                  codes={codes.get(page.id) ?? 0}
                  canRead={may(context, "submissions.read")}
                  timeZone={timeZone}
                />
              ))}
            </ul>
            <p class="small quiet">Scans by people in the last {sparklineDays} days.</p>
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

interface CardProps {
  readonly page: Page;
  readonly hasDraft: boolean;
  /** Null while they can't be read, undefined if the pages have too many codes to add up. */
  readonly scans: number | null | undefined;
  /** Null while they can't be read. */
  readonly submissions: number | null;
  readonly codes: number;
  /** Whether the person may read the submissions. */
  readonly canRead: boolean;
  readonly timeZone: string;
}

/** A page as it begins on a phone, with its figures. */
function PageCard({ page, hasDraft, scans, submissions, codes, canRead, timeZone }: CardProps) {
  const address = `${path}/${page.id}`;
  return (
    <li>
      <a class="page-card" href={address}>
        <span class="page-phone">
          <PagePicture page={page} />
        </span>
        <span class="name" dir="auto">
          {page.title}
        </span>
      </a>
      <ul class="plain page-figures">
        <li>
          <Figure count={scans} one="scan" />
        </li>
        <li>
          {submissions !== null && submissions > 0 && canRead ? (
            <a href={`${address}/submissions`}>
              <Figure count={submissions} one="submission" />
            </a>
          ) : (
            <Figure count={submissions} one="submission" />
          )}
        </li>
        <li>
          <Figure count={codes} one="code" />
        </li>
      </ul>
      <p class="page-state small">
        {hasDraft && <Status kind="scheduled">Draft</Status>}
        <FormState page={page} named />
        <span class="quiet">Updated {formatDate(page.updatedAt, timeZone)}</span>
      </p>
    </li>
  );
}

/** A count with its unit. */
const Figure = ({ count, one }: { count: number | null | undefined; one: string }) => (
  <>
    <b>{count === null ? <NotAvailable /> : count === undefined ? "–" : formatNumber(count)}</b>{" "}
    <span class="quiet">{count === 1 ? one : `${one}s`}</span>
  </>
);

const NewPage = () => (
  <May permission="codes.write">
    <a class="button primary" href={`${path}/new`}>
      New page
    </a>
  </May>
);

/** Whether a page's form accepts submissions. @param named says that it is about the form */
export function FormState({
  page: { form, formClosed, suspended },
  named = false,
}: {
  page: Page;
  named?: boolean;
}) {
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  if (form === null) return <span class="quiet">No form</span>;
  const [open, closed] = named ? ["Form open", "Form closed"] : ["Open", "Closed"];
  return <Status kind={formClosed ? "ended" : "active"}>{formClosed ? closed : open}</Status>;
}
