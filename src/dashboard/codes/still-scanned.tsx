import type { ClosedReason } from "../../contract/resources/enums.ts";
import type { ClosedScans } from "../../contract/resources/scans/scans.ts";
import { listStillScanned, type StillScanned } from "../../domain/scans/closed.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { bounds } from "../../protocol/bounds.ts";
import { Empty } from "../../ui/empty.tsx";
import { Head } from "../../ui/head.tsx";
import { NotAvailable } from "../../ui/missing.tsx";
import { Table } from "../../ui/table.tsx";
import { formatCount, formatDate, formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";

/** Why scans of a code got no target: of the code, and within a sentence about its scans. */
const reasons: Readonly<Record<ClosedReason, { readonly name: string; readonly while: string }>> = {
  paused: { name: "Paused", while: "while it was paused" },
  not_started: { name: "Not started", while: "before it started" },
  expired: { name: "Ended", while: "since it ended" },
  suspended: { name: "Suspended", while: "while it was suspended" },
  deleted: { name: "Deleted", while: "after it was deleted" },
};

/** The codes that don't answer and were scanned lately. */
export async function stillScanned({ deps, context }: DashboardRequest): Promise<PageResponse> {
  const list = await listStillScanned(deps, context);
  return {
    title: "Still scanned",
    content: (
      <>
        <Head title="Still scanned" back={{ path: "/dashboard/codes", name: "Codes" }} />
        <p class="quiet">
          In the last {bounds.lately} days, people scanned these codes although they don't answer. These scans
          aren't in your reports.
        </p>
        {list === null ? <NotAvailable /> : <Codes {...list} />}
      </>
    ),
  };
}

function Codes({ codes, more }: { codes: readonly StillScanned[]; more: boolean }) {
  if (codes.length === 0) {
    return (
      <Empty
        title="No such codes"
        text="A code that is paused, has ended or was deleted shows up here while people still scan it."
      />
    );
  }
  return (
    <>
      <Table
        kind="records"
        rows={codes}
        columns={[
          {
            head: "Code",
            cell: ({ id, title, scanUrl, isErased }) => (
              <>
                {isErased ? (
                  <strong dir="auto">{title}</strong>
                ) : (
                  <a href={`/dashboard/codes/${id}`} dir="auto">
                    {title}
                  </a>
                )}
                {title !== withoutScheme(scanUrl) && (
                  <span class="second address">{withoutScheme(scanUrl)}</span>
                )}
              </>
            ),
          },
          ["Status", ({ reason, isErased }) => (isErased ? "Erased" : reasons[reason].name)],
          {
            head: "Scans",
            name: "Scans",
            kind: "number",
            cell: ({ scans }) => formatNumber(scans),
          },
          ["Last scan", ({ lastDay }) => formatDate(lastDay), { kind: "nowrap" }],
        ]}
      />
      {more && <p class="quiet">Only the most scanned are listed.</p>}
    </>
  );
}

/** Says how often a code was scanned without a target, for those reasons that are shown. */
export function closedSentences(
  closed: ClosedScans | null | undefined,
  isShown: (reason: ClosedReason) => boolean,
): string[] {
  return (closed?.reasons ?? [])
    .filter(({ reason }) => isShown(reason))
    .map(
      ({ reason, scans, lastDay }) =>
        `Scanned ${formatCount(scans, "time")} ${reasons[reason].while}, most recently on ${formatDate(lastDay)}.`,
    );
}
