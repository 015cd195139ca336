import { limits } from "../../contract/limits.ts";
import type { Page } from "../../contract/resources/pages.ts";
import { may } from "../../domain/context/permissions.ts";
import { ifKnown } from "../../domain/ledger.ts";
import { findPageDraft } from "../../domain/pages/drafts.ts";
import {
  codesOfPage,
  getPage,
  deletePage as remove,
  restorePage as restore,
} from "../../domain/pages/pages.ts";
import { countSubmissions, submissionsByDay } from "../../domain/pages/submission-list.ts";
import { bounds } from "../../protocol/bounds.ts";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuLinks } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CopyField } from "../../ui/values/copy-field.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatCount, formatNumber, formatTime } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { confirmPage } from "../frame/form-page.tsx";
import { May } from "../frame/may.tsx";
import type { Answer, DashboardRequest, PageResponse } from "../frame/request.ts";
import { rejectionOf } from "../frame/submit-form.ts";
import { Reason } from "../frame/workspace-notices.tsx";
import { savedBy } from "./draft-note.tsx";
import { hasPages } from "./editor.tsx";
import { FormState } from "./list.tsx";
import { PagePicture } from "./page-picture.tsx";

const list = { path: "/dashboard/pages", name: "Pages" } as const;

/** How many codes are listed by name. */
const shownCodes = 5;

/** Of how many days submissions are shown. */
const shownDays = 30;

type CodesOfPage = Awaited<ReturnType<typeof codesOfPage>>;

/** A page: its address, the codes that lead to it, and its submissions. @throws not_found */
export async function showPage(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const page = await getPage(deps, context, request.param("id"));
  const daysIn = (zone: string) => ifKnown(submissionsByDay(deps, context, page.id, zone, shownDays));
  const [codes, [submissions = 0], timeZone, days, draft] = await Promise.all([
    codesOfPage(deps, context, page.id, shownCodes),
    countSubmissions(deps, context, [page.id]),
    request.timeZone(),
    page.form === null ? undefined : request.timeZone().then(daysIn),
    may(context, "codes.write") ? findPageDraft(deps, context, page.id) : undefined,
  ]);
  const [first] = codes.codes;
  const path = `${list.path}/${page.id}`;
  const canCreate = hasPages(request) && may(context, "codes.write");
  return {
    title: page.title,
    content: (
      <>
        <Head title={page.title} back={list}>
          <May permission="codes.write">
            <a class="button primary" href={`${path}/edit`}>
              {draft === undefined ? "Edit" : "Edit draft"}
            </a>
          </May>
          <a class="button" href={page.url}>
            Open page
            <Icon name="arrow-up-right" />
          </a>
          <May permission="codes.write">
            <Menu label="More actions" icon="ellipsis">
              <MenuLinks items={[["Delete", "trash", `${path}/delete`]]} />
            </Menu>
          </May>
        </Head>
        {page.suspended !== null && (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended this page. Visitors see a generic page.{" "}
              <Reason suspended={page.suspended} />
            </p>
          </Notice>
        )}
        {page.formClosed && <ClosedFormNotice id={page.id} />}
        {draft !== undefined && (
          <Notice kind="info">
            <p>{savedBy(draft, timeZone)} Visitors don't see it until it's published.</p>
          </Notice>
        )}
        <div class="page-show">
          <div class="page-phone">
            <PagePicture page={page} />
          </div>
          <div>
            <section class="card" aria-label="Address">
              {first === undefined ? (
                <CopyField label="Page link" value={page.url} />
              ) : (
                <CopyField label="Short link" value={first.scanUrl} />
              )}
              {first === undefined && canCreate && (
                <>
                  <p>
                    No code leads to this page yet. Create one to print, with a short name that people can
                    type.
                  </p>
                  <NewCode id={page.id} isFirst />
                </>
              )}
            </section>
            {(page.form !== null || submissions > 0) && (
              <section class="card" aria-labelledby="submissions">
                <div class="section-head">
                  <h2 id="submissions">{formatCount(submissions, "submission")}</h2>
                  <May permission="submissions.read">
                    <a href={`${path}/submissions`}>View submissions</a>
                  </May>
                </div>
                {days !== undefined && <Days days={days} />}
              </section>
            )}
            <section class="card" aria-label="Details">
              <Facts
                items={[
                  ["Codes", codes.total === 0 ? "None" : <CodeLinks {...codes} />],
                  ["Form", <FormState page={page} />],
                  ["Language", page.language],
                  ["Created", formatTime(page.createdAt, timeZone)],
                  ["Updated", formatTime(page.updatedAt, timeZone)],
                ]}
              />
              {first !== undefined && canCreate && (
                <p class="buttons">
                  <NewCode id={page.id} isFirst={false} />
                </p>
              )}
            </section>
          </div>
        </div>
      </>
    ),
  };
}

