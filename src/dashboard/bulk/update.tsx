import { limits } from "../../contract/limits.ts";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import { BulkChange, type BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { listLogos } from "../../domain/brand/logos.ts";
import { countHosts, type ExaminedChange } from "../../domain/bulk/changes/preview.ts";
import { getJobDetails, isDone } from "../../domain/bulk/job-lists.ts";
import { createBulkUpdate, examineBulkUpdate, findSelection } from "../../domain/bulk/update-jobs.ts";
import { listDomains } from "../../domain/domains/domains.ts";
import { listFirst } from "../../domain/print/selection.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { Empty } from "../../ui/empty.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { choicesOf, withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { listToReturnTo } from "../codes/list/search.ts";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import type { DashboardRequest, DashboardResponse, PageResponse, SeeOther } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { readNames } from "./change-facts.tsx";
import { doneText } from "./change-title.ts";
import { ChangeChoices } from "./choices.tsx";
import { byFields, readChange } from "./read-change.ts";
import { headlineOf, Review } from "./review.tsx";
import { readSelected, type Selected } from "./selection.ts";
import { CodeStrip, stripCodes } from "./strip.tsx";

/** The forms of a bulk update contain as many ids as a request may list. */
export const bulkForm = (): LargeForm => ({ bytes: limits.bulkUpdate.formBytes });

/** The changes to choose from, for all codes that the search `q` finds. Individually selected codes arrive by form. */
export const chooseForAll = async (request: DashboardRequest): Promise<PageResponse> =>
  showChoices(request, await readSelected(request));

/** The fields that each action of the list's bar reads, and whether its popover says how many codes it is about. */
const barActions: ReadonlyMap<
  string | null,
  { readonly fields: readonly string[]; readonly isCounted: boolean }
> = new Map([
  ["tag", { fields: ["addTags"], isCounted: true }],
  ["move", { fields: ["folderId"], isCounted: true }],
  ["pause", { fields: [], isCounted: false }],
  ["resume", { fields: [], isCounted: false }],
  ["delete", { fields: [], isCounted: true }],
]);

/**
 * A step of a bulk update, in the field `step`. Without one, codes were selected in the list; `look` previews the effect;
 * `choose` returns to the choices; `start` starts the job, only once for a form submitted twice. An action of the list's
 * bar, in the field `action`, is taken at once; for all codes of a search, only if their number was shown, otherwise it is
 * previewed.
 */
export async function updateCodes(request: DashboardRequest): Promise<DashboardResponse> {
  const selected = await readSelected(request);
  const step = request.form.getAll("step").at(-1);
  const action = request.form.get("action");
  const barAction = barActions.get(action);
  const { selection } = selected;
  if (selection === null || (step === undefined && barAction === undefined) || step === "choose")
    return showChoices(request, selected);
  const found = await withItemFound(folderSource, request);
  if ("rejection" in found) return showChoices(request, selected, found.rejection);
  const entries = entriesOf(found.form, barAction?.fields);
  if (action === "delete" || step === "delete") entries.set("delete", "on");
  if (action === "pause" || action === "resume")
    entries.set("status", action === "pause" ? "paused" : "active");
  const plan: PlanLimits = plans[request.context.plan];
  const candidate = readChange(entries, plan);
  if (Object.keys(candidate).length === 0) {
    const problems = { "": "Choose at least one change." };
    return showChoices(request, selected, { problems, status: 400 });
  }
  const isConfirmed =
    selected.search === undefined || (barAction?.isCounted === true && request.form.has("matched"));
  const act = barAction === undefined ? (step === "start" ? start : look) : isConfirmed ? changeAtOnce : look;
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

/** Makes a change of a few codes and returns to the list. A larger one, or one that failed for a code, leads to its job. */
async function changeAtOnce(
  request: DashboardRequest,
  selection: BulkSelection,
  change: BulkChange,
): Promise<SeeOther> {
  const { deps, context, form } = request;
  const matched = selection.filter === undefined ? undefined : Number(form.get("matched"));
  const once = await onceFor(request);
  const { jobId } = await createBulkUpdate(deps, context, { ...selection, change }, once, {
    atOnce: true,
    matched,
  });
  const [{ job }, names] = await Promise.all([
    getJobDetails(deps, context, jobId),
    readNames(request, [change.folderId]),
  ]);
  if (!isDone(job)) return { seeOther: `/dashboard/jobs/${jobId}` };
  return {
    seeOther: listToReturnTo(form, "/dashboard/codes"),
    flash: "codesChanged",
    about: doneText(change, formatCount(job.totalItems, "code"), names),
    subject: jobId,
  };
}

/** Fields of the forms that are not part of the change. */
const otherFields = ["id", "ids", "q", "all", "step", "action", "back", "key", "matched", "changing"];

/** The entries of the choices, without the selection and the step. @param only the fields to read; all by default */
const entriesOf = (form: URLSearchParams, only?: readonly string[]): URLSearchParams =>
  new URLSearchParams(
    [...form].filter(([name]) => (only === undefined ? !otherFields.includes(name) : only.includes(name))),
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
  if (selection === null) return nothingSelected(selected);
  const { matched: count, ids } = await findSelection(deps, context, selection);
  const [codes, hosts, folders, { templates }, { domains }, logos] = await Promise.all([
    listFirst(deps, context, { ids }, stripCodes),
    countHosts(deps, context, ids),
    choicesOf(folderSource, request, request.form),
    listTemplates(deps, context),
    listDomains(deps, context),
    plans[context.plan].fullDesign ? listLogos(deps, context) : [],
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
        <CodeStrip codes={codes} count={count} />
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
          logos={logos}
          domains={domains}
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
