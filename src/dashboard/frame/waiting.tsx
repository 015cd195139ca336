import type { WaitingProposal } from "../../domain/proposals/proposals.ts";
import { Notice } from "../../ui/notice.tsx";

/** The list of changes that wait for somebody to confirm them. */
export const waitingPath = "/dashboard/changes";

/** The key that proposed a change, and its program. */
export const proposerOf = ({ name, client }: WaitingProposal["proposedBy"]): string =>
  client === undefined ? name : `${name} (${client})`;

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
      <a href={`${waitingPath}/${id}`}>View change</a>
    </p>
  </Notice>
);
