import { notFound } from "../../domain/errors.ts";
import { discardPageDraft, findPageDraft } from "../../domain/pages/drafts.ts";
import { getPage } from "../../domain/pages/pages.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { Answer } from "../frame/request.ts";
import { savedBy } from "./draft-note.tsx";

/** Asks for confirmation before the draft of a page is discarded. @throws not_found also if it has none */
export const confirmDraftDiscard: Answer = async ({ deps, context, param, timeZone }) => {
  const page = await getPage(deps, context, param("id"));
  const [draft, zone] = await Promise.all([findPageDraft(deps, context, page.id), timeZone()]);
  if (draft === undefined) throw notFound("Draft");
  return confirmPage(
    {
      title: `Discard the draft of ${page.title}?`,
      action: "Discard draft",
      back: { path: `/dashboard/pages/${page.id}/edit`, name: "Editor" },
      values: { version: String(draft.version) },
    },
    <p>
      <strong>Its changes can't be brought back.</strong> {savedBy(draft, zone)} The page stays as it is.
    </p>,
  );
};

/** Discards the draft that was shown, or asks again if somebody has saved it since. @throws not_found */
export const discardDraft: Answer = async (request) => {
  const { deps, context, param, form } = request;
  const page = await getPage(deps, context, param("id"));
  const version = Number(form.get("version"));
  if (!(await discardPageDraft(deps, context, page.id, version))) return confirmDraftDiscard(request);
  return { seeOther: `/dashboard/pages/${page.id}`, flash: "draftDiscarded" };
};
