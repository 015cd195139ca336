import { limits } from "../../contract/limits.ts";
import { getPage } from "../../domain/pages/pages.ts";
import { countSubmissions, eraseFound, eraseSubmissions } from "../../domain/pages/submission-list.ts";
import { Head } from "../../ui/head.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { confirmPage } from "../frame/form-page.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../frame/request.ts";

/** Reads which submissions the address asks to erase: individual ones, or all that a search finds. */
function readSelection({ query }: DashboardRequest) {
  const q = (query.get("q") ?? "").slice(0, limits.submission.line);
  if (query.get("all") === "on") return { q };
  return { ids: query.getAll("id").slice(0, limits.submissionList.max) };
}

/** Asks for confirmation before erasing submissions of a page, which may be deleted. @throws not_found */
export async function confirmErasure(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const page = await getPage(deps, context, param("id"), "shown");
  const back = { path: `/dashboard/pages/${page.id}/submissions`, name: `Submissions of ${page.title}` };
  const selection = readSelection(request);
  if ("ids" in selection && selection.ids.length === 0) return nothingChosen(back);
  const [total = 0] = await countSubmissions(deps, context, [page.id]);
  const what =
    "ids" in selection
      ? formatCount(selection.ids.length, "submission")
      : selection.q === ""
        ? `all ${formatCount(total, "submission")}`
        : `all submissions that contain “${selection.q}”`;
  const title = `Erase ${what}?`;
  return confirmPage(
    { title, action: "Erase", back, values: { until: String(deps.now()) } },
    <>
      <p>
        <strong>Erased answers can't be restored.</strong> They are also removed from webhook deliveries.
        Receivers and exports keep what they already have.
      </p>
      {!("ids" in selection) && <p>Submissions that arrive from now on are kept.</p>}
    </>,
  );
}

function nothingChosen(back: { readonly path: string; readonly name: string }): PageResponse {
  const title = "No submissions selected";
  return {
    title,
    content: (
      <>
        <Head title={title} back={back} />
        <p>Select the submissions to erase in the list.</p>
        <p>
          <a class="button" href={back.path}>
            Back to the list
          </a>
        </p>
      </>
    ),
  };
}

/** Erases the submissions. If there are many, erases some and asks again. @throws not_found */
export async function eraseChosen(request: DashboardRequest): Promise<SeeOther> {
  const { deps, context, query, form, param } = request;
  const pageId = param("id");
  const path = `/dashboard/pages/${pageId}/submissions`;
  const selection = readSelection(request);
  if ("ids" in selection) {
    const erased = await eraseSubmissions(deps, context, pageId, selection.ids);
    return { seeOther: path, flash: erased === 1 ? "submissionErased" : "submissionsErased" };
  }
  const until = Math.min(Number(form.get("until")) || 0, deps.now());
  const after = query.get("after") ?? undefined;
  const next = await eraseFound(deps, context, pageId, { q: selection.q, until, after });
  if (next === null) return { seeOther: path, flash: "submissionsErased" };
  const rest = new URLSearchParams({
    all: "on",
    ...(selection.q === "" ? {} : { q: selection.q }),
    after: next,
  });
  return { seeOther: `${path}/erase?${rest}`, flash: "submissionsErasedInPart" };
}