/** The submissions of the last days, as columns. */
function Days({ days }: { days: readonly number[] }) {
  const sum = days.reduce((total, count) => total + count, 0);
  return (
    <>
      <Sparkline values={days} height={64} />
      <p class="small quiet">
        {formatNumber(sum)} in the last {days.length} days
      </p>
    </>
  );
}

/** Says that a page's form accepts no more submissions. */
export const ClosedFormNotice = ({ id }: { id: string }) => (
  <Notice kind="warn">
    <p>
      This page's form is closed: it has reached the limit of {formatNumber(bounds.submissions)} submissions.
    </p>
    <May permission="submissions.manage">
      <a href={`${list.path}/${id}/submissions`}>Export and erase some to reopen it</a>
    </May>
  </Notice>
);

const NewCode = ({ id, isFirst }: { id: string; isFirst: boolean }) => (
  <a
    class={isFirst ? "button primary" : "button"}
    href={`/dashboard/codes/new?type=servicepage&data.pageId=${id}`}
  >
    {isFirst ? "Choose a short name" : "Create another code"}
  </a>
);

/** The codes that lead to a page, some of them by name. */
function CodeLinks({ codes, total }: CodesOfPage) {
  return (
    <ul class="plain row-links code-links">
      {codes.map(({ id, title }) => (
        <li>
          <a href={`/dashboard/codes/${id}`} dir="auto">
            {title}
          </a>
        </li>
      ))}
      {total > codes.length && (
        <li>
          <a href="/dashboard/codes?q=type%3Aservicepage">and {formatNumber(total - codes.length)} more</a>
        </li>
      )}
    </ul>
  );
}

/** Asks for confirmation before deleting a page, or lists the codes that lead to it. @throws not_found */
export const confirmPageDeletion: Answer = async ({ deps, context, param }) => {
  const page = await getPage(deps, context, param("id"));
  const [codes, [submissions = 0], draft] = await Promise.all([
    codesOfPage(deps, context, page.id, shownCodes),
    countSubmissions(deps, context, [page.id]),
    findPageDraft(deps, context, page.id),
  ]);
  const back = { path: `${list.path}/${page.id}`, name: page.title };
  if (codes.total > 0) return inUse(page, codes, 200);
  return confirmPage(
    { title: `Delete ${page.title}?`, action: "Delete page", back },
    <>
      <p>
        <strong>Its link stops working at once.</strong> You can restore the page from the bin for{" "}
        {limits.deletedDays} days{draft === undefined ? "" : ", with its draft"}.
      </p>
      {submissions > 0 && (
        <p>
          Its {formatCount(submissions, "submission")} {submissions === 1 ? "is" : "are"} kept until you erase{" "}
          {submissions === 1 ? "it" : "them"}. <a href={`${back.path}/submissions`}>View submissions</a>
        </p>
      )}
    </>,
  );
};

/** Deletes a page, unless codes lead to it. @throws not_found */
export const deletePage: Answer = async ({ deps, context, param }) => {
  const page = await getPage(deps, context, param("id"));
  try {
    await remove(deps, context, page.id);
  } catch (error) {
    // Other errors have nothing to do with the codes.
    if (rejectionOf(error).status !== 400) throw error;
    return inUse(page, await codesOfPage(deps, context, page.id, shownCodes), 400);
  }
  return { seeOther: list.path, flash: "pageDeleted", subject: page.id };
};

export const restorePage = change(restore, (id) => `${list.path}/${id}`, "pageRestored");

function inUse(page: Page, codes: CodesOfPage, status: 200 | 400): PageResponse {
  const title = "This page can't be deleted";
  return {
    title,
    status,
    content: (
      <>
        <Head title={title} back={{ path: `${list.path}/${page.id}`, name: page.title }} />
        <div class="card">
          <p>
            {codes.total === 1 ? "A code leads" : `${formatNumber(codes.total)} codes lead`} to {page.title},
            and a printed code can't be recalled. Point {codes.total === 1 ? "it" : "them"} elsewhere or
            delete {codes.total === 1 ? "it" : "them"} first.
          </p>
          <CodeLinks {...codes} />
        </div>
      </>
    ),
  };
}
