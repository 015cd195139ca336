import { readSelected, type Selected } from "./selection.ts";
import type {
  Fragment,
  DashboardRequest,
  DashboardResponse,
  PageResponse,
  SeeOther,
} from "../frame/request.ts";
import { formatNumber, formatCount } from "../components/values/format.ts";
import { countSelection, createBulkUpdate, previewBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { limits } from "../../contract/limits.ts";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import { BulkChange, type BulkPreview, type BulkSelection } from "../../contract/resources/bulk-update.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { Empty } from "../components/empty.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { choicesOf, withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { readNames } from "./change-facts.tsx";
import { ChangeChoices } from "./choices.tsx";
import { byFields, readChange } from "./read-change.ts";
import { Review } from "./review.tsx";

/** The forms of a bulk update have as many ids as a request may list. */
export const bulkForm = (): LargeForm => ({ bytes: limits.bulkUpdate.formBytes });

/** The changes to choose from, for all codes that the search `q` finds. Codes that were ticked need their form. */
export const chooseForAll = async (request: DashboardRequest): Promise<PageResponse> =>
  showChoices(request, await readSelected(request));

/**
 * A step of a bulk update, in the field `step`: without one, codes were selected in the list; `look` and `delete` show what
 * would happen; `choose` leads back to the choices; `start` starts the job, once for a form that is submitted twice.
 */
export async function updateCodes(request: DashboardRequest): Promise<DashboardResponse> {
  const selected = await readSelected(request);
  const step = request.form.getAll("step").at(-1);
  const { selection } = selected;
  if (selection === null || step === undefined || step === "choose") return showChoices(request, selected);
  const found = await withItemFound(folderSource, request);
  if ("rejection" in found) return showChoices(request, selected, found.rejection);
  const entries = entriesOf(found.form);
  if (step === "delete") entries.set("delete", "on");
  const plan: PlanLimits = plans[request.context.plan];
  const candidate = readChange(entries, plan);
  if (Object.keys(candidate).length === 0) {
    const problems = { "": "Choose at least one change." };
    return showChoices(request, selected, { problems, status: 400 });
  }
  const act = step === "start" ? start : look;
  const outcome = await submitForm(BulkChange, candidate, (change) => act(request, selection, change));
  if ("rejection" in outcome) return showChoices(request, selected, byFields(outcome.rejection));
  return "seeOther" in outcome.done ? outcome.done : showReview(request, selected, entries, outcome.done);
}

interface Looked {
  readonly change: BulkChange;
  readonly preview: BulkPreview;
}

async function look(
  { deps, context }: DashboardRequest,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Looked | SeeOther> {
  return { change, preview: await previewBulkUpdate(deps, context, { ...selection, change }) };
}

async function start(
  request: DashboardRequest,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Looked | SeeOther> {
  const { deps, context } = request;
  const matched = Number(request.form.get("matched"));
  const once = await onceFor(request);
  const { jobId } = await createBulkUpdate(deps, context, { ...selection, change }, once, { matched });
  return { seeOther: `/dashboard/jobs/${jobId}` };
}

/** The entries of the choices, without the selection and the step. */
const entriesOf = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...form].filter(([name]) => !["id", "ids", "q", "all", "step", "key", "matched"].includes(name)),
  );

/** The selection in words. */
function selectionText({ search }: Selected, count: number): string {
  const codes = formatCount(count, "code");
  if (search === undefined) return `${codes} that you have ticked`;
  return search === "" ? `All ${codes} of this workspace` : `All ${codes} that match “${search}”`;
}

async function showChoices(
  request: DashboardRequest,
  selected: Selected,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { deps, context } = request;
  const [count, folders, { templates }] = await Promise.all([
    selected.selection === null ? 0 : countSelection(deps, context, selected.selection),
    choicesOf(folderSource, request, request.form),
    listTemplates(deps, context),
  ]);
  if (count === 0) return nothingSelected(selected);
  const entries = entriesOf(request.form);
  entries.delete("delete");
  const tooMany = count > limits.bulkUpdate.codes;
  const form: FormState = {
    values: entries,
    problems: {
      ...rejection?.problems,
      ...(tooMany && {
        filter: `has ${formatCount(count, "code")}, and at most ${limits.bulkUpdate.codes} can be changed at once`,
      }),
    },
  };
  const status = tooMany ? 400 : (rejection?.status ?? 200);
  return {
    title: status === 200 ? "Change codes" : "Problem: change codes",
    status,
    content: (
      <>
        <Head title="Change codes" back={{ path: selected.list, name: "Codes" }} />
        <p id="filter">
          <strong>{selectionText(selected, count)}.</strong> Fields that you leave as they are change nothing.
        </p>
        {status === 402 && (
          <p>
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </p>
        )}
        <ChangeChoices
          request={request}
          form={form}
          selected={selected}
          folders={folders}
          templates={templates}
        />
      </>
    ),
  };
}

const nothingSelected = ({ list, search }: Selected): PageResponse => ({
  title: "Change codes",
  content: (
    <>
      <Head title="Change codes" back={{ path: list, name: "Codes" }} />
      <Empty
        title={search === undefined ? "No code is ticked" : "No code matches"}
        text={
          search === undefined
            ? "Tick the codes to change in the list, or change all that a search finds."
            : "There is nothing to change."
        }
      >
        <a class="button primary" href={list}>
          Back to the list
        </a>
      </Empty>
    </>
  ),
});

async function showReview(
  request: DashboardRequest,
  selected: Selected,
  entries: URLSearchParams,
  { change, preview }: Looked,
): Promise<PageResponse> {
  if (preview.matched === 0) return nothingSelected(selected);
  const folderIds = preview.samples.flatMap(({ before, after }) => [before.folderId, after?.folderId]);
  const codes = formatCount(preview.matched, "code");
  const title = change.delete === true ? `Delete ${codes}?` : `Change ${codes}?`;
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: selected.list, name: "Codes" }} />
        <Review
          change={change}
          preview={preview}
          names={await readNames(request, [change.folderId, ...folderIds])}
          selected={selected}
          entries={entries}
        />
      </>
    ),
  };
}

/** The text of the link that changes all codes of a search, with their number. */
export async function countMatches(request: DashboardRequest): Promise<Fragment> {
  const { selection } = await readSelected(request);
  const count = selection === null ? 0 : await countSelection(request.deps, request.context, selection);
  return { fragment: <>Change all {formatNumber(count)} that match</> };
}
