import { plans } from "../../contract/plans.ts";
import type { QrType } from "../../contract/resources/enums.ts";
import { PageInput } from "../../contract/resources/pages.ts";
import {
  discardPageDraft,
  findPageDraft,
  PageDraftInput,
  type SavedDraft,
  savePageDraft,
} from "../../domain/pages/drafts.ts";
import { canStoreImages } from "../../domain/pages/image-uploads.ts";
import {
  createPage as create,
  getVersionedPage,
  updatePage,
  type VersionedPage,
} from "../../domain/pages/pages.ts";
import { Conflict } from "../../ui/forms/conflict.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { type Conflicts, conflictsOf } from "./conflicts.ts";
import { DraftNote } from "./draft-note.tsx";
import { EditorForm } from "./editor-form.tsx";
import { type ActedForm, act } from "./form-actions.ts";
import {
  formOfPage,
  newPageForm,
  type PageForm,
  readPageForm,
  readVersions,
  type SubmittedPageForm,
  writeVersions,
} from "./form-values.ts";
import { readInput } from "./read-input.ts";
import { storeImages, uploadAction } from "./uploads.ts";

const list = { path: "/dashboard/pages", name: "Pages" } as const;

/** Returns whether the plan has hosted pages. */
export function hasPages({ context }: DashboardRequest): boolean {
  const types: readonly QrType[] = plans[context.plan].qrTypes;
  return types.includes("servicepage");
}

/** The editor of a new page. */
export const newPage = (request: DashboardRequest): Promise<PageResponse> | PageResponse =>
  hasPages(request) ? show(request, { form: newPageForm(), focus: "title" }) : needsPlan(request);

/**
 * Creates the page, only once for a form submitted twice; shows the editor again if that fails, or after a button that
 * changes its lists, or with the entries of a draft.
 */
export async function createPage(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form: submitted } = request;
  const read = readPageForm(submitted);
  const acted = await actOn(request, read);
  if (acted !== null) return show(request, acted);
  if (submitted.has("change")) return show(request, { form: read.form });
  const once = await onceFor(request);
  const outcome = await submitForm(PageInput, readInput(read.form), (input) =>
    create(deps, context, input, once),
  );
  if ("rejection" in outcome) return show(request, { form: read.form, rejection: outcome.rejection });
  return { seeOther: `${list.path}/${outcome.done.id}`, flash: "pageCreated" };
}

/** Applies a button's change, or stores the chosen images. @returns null if the form was submitted for another purpose */
async function actOn(
  request: DashboardRequest,
  read: SubmittedPageForm,
): Promise<(ActedForm & Pick<Shown, "rejection">) | null> {
  const action = request.form.get("do") ?? "";
  return action === uploadAction ? storeImages(request, read) : act(read, action);
}

/** The editor of a page, or of its draft. @throws not_found */
export async function editPage(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const edited = await getVersionedPage(deps, context, param("id"));
  const draft = await findPageDraft(deps, context, edited.page.id);
  const form =
    draft === undefined
      ? formOfPage(edited.page, { page: edited.version, draft: null })
      : formOfPage(draft.content, { page: draft.baseVersion, draft: draft.version });
  return show(request, { form, edited, draft });
}

/**
 * Publishes the page, or saves its draft; shows the editor again if that fails, if the page or its draft has changed
 * since the editor was opened, or after a button that changes its lists.
 * @throws not_found
 */
