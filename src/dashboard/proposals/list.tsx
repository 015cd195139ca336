import { limits } from "../../contract/limits.ts";
import { listWaiting, type WaitingProposal } from "../../domain/proposals/proposals.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatTime } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { proposerOf, waitingPath } from "../frame/waiting.tsx";

/** The changes that keys have proposed and that wait for somebody to confirm them, newest first. */
export async function proposalList({
  deps,
  context,
  query,
  timeZone,
}: DashboardRequest): Promise<PageResponse> {
  const cursor = query.get("cursor") ?? undefined;
  const [{ items, nextCursor }, zone] = await Promise.all([
    listWaiting(deps, context, { cursor, limit: limits.qrList.default }),
    timeZone(),
  ]);
  const title = "Changes to confirm";
  return {
    title,
    content: (
      <>
        <Head title={title} />
        {items.length === 0 && cursor === undefined ? (
          <Empty
            title="Nothing to confirm"
            text="Changes that agents propose with a key marked “A person confirms each change” wait here until somebody confirms or declines them."
          />
        ) : (
          <Table
            kind="records"
            rows={items}
            columns={[
              { head: "Change", cell: Change },
              ["Proposed by", ({ proposedBy }) => proposerOf(proposedBy), { priority: 3 }],
              {
                head: "Proposed",
                kind: "nowrap",
                priority: 2,
                cell: ({ proposedAt }) => <RelativeTime time={proposedAt} now={deps.now()} timeZone={zone} />,
              },
              ["Expires", ({ expiresAt }) => formatTime(expiresAt, zone), { kind: "nowrap" }],
            ]}
          />
        )}
        <Pages address={waitingPath} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

function Change({ id, summary: [first = "A change", ...others] }: WaitingProposal) {
  return (
    <>
      <a class="name" href={`${waitingPath}/${id}`}>
        {first}
      </a>
      {others.length > 0 && <span class="second">{others.join(" ")}</span>}
    </>
  );
}
