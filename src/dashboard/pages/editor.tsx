import { formPage } from "../frame/form-page.tsx";
import { onceFor } from "../frame/once.ts";
import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { type Page, PageInput } from "../../contract/resources/pages.ts";
import { createPage as create, getVersionedPage, updatePage } from "../../domain/pages/pages.ts";
import { Conflict } from "../../ui/forms/conflict.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { DashboardResponse, PageResponse, DashboardRequest } from "../frame/request.ts";
import { pageConflicts } from "./conflicts.ts";
import { EditorForm } from "./editor-form.tsx";
import { act } from "./form-actions.ts";
import { formOfPage, newPageForm, type PageForm, readPageForm } from "./form-values.ts";
import { readInput } from "./read-input.ts";

const list = { path: "/dashboard/pages", name: "Pages" } as const;

/** Returns whether the plan has hosted pages. */
export function hasPages({ context }: DashboardRequest): boolean {
  const types: readonly QrType[] = plans[context.plan].qrTypes;
  return types.includes("servicepage");
}

/** The editor of a new page. */
export const newPage = (request: DashboardRequest): PageResponse =>
  hasPages(request) ? show(request, { form: newPageForm() }) : needsPlan(request);

/**
 * Creates the page, only once for a form submitted twice; shows the editor again if that fails, or after a button that
 * changes its lists, or with the entries of a draft.
 */
export async function createPage(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form: submitted } = request;
  const read = readPageForm(submitted);
  const acted = act(read, submitted.get("do") ?? "");
  if (acted !== null) return show(request, acted);
  if (submitted.has("change")) return show(request, { form: read.form });
  const once = await onceFor(request);
  const outcome = await submitForm(PageInput, readInput(read.form), (input) =>
    create(deps, context, input, once),
  );
  if ("rejection" in outcome) return show(request, { form: read.form, rejection: outcome.rejection });
  return { seeOther: `${list.path}/${outcome.done.id}`, flash: "pageCreated" };
}

/** The editor of a page. @throws not_found */
export async function editPage(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const edited = await getVersionedPage(deps, context, param("id"));
  return show(request, { form: formOfPage(edited), page: edited.page });
}

/**
 * Changes the page; shows the editor again if that fails, if the page has changed since the editor was opened, or after
 * a button that changes its lists.
 * @throws not_found
 */
export async function savePage(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param, form: submitted } = request;
  const edited = await getVersionedPage(deps, context, param("id"));
  const { page, version } = edited;
  const read = readPageForm(submitted);
  const acted = act(read, submitted.get("do") ?? "");
  if (acted !== null) return show(request, { ...acted, page });
  if (submitted.has("change")) return show(request, { form: read.form, page });
  const input = readInput(read.form, page);
  const conflicts = pageConflicts(read.form, input, edited);
  if (conflicts.length > 0) {
    read.form.single.set("version", String(version));
    return show(request, { form: read.form, page, rejection: { problems: {}, status: 409 }, conflicts });
  }
  const outcome = await submitForm(PageInput, input, (content) =>
    updatePage(deps, context, page.id, content, [version]),
  );
  if ("rejection" in outcome) {
    // Changed since it was read above, so it is compared with the form again.
    return outcome.rejection.status === 412
      ? savePage(request)
      : show(request, { form: read.form, page, rejection: outcome.rejection });
  }
  return { seeOther: `${list.path}/${page.id}`, flash: "pageSaved", subject: page.id };
}

interface Shown {
  readonly form: PageForm;
  readonly focus?: string;
  /** The page being edited; undefined for a new one. */
  readonly page?: Page;
  readonly rejection?: Rejection;
  readonly conflicts?: ReturnType<typeof pageConflicts>;
}

function show(
  request: DashboardRequest,
  { form, focus, page, rejection, conflicts = [] }: Shown,
): PageResponse {
  const title = page === undefined ? "New page" : `Edit ${page.title}`;
  const path = page === undefined ? `${list.path}/new` : `${list.path}/${page.id}/edit`;
  const content = (
    <EditorForm
      title={title}
      back={page === undefined ? list : { path: `${list.path}/${page.id}`, name: page.title }}
      path={path}
      form={form}
      problems={rejection?.problems ?? {}}
      focus={focus}
      isNew={page === undefined}
      canPreview={hasPages(request)}
      notice={conflicts.length > 0 && <Conflict what="page" address={path} fields={conflicts} />}
    />
  );
  return { ...formPage(title, rejection, content), frames: true };
}

function needsPlan(request: DashboardRequest): PageResponse {
  return {
    title: "New page",
    content: (
      <>
        <Head title="New page" back={list} />
        <NeedsPlan request={request} />
      </>
    ),
  };
}

/** Says that the plan has no hosted pages. */
export function NeedsPlan({ request: { context, deps } }: { request: DashboardRequest }) {
  return (
    <Notice kind="info">
      <p>Your {plans[context.plan].title} plan doesn't include hosted pages.</p>
      <UpgradeLink url={deps.settings.upgradeUrl} />
    </Notice>
  );
}
