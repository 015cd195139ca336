import { limits } from "../../contract/limits.ts";
import { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import { countSelection, createBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { notFound } from "../../domain/errors.ts";
import { FormKey } from "../../ui/forms/buttons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { confirmPage, namePage } from "../frame/form-page.tsx";
import { onceFor } from "../frame/once.ts";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

// Tags are stored with codes, so changing a tag is a bulk update of its codes.

const back = { path: "/dashboard/tags", name: "Tags" } as const;

interface Tagged {
  readonly tag: string;
  /** How many codes have it. */
  readonly codes: number;
}

/** Reads a page's tag and the number of its codes. @throws not_found if no code has it */
async function readTag({ deps, context, query }: DashboardRequest): Promise<Tagged> {
  const tag = query.get("tag") ?? "";
  const codes = await countSelection(deps, context, { filter: { tag } });
  if (codes === 0) throw notFound("Tag");
  return { tag, codes };
}

/** The field with the number of codes that a form said it would change. */
const matchedField = "matched";

/** Describes how that number has changed since; undefined if it has not. */
function changeSince({ form }: DashboardRequest, codes: number): string | undefined {
  const then = form.get(matchedField);
  if (then === null || Number(then) === codes) return undefined;
  return `${formatCount(codes, "code has", "codes have")} this tag now. There were ${formatNumber(Number(then))} when you opened the page. Check the change again.`;
}

/** Starts the job that changes the codes with a tag, only once for a form submitted twice. @param codes how many */
async function start(request: DashboardRequest, { tag, codes }: Tagged, change: BulkChange) {
  const { deps, context } = request;
  const update = { filter: { tag }, change };
  const confirmed = { matched: codes };
  const { jobId } = await createBulkUpdate(deps, context, update, await onceFor(request), confirmed);
  return { seeOther: `/dashboard/jobs/${jobId}` } as const;
}

/** The form to rename a tag. @throws not_found */
export const renameTag = (request: DashboardRequest): Promise<PageResponse> =>
  showName(request, new URLSearchParams({ addTags: request.query.get("tag") ?? "" }));

/** Renames a tag; shows the form again if that fails. @throws not_found */
export async function saveTagName(request: DashboardRequest): Promise<DashboardResponse> {
  const tagged = await readTag(request);
  const { tag } = tagged;
  const name = request.form.get("addTags")?.trim() ?? "";
  if (name === tag) return { seeOther: back.path };
  const since = changeSince(request, tagged.codes);
  if (since !== undefined) return showName(request, request.form, { problems: { "": since }, status: 400 });
  const change = { addTags: [name], removeTags: [tag] };
  const outcome = await submitForm(BulkChange, change, (valid) => start(request, tagged, valid));
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
    hidden: (
      <>
        <FormKey value={values.get("key")} />
        <input type="hidden" name={matchedField} value={codes} />
      </>
    ),
  });
}

/** Asks for confirmation before removing a tag from all codes. @throws not_found */
export const confirmTagDeletion: Answer = async (request) => askDeletion(await readTag(request));

function askDeletion({ tag, codes }: Tagged, since?: string): PageResponse {
  const values = { key: crypto.randomUUID(), [matchedField]: String(codes) };
  const asked = confirmPage(
    { title: `Delete tag ${tag}?`, action: "Delete tag", back, values },
    <>
      {since !== undefined && (
        <Notice kind="warn" role="status">
          <p>{since}</p>
        </Notice>
      )}
      <p>
        <strong>{formatCount(codes, "code loses", "codes lose")} the tag.</strong> The codes, their scans and
        their other tags are kept.
      </p>
      <p>Shared reports on this tag will no longer show any codes.</p>
    </>,
  );
  return since === undefined ? asked : { ...asked, status: 400 };
}

/** Removes a tag from all codes; asks again if there are more or fewer than confirmed. @throws not_found */
export const deleteTag: Answer = async (request) => {
  const tagged = await readTag(request);
  const since = changeSince(request, tagged.codes);
  if (since !== undefined) return askDeletion(tagged, since);
  return start(request, tagged, { removeTags: [tagged.tag] });
};
