import { limits } from "../../contract/limits.ts";
import type { DifferenceSample } from "../../contract/resources/codes/proposals.ts";
import {
  confirmProposal,
  type DescribedProposal,
  declineProposal,
  getProposal,
} from "../../domain/proposals/proposals.ts";
import { proposerOf } from "../../domain/workspaces/waiting.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatTime } from "../../ui/values/format.ts";
import { type Names, readNames } from "../bulk/change-facts.tsx";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, rejectionOf } from "../frame/submit-form.ts";
import { proposalsPath, waitingPath } from "../frame/waiting.tsx";
import { FieldChanges } from "../history/values.tsx";

/** The change that a key proposed, for a person who confirms it. @throws not_found */
export const showProposal = (request: DashboardRequest): Promise<PageResponse> => proposalPage(request);

/** Makes the change; explains if that is impossible. @throws not_found */
export async function confirm(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  try {
    const { jobId } = await confirmProposal(deps, context, param("id"));
    if (jobId !== null) return { seeOther: `/dashboard/jobs/${jobId}` };
    return { seeOther: `${proposalsPath}/${param("id")}`, flash: "proposalMade" };
  } catch (error) {
    return proposalPage(request, rejectionOf(error));
  }
}

/** Ends the proposal; explains if that is impossible. @throws not_found */
export async function decline(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  try {
    await declineProposal(deps, context, param("id"));
    return { seeOther: waitingPath, flash: "proposalDeclined" };
  } catch (error) {
    return proposalPage(request, rejectionOf(error));
  }
}

async function proposalPage(request: DashboardRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, context, param } = request;
  const [proposal, timeZone] = await Promise.all([
    getProposal(deps, context, param("id")),
    request.timeZone(),
  ]);
  const names = await readNames(request, folderIdsOf(proposal));
  const title = "Approve a change";
  const { samples, leftOut, kind } = proposal.difference;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={{ path: waitingPath, name: "Waiting" }} />
      <Outcome proposal={proposal} rejection={rejection} timeZone={timeZone} />
      <section class="card proposal">
        <p>
          <strong>{proposerOf(proposal.proposedBy)}</strong> proposes:
        </p>
        <ul class="plain">
          {proposal.difference.summary.map((sentence) => (
            <li>{sentence}</li>
          ))}
        </ul>
        {proposal.status === "waiting" && <ConfirmForm proposal={proposal} timeZone={timeZone} />}
      </section>
      {samples.length > 0 && (
        <section aria-labelledby="samples">
          <h2 id="samples">What changes</h2>
          <ol class="plain row-links proposal-samples">
            {samples.map((sample) => (
              <li>
                <Sample sample={sample} kind={kind} names={names} timeZone={timeZone} />
              </li>
            ))}
          </ol>
          {leftOut > 0 && <p class="quiet">And {leftOut.toLocaleString("en")} more like these.</p>}
        </section>
      )}
    </>,
  );
}

/** Returns the folders that the shown values name. */
const folderIdsOf = ({ difference: { samples } }: DescribedProposal): string[] =>
  samples
    .flatMap(({ fields }) => fields.filter(({ field }) => field === "folderId"))
    .flatMap(({ before, after }) => [before, after])
    .filter((id) => typeof id === "string");

interface TimeProps {
  readonly proposal: DescribedProposal;
  readonly timeZone: string;
}

/** Says why the change can't be confirmed any more, or what has become of it. */
function Outcome({
  proposal,
  rejection,
  timeZone,
}: TimeProps & { readonly rejection: Rejection | undefined }) {
  const { status, usedAt, usedBy, result } = proposal;
  const problem = Object.values(rejection?.problems ?? {})[0] ?? result?.error;
  if (problem != null) {
    return (
      <Notice kind="warn" role="status">
        <p>{problem}</p>
      </Notice>
    );
  }
  if (status === "expired") {
    return (
      <Notice kind="warn">
        <p>This proposal has expired, and nothing was changed. Ask for it again.</p>
      </Notice>
    );
  }
  if (status === "waiting" || usedAt === null) return null;
  if (status === "declined") {
    return (
      <Notice kind="info">
        <p>
          {usedBy ?? "Someone"} declined this change on {formatTime(usedAt, timeZone)}. Nothing was changed.
        </p>
      </Notice>
    );
  }
  return (
    <Notice kind="good">
      <p>
        {usedBy ?? "Someone"} approved this change on {formatTime(usedAt, timeZone)}.
      </p>
      {result?.jobId != null && <a href={`/dashboard/jobs/${result.jobId}`}>View job</a>}
    </Notice>
  );
}

const ConfirmForm = ({ proposal: { id, difference, expiresAt }, timeZone }: TimeProps) => {
  const deletes = difference.samples.some(({ effect }) => effect === "deleted");
  return (
    <PostForm>
      <p class="buttons">
        <button class={deletes ? "button danger primary" : "button primary"} type="submit">
          Approve
        </button>
        <button class="button" type="submit" formaction={`${proposalsPath}/${id}/decline`}>
          Decline
        </button>
      </p>
      <p class="caption quiet">
        You can approve it until {formatTime(expiresAt, timeZone)}, and undo it afterwards.{" "}
        {difference.changed > limits.proposals.atomic
          ? "Codes that change before then are left out."
          : "If one of these codes is edited first, the agent has to propose again."}
      </p>
    </PostForm>
  );
};

const effectTexts = {
  created: "New",
  changed: null,
  deleted: "Deleted",
  restored: "Restored",
  failed: "Left out",
} as const satisfies Record<DifferenceSample["effect"], string | null>;

interface SampleProps {
  readonly sample: DifferenceSample;
  readonly kind: DescribedProposal["difference"]["kind"];
  readonly names: Names;
  readonly timeZone: string;
}

/** One thing that changes. */
function Sample({
  sample: { effect, id, name, scanUrl, fields, error },
  kind,
  names,
  timeZone,
}: SampleProps) {
  const title = name ?? scanUrl ?? "No name";
  return (
    <>
      <p>
        {id !== null && kind === "code" ? (
          <a href={`/dashboard/codes/${id}`} dir="auto">
            {title}
          </a>
        ) : (
          <strong dir="auto">{title}</strong>
        )}
        {effectTexts[effect] !== null && <span class="tag">{effectTexts[effect]}</span>}
      </p>
      {error !== null && <p class="quiet">{error}</p>}
      {fields.length > 0 && <FieldChanges kind={kind} fields={fields} names={names} timeZone={timeZone} />}
    </>
  );
}
