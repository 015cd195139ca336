import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { PageLook, PageScheme } from "../../contract/resources/enums.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import * as store from "../../store/page-drafts.ts";
import type { Member, WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { keepImagesOfDraft } from "./stored-images.ts";

/*
 * A page can have one draft: changes that its editors share and that visitors don't see. It may be unfinished: what a
 * page's values must be is checked when it is published. Saving or discarding it is no change of the page, so it is not
 * in the history.
 */

export type { PageDraftContent, SavedDraft } from "../../store/page-drafts.ts";

const values = z.union([z.string(), z.boolean(), z.array(z.string())]);
const optionalText = z.string().nullable();

/** The content of a draft, for forms. */
export const PageDraftInput = z.object({
  title: z.string(),
  intro: optionalText,
  blocks: z
    .array(z.object({ type: z.enum(["text", "link", "image"]) }).catchall(values))
    .max(limits.page.blocks, `can have at most ${limits.page.blocks} entries`),
  form: z
    .object({
      fields: z
        .array(z.object({ type: z.enum(["text", "email", "phone", "choice", "checkbox"]) }).catchall(values))
        .max(limits.page.fields, `can have at most ${limits.page.fields} entries`),
      button: optionalText,
      thanks: optionalText,
    })
    .nullable(),
  header: z.object({ url: z.string(), alt: z.string() }).nullable(),
  colors: z
    .object({
      background: z.string().optional(),
      text: z.string().optional(),
      accent: z.string().optional(),
    })
    .nullable(),
  look: PageLook.default("plain"),
  scheme: PageScheme.default("auto"),
  language: z.string(),
});

/** Returns the draft of a page; undefined if it has none. */
export const findPageDraft = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  pageId: string,
): Promise<store.SavedDraft | undefined> => store.findPageDraft(deps.db, workspaceId, pageId);

/** Returns which pages have a draft. */
export const filterPagesWithDraft = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  pageIds: readonly string[],
): Promise<Set<string>> => store.filterPagesWithDraft(deps.db, workspaceId, pageIds);

/** The versions that a draft was made from. */
interface DraftBase {
  /** Of the page that it changes. */
  readonly page: number;
  /** Of the draft that it replaces; null if there was none. */
  readonly draft: number | null;
}

/**
 * Saves the draft of a page.
 * @returns false if the draft has another version by now, or the page was deleted; nothing is then stored
 * @throws invalid_input naming `page`, if it is too large; plan_limit if the workspace's storage is full
 */
export async function savePageDraft(
  deps: Deps,
  context: Member,
  pageId: string,
  content: store.PageDraftContent,
  base: DraftBase,
): Promise<boolean> {
  requirePermission(context, "codes.write");
  if (utf8Length(JSON.stringify(content)) > limits.page.bytes) {
    throw invalid("page", `can have at most ${limits.page.bytes} bytes of JSON`);
  }
  await keepImagesOfDraft(deps, context, content);
  return store.savePageDraft(deps.db, {
    pageId,
    workspaceId: context.workspaceId,
    version: (base.draft ?? 0) + 1,
    content,
    baseVersion: base.page,
    updatedAt: deps.now(),
    updatedBy: context.userId,
  });
}

/** Discards a version of a page's draft. @returns false if the draft has another version by now */
export function discardPageDraft(
  deps: Deps,
  context: Member,
  pageId: string,
  version: number,
): Promise<boolean> {
  requirePermission(context, "codes.write");
  return store.deletePageDraft(deps.db, { workspaceId: context.workspaceId, pageId, version });
}
