import { onceFor } from "../frame/once.ts";
import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { type Page, PageInput } from "../../contract/resources/pages.ts";
import { createPage as create, getPage, updatePage } from "../../domain/pages/pages.ts";
import { Conflict } from "../components/forms/conflict.tsx";
import { Head } from "../components/head.tsx";
import { Notice } from "../components/notice.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";
import { conflictsOf } from "./conflicts.ts";
import { EditorForm } from "./editor-form.tsx";
import { act } from "./form-actions.ts";
import { formOfPage, newPageForm, type PageForm, readPageForm } from "./form-values.ts";
import { readInput } from "./read-input.ts";

const list = { path: "/dashboard/pages", name: "Pages" } as const;

/** Whether the plan has hosted pages. */
export function hasPages({ owner }: Visit): boolean {
  const types: readonly QrType[] = plans[owner.plan].qrTypes;
  return types.includes("servicepage");
}

/** The editor of a new page. */
export const newPage = (visit: Visit): PageAnswer =>
  hasPages(visit) ? show(visit, { form: newPageForm() }) : needsPlan(visit);

/**
 * Creates the page, once for a form that is submitted twice; shows the editor again if that fails, or for a button that
 * changes its lists.
 */
export async function createPage(visit: Visit): Promise<Answer> {
  const { deps, owner, form: submitted } = visit;
  const read = readPageForm(submitted);
  const acted = act(read, submitted.get("do") ?? "");
  if (acted !== null) return show(visit, acted);
  const once = await onceFor(visit);
  const outcome = await submitForm(PageInput, readInput(read.form), (input) =>
    create(deps, owner, input, once),
  );
  if ("rejection" in outcome) return show(visit, { form: read.form, rejection: outcome.rejection });
  return { seeOther: `${list.path}/${outcome.done.id}`, flash: "pageCreated" };
}

/** The editor of a page. @throws not_found */
export async function editPage(visit: Visit): Promise<PageAnswer> {
  const { deps, owner, param } = visit;
  const page = await getPage(deps, owner, param("id"));
  return show(visit, { form: formOfPage(page), page });
}

/**
 * Changes the page; shows the editor again if that fails, if the page was changed since the editor was opened, or for a
 * button that changes its lists.
 * @throws not_found
 */
export async function savePage(visit: Visit): Promise<Answer> {
  const { deps, owner, param, form: submitted } = visit;
  const page = await getPage(deps, owner, param("id"));
  const read = readPageForm(submitted);
  const acted = act(read, submitted.get("do") ?? "");
  if (acted !== null) return show(visit, { ...acted, page });
  const input = readInput(read.form, page);
  const conflicts = conflictsOf(read.form, input, page);
  if (conflicts.length > 0) {
    read.form.single.set("updatedAt", page.updatedAt);
    return show(visit, { form: read.form, page, rejection: { problems: {}, status: 409 }, conflicts });
  }
  const outcome = await submitForm(PageInput, input, (content) => updatePage(deps, owner, page.id, content));
  if ("rejection" in outcome) return show(visit, { form: read.form, page, rejection: outcome.rejection });
  return { seeOther: `${list.path}/${page.id}`, flash: "pageSaved" };
}

interface Shown {
  readonly form: PageForm;
  readonly focus?: string;
  /** The page that is edited; undefined for a new one. */
  readonly page?: Page;
  readonly rejection?: Rejection;
  readonly conflicts?: ReturnType<typeof conflictsOf>;
}

function show(visit: Visit, { form, focus, page, rejection, conflicts = [] }: Shown): PageAnswer {
  const title = page === undefined ? "New page" : `Edit ${page.title}`;
  const path = page === undefined ? `${list.path}/new` : `${list.path}/${page.id}/edit`;
  return {
    title: rejection === undefined ? title : `Problem: ${title}`,
    status: rejection?.status ?? 200,
    frames: true,
    content: (
      <EditorForm
        title={title}
        back={page === undefined ? list : { path: `${list.path}/${page.id}`, name: page.title }}
        path={path}
        form={form}
        problems={rejection?.problems ?? {}}
        focus={focus}
        isNew={page === undefined}
        canPreview={hasPages(visit)}
        notice={conflicts.length > 0 && <Conflict what="page" address={path} fields={conflicts} />}
      />
    ),
  };
}

function needsPlan(visit: Visit): PageAnswer {
  return {
    title: "New page",
    content: (
      <>
        <Head title="New page" back={list} />
        <NeedsPlan visit={visit} />
      </>
    ),
  };
}

/** Says that the plan has no hosted pages. */
export function NeedsPlan({ visit: { owner, deps } }: { visit: Visit }) {
  return (
    <Notice kind="info">
      <p>Your plan {plans[owner.plan].title} has no hosted pages. They come with larger plans.</p>
      <UpgradeLink url={deps.upgradeUrl} />
    </Notice>
  );
}
