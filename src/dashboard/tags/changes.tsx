import { limits } from "../../contract/limits.ts";
import { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import { countSelection, createBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { notFound } from "../../domain/errors.ts";
import { FormKey } from "../../ui/forms/buttons.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { confirmPage, namePage } from "../frame/form-page.tsx";
import { onceFor } from "../frame/once.ts";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

// Tags are stored with codes, so changing a tag is a bulk update of its codes.

const back = { path: "/dashboard/tags", name: "Tags" } as const;

/** Reads a page's tag and the number of its codes. @throws not_found if no code has it */
async function readTag({ deps, context, query }: DashboardRequest) {
  const tag = query.get("tag") ?? "";
  const codes = await countSelection(deps, context, { filter: { tag } });
  if (codes === 0) throw notFound("Tag");
  return { tag, codes };
}

/** Starts the job that changes the codes with a tag, only once for a form submitted twice. */
async function start(request: DashboardRequest, tag: string, change: BulkChange) {
  const { deps, context } = request;
  const update = { filter: { tag }, change };
  const { jobId } = await createBulkUpdate(deps, context, update, await onceFor(request));
  return { seeOther: `/dashboard/jobs/${jobId}` } as const;
}

/** The form to rename a tag. @throws not_found */
export const renameTag = (request: DashboardRequest): Promise<PageResponse> =>
  showName(request, new URLSearchParams({ addTags: request.query.get("tag") ?? "" }));

/** Renames a tag; shows the form again if that fails. @throws not_found */
export async function saveTagName(request: DashboardRequest): Promise<DashboardResponse> {
  const { tag } = await readTag(request);
  const name = request.form.get("addTags")?.trim() ?? "";
  if (name === tag) return { seeOther: back.path };
  const change = { addTags: [name], removeTags: [tag] };
  const outcome = await submitForm(BulkChange, change, (valid) => start(request, tag, valid));
  return "rejection" in outcome ? showName(request, request.form, outcome.rejection) : outcome.done;
}

async function showName(
  request: DashboardRequest,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { tag, codes } = await readTag(request);
  return namePage({
    ...{ title: `Rename ${tag}`, back, values, rejection, name: "addTags" },
    hint: `Changes ${formatCount(codes, "code")}. If another tag has this name, the two are merged.`,
    maxLength: limits.tags.length,
    submit: "Rename tag",
    hidden: <FormKey value={values.get("key")} />,
  });
}

/** Asks for confirmation before removing a tag from all codes. @throws not_found */
export const confirmTagDeletion: Answer = async (request) => {
  const { tag, codes } = await readTag(request);
  const values = { key: crypto.randomUUID() };
  return confirmPage(
    { title: `Delete tag ${tag}?`, action: "Delete tag", back, values },
    <>
      <p>
        <strong>{formatCount(codes, "code loses", "codes lose")} the tag.</strong> The codes, their scans and
        their other tags are kept.
      </p>
      <p>Shared reports on this tag will no longer show any codes.</p>
    </>,
  );
};

/** Removes a tag from all codes. @throws not_found */
export const deleteTag: Answer = async (request) => {
  const { tag } = await readTag(request);
  return start(request, tag, { removeTags: [tag] });
};
