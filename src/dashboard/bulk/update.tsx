import { readSelected, type Selected } from "./selection.ts";
import type { DashboardRequest, DashboardResponse, PageResponse, SeeOther } from "../frame/request.ts";
import { formatNumber, formatCount } from "../../ui/values/format.ts";
import { type ExaminedChange, countHosts } from "../../domain/bulk/preview.ts";
import { countSelection, createBulkUpdate, examineBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { limits } from "../../contract/limits.ts";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import { BulkChange, type BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { Empty } from "../../ui/empty.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { choicesOf, withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { readNames } from "./change-facts.tsx";
import { ChangeChoices } from "./choices.tsx";
import { byFields, readChange } from "./read-change.ts";
import { headlineOf, Review } from "./review.tsx";

/** The forms of a bulk update contain as many ids as a request may list. */
export const bulkForm = (): LargeForm => ({ bytes: limits.bulkUpdate.formBytes });

/** The changes to choose from, for all codes that the search `q` finds. Individually selected codes arrive by form. */
export const chooseForAll = async (request: DashboardRequest): Promise<PageResponse> =>
  showChoices(request, await readSelected(request));

/**
 * A step of a bulk update, in the field `step`. Without one, codes were selected in the list; `look`, `delete`, `pause`
 * and `resume` preview the effect; `choose` returns to the choices; `start` starts the job, only once for a form
 * submitted twice.
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
  if (step === "pause" || step === "resume") entries.set("status", step === "pause" ? "paused" : "active");
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
  readonly look: ExaminedChange;
}

async function look(
  { deps, context }: DashboardRequest,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Looked | SeeOther> {
  return { change, look: await examineBulkUpdate(deps, context, { ...selection, change }) };
}

async function start(
  request: DashboardRequest,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Looked | SeeOther> {
  const { deps, context } = request;
  const [matched, changing] = ["matched", "changing"].map((name) => request.form.get(name));
  const once = await onceFor(request);
  const { jobId } = await createBulkUpdate(deps, context, { ...selection, change }, once, {
    matched: Number(matched),
    changing: changing == null ? undefined : Number(changing),
  });
  return { seeOther: `/dashboard/jobs/${jobId}` };
}

/** The entries of the choices, without the selection and the step. */
const entriesOf = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...form].filter(
      ([name]) => !["id", "ids", "q", "all", "step", "key", "matched", "changing"].includes(name),
    ),
  );

/** Describes the selection. */
function selectionText({ search }: Selected, count: number): string {
  const codes = formatCount(count, "code");
  if (search === undefined) return `${codes} selected`;
  return search === "" ? `All ${codes} of this workspace` : `All ${codes} that match “${search}”`;
}

async function showChoices(
  request: DashboardRequest,
  selected: Selected,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { deps, context } = request;
  const { selection } = selected;
  const [count, hosts, folders, { templates }] = await Promise.all([
    selection === null ? 0 : countSelection(deps, context, selection),
    selection === null ? { examined: 0, hosts: [] } : countHosts(deps, context, selection),
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
        filter: `has ${formatCount(count, "code")}, but at most ${formatNumber(limits.bulkUpdate.codes)} can be edited at once`,
      }),
    },
  };
  const status = tooMany ? 400 : (rejection?.status ?? 200);
  const title = `Edit ${formatCount(count, "code")}`;
  return {
    title: status === 200 ? title : `Problem: ${title}`,
    status,
    content: (
      <>
        <Head title={title} back={{ path: selected.list, name: "Codes" }} />
        <p id="filter">
          <strong>{selectionText(selected, count)}.</strong> Fields you don't change stay as they are.
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
          hosts={hosts}
          count={count}
        />
      </>
    ),
  };
}

const nothingSelected = ({ list, search }: Selected): PageResponse => ({
  title: "Edit codes",
  content: (
    <>
      <Head title="Edit codes" back={{ path: list, name: "Codes" }} />
      <Empty
        title={search === undefined ? "No codes selected" : "No results"}
        text={
          search === undefined
            ? "Select the codes to edit in the list, or edit all results of a search."
            : "No code matches this search, so there's nothing to edit."
        }
      >
        <a class="button primary" href={list}>
          Back to codes
        </a>
      </Empty>
    </>
  ),
});

async function showReview(
  request: DashboardRequest,
  selected: Selected,
  entries: URLSearchParams,
  { change, look }: Looked,
): Promise<PageResponse> {
  if (look.matched === 0) return nothingSelected(selected);
  const folderIds = look.samples.flatMap(({ before, after }) => [before.folderId, after?.folderId]);
  const title = headlineOf(change, look);
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: selected.list, name: "Codes" }} />
        <Review
          change={change}
          look={look}
          names={await readNames(request, [change.folderId, ...folderIds])}
          selected={selected}
          entries={entries}
        />
      </>
    ),
  };
}
