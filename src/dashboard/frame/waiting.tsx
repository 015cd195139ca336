import type { WaitingProposal } from "../../domain/proposals/proposals.ts";
import { proposerOf } from "../../domain/workspaces/waiting.ts";
import { Notice } from "../../ui/notice.tsx";

/** The list of what waits for a person. */
export const waitingPath = "/dashboard/waiting";

/** Each change that a key proposed has a page below this. */
export const proposalsPath = "/dashboard/changes";

/** Says on a code's page that a change of it waits. */
export const WaitingNotice = ({
  change: {
    id,
    proposedBy,
    summary: [first],
  },
}: {
  change: WaitingProposal;
}) => (
  <Notice kind="info">
    <p>
      {proposerOf(proposedBy)} proposes a change of this code, which waits for somebody to confirm it. {first}{" "}
      <a href={`${proposalsPath}/${id}`}>View change</a>
    </p>
  </Notice>
);
