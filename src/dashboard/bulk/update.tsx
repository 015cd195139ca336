import { limits } from "../../contract/limits.ts";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import { BulkChange, type BulkPreview, type BulkSelection } from "../../contract/resources/bulk-update.ts";
import { countSelection, createBulkUpdate, previewBulkUpdate } from "../../domain/bulk/update-jobs.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { Empty } from "../components/empty.tsx";
import type { FormState } from "../components/forms/form.ts";
import { formatCount } from "../components/values/format.ts";
import { Head } from "../components/head.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { LargeForm } from "../frame/read-form.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { Answer, PageAnswer, SeeOther, Visit } from "../frame/visit.ts";
import { choicesOf, withItemFound } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { readNames } from "./change-facts.tsx";
import { Choices } from "./choices.tsx";
import { byFields, readChange } from "./read-change.ts";
import { Review } from "./review.tsx";
import { readSelected, type Selected } from "./selection.ts";

/** The forms of a bulk update have as many ids as a request may list. */
export const bulkForm = (): LargeForm => ({ bytes: limits.bulkUpdate.formBytes });

/** The changes to choose from, for all codes that the search `q` finds. Codes that were ticked need their form. */
export const chooseForAll = async (visit: Visit): Promise<PageAnswer> =>
  showChoices(visit, await readSelected(visit));

/**
 * A step of a bulk update, in the field `step`: without one, codes were selected in the list; `look` and `delete` show what
 * would happen; `choose` leads back to the choices; `start` starts the job, once for a form that is submitted twice.
 */
export async function updateCodes(visit: Visit): Promise<Answer> {
  const selected = await readSelected(visit);
  const step = visit.form.getAll("step").at(-1);
  const { selection } = selected;
  if (selection === null || step === undefined || step === "choose") return showChoices(visit, selected);
  const found = await withItemFound(folderSource, visit);
  if ("rejection" in found) return showChoices(visit, selected, found.rejection);
  const entries = entriesOf(found.form);
  if (step === "delete") entries.set("delete", "on");
  const plan: PlanLimits = plans[visit.owner.plan];
  const candidate = readChange(entries, plan);
  if (Object.keys(candidate).length === 0) {
    const problems = { "": "Choose at least one change." };
    return showChoices(visit, selected, { problems, status: 400 });
  }
  const act = step === "start" ? start : look;
  const outcome = await submitForm(BulkChange, candidate, (change) => act(visit, selection, change));
  if ("rejection" in outcome) return showChoices(visit, selected, byFields(outcome.rejection));
  return "seeOther" in outcome.done ? outcome.done : showReview(visit, selected, entries, outcome.done);
}

interface Looked {
  readonly change: BulkChange;
  readonly preview: BulkPreview;
}

async function look(
  { deps, owner }: Visit,
  selection: BulkSelection,
  change: BulkChange,
): Promise<Looked | SeeOther> {
  return { change, preview: await previewBulkUpdate(deps, owner, { ...selection, change }) };
}

async function start(visit: Visit, selection: BulkSelection, change: BulkChange): Promise<Looked | SeeOther> {
  const { deps, owner } = visit;
  const matched = Number(visit.form.get("matched"));
  const once = await onceFor(visit);
  const { jobId } = await createBulkUpdate(deps, owner, { ...selection, change }, once, { matched });
  return { seeOther: `/dashboard/jobs/${jobId}` };
}

/** The entries of the choices, without the selection and the step. */
const entriesOf = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    [...form].filter(([name]) => !["id", "ids", "q", "all", "step", "key", "matched"].includes(name)),
  );

/** What the selection is called. */
function selectionText({ search }: Selected, count: number): string {
  const codes = formatCount(count, "code");
  if (search === undefined) return `${codes} that you have ticked`;
  return search === "" ? `All ${codes} of this workspace` : `All ${codes} that match “${search}”`;
}

async function showChoices(visit: Visit, selected: Selected, rejection?: Rejection): Promise<PageAnswer> {
  const { deps, owner } = visit;
  const [count, folders, { templates }] = await Promise.all([
    selected.selection === null ? 0 : countSelection(deps, owner, selected.selection),
    choicesOf(folderSource, visit, visit.form),
    listTemplates(deps, owner),
  ]);
  if (count === 0) return nothingSelected(selected);
  const entries = entriesOf(visit.form);
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
            <UpgradeLink url={deps.upgradeUrl} />
          </p>
        )}
        <Choices visit={visit} form={form} selected={selected} folders={folders} templates={templates} />
      </>
    ),
  };
}

const nothingSelected = ({ list, search }: Selected): PageAnswer => ({
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
  visit: Visit,
  selected: Selected,
  entries: URLSearchParams,
  { change, preview }: Looked,
): Promise<PageAnswer> {
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
          names={await readNames(visit, [change.folderId, ...folderIds])}
          selected={selected}
          entries={entries}
        />
      </>
    ),
  };
}