export async function savePage(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param, form: submitted } = request;
  const edited = await getVersionedPage(deps, context, param("id"));
  const draft = await findPageDraft(deps, context, edited.page.id);
  const read = readPageForm(submitted);
  const shown = { form: read.form, edited, draft };
  const acted = await actOn(request, read);
  if (acted !== null) return show(request, { ...shown, ...acted });
  if (submitted.has("change")) return show(request, shown);
  const isDraft = submitted.get("save") === "draft";
  const found = conflictsOf(read.form, edited, draft);
  // A draft replaces no page.
  const conflicts = isDraft ? { ...found, page: [] } : found;
  if (conflicts.page.length > 0 || conflicts.draft.length > 0) {
    const base = readVersions(read.form)?.page ?? edited.version;
    const page = isDraft ? base : edited.version;
    read.form.single.set("version", writeVersions({ page, draft: draft?.version ?? null }));
    return show(request, { ...shown, rejection: { problems: {}, status: 409 }, conflicts });
  }
  return isDraft ? saveDraft(request, shown) : publish(request, shown);
}

/** @param shown with the page and the draft that the form replaces */
async function publish(request: DashboardRequest, shown: Edited): Promise<DashboardResponse> {
  const { deps, context } = request;
  const { form, draft, edited } = shown;
  const { page, version } = edited;
  const outcome = await submitForm(PageInput, readInput(form, page), (content) =>
    updatePage(deps, context, page.id, content, [version]),
  );
  if ("rejection" in outcome) {
    // Changed since it was read, so it is compared with the form again.
    return outcome.rejection.status === 412
      ? savePage(request)
      : show(request, { ...shown, rejection: outcome.rejection });
  }
  // A draft that somebody has saved meanwhile stays.
  if (draft !== undefined) await discardPageDraft(deps, context, page.id, draft.version);
  return { seeOther: `${list.path}/${page.id}`, flash: "pageSaved", subject: page.id };
}

/** The same for a draft, which stays in the editor. */
async function saveDraft(request: DashboardRequest, shown: Edited): Promise<DashboardResponse> {
  const { deps, context } = request;
  const { form, draft, edited } = shown;
  const { page, version } = edited;
  const base = { page: readVersions(form)?.page ?? version, draft: draft?.version ?? null };
  const input = readInput(form, draft?.content ?? page, "draft");
  const outcome = await submitForm(PageDraftInput, input, (content) =>
    savePageDraft(deps, context, page.id, content, base),
  );
  if ("rejection" in outcome) return show(request, { ...shown, rejection: outcome.rejection });
  // Somebody else has saved a draft, or deleted the page, since they were read.
  return outcome.done ? { seeOther: `${list.path}/${page.id}/edit`, flash: "draftSaved" } : savePage(request);
}

/** An existing page in the editor. */
interface Edited {
  readonly form: PageForm;
  readonly edited: VersionedPage;
  readonly draft: SavedDraft | undefined;
}

interface Shown extends Partial<Edited> {
  readonly form: PageForm;
  readonly focus?: string;
  readonly rejection?: Rejection;
  readonly conflicts?: Conflicts;
}

async function show(
  request: DashboardRequest,
  { form, focus, edited, draft, rejection, conflicts }: Shown,
): Promise<PageResponse> {
  const page = edited?.page;
  const title = page === undefined ? "New page" : `Edit ${page.title}`;
  const path = page === undefined ? `${list.path}/new` : `${list.path}/${page.id}/edit`;
  const timeZone = await request.timeZone();
  const content = (
    <EditorForm
      title={title}
      back={page === undefined ? list : { path: `${list.path}/${page.id}`, name: page.title }}
      path={path}
      form={form}
      problems={rejection?.problems ?? {}}
      focus={focus}
      edited={page && { url: page.url, hasDraft: draft !== undefined }}
      canPreview={hasPages(request)}
      canUpload={hasPages(request) && canStoreImages(request.deps)}
      notice={
        <>
          {conflicts !== undefined && conflicts.draft.length > 0 && (
            <Conflict what="draft" address={path} fields={conflicts.draft} again="Save or publish again" />
          )}
          {conflicts !== undefined && conflicts.page.length > 0 && (
            <Conflict what="page" address={path} fields={conflicts.page} again="Publish again" />
          )}
          {draft !== undefined && edited !== undefined && (
            <DraftNote draft={draft} edited={edited} timeZone={timeZone} />
          )}
        </>
      }
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
