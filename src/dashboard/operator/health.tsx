import type { Finding } from "../../contract/resources/operations/operations.ts";
import { checkReadiness } from "../../domain/operations/readiness.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { formatBytes, formatCount, formatTime } from "../../ui/values/format.ts";
import { Status } from "../../ui/values/status.tsx";
import type { PageResponse } from "../frame/request.ts";
import type { OperatorRequest } from "./request.ts";

/** All that the service depends on, checked now: first what needs care. */
export async function health({ deps }: OperatorRequest): Promise<PageResponse> {
  const { findings, catalogueBytes, version, checkedAt } = await checkReadiness(deps);
  const [good, others] = [findings.filter(({ status }) => status === "ok"), findings.filter(isNotOk)];
  return {
    title: "Health",
    content: (
      <>
        <Head title="Health">
          <a class="button" href="/operator/health">
            Check again
          </a>
        </Head>
        {others.length === 0 ? (
          <Notice kind="good">
            <p>
              <strong>Everything works.</strong> {formatCount(good.length, "check")}, all in order.
            </p>
          </Notice>
        ) : (
          <Findings findings={bySeverity(others)} />
        )}
        {good.length > 0 && (
          <section aria-labelledby="in-order">
            <div class="section-head">
              <h2 id="in-order">In order</h2>
            </div>
            <Findings findings={good} areInOrder />
          </section>
        )}
        <p class="small quiet below">
          {`Version ${version}, checked ${formatTime(checkedAt)}.`}
          {catalogueBytes !== null && ` The database takes up ${formatBytes(catalogueBytes)} of 10 GB.`}{" "}
          {isLoopback(deps.settings.appOrigin) ? (
            <>
              <code>npm run doctor -- --local</code> also checks the stored data and a real scan.
            </>
          ) : (
            <>
              <code>npm run doctor</code> also checks the account, the domains and a real scan.
            </>
          )}
        </p>
      </>
    ),
  };
}

const severities: readonly Finding["status"][] = ["failed", "warning", "unknown", "ok"];

export const isNotOk = ({ status }: Finding): boolean => status !== "ok";

/** Returns findings with the worst first. */
export const bySeverity = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => severities.indexOf(a.status) - severities.indexOf(b.status));

const marks = {
  ok: { kind: "active", text: "In order" },
  warning: { kind: "paused", text: "Needs care" },
  failed: { kind: "bad", text: "Failed" },
  unknown: { kind: "scheduled", text: "Unknown" },
} as const satisfies Record<Finding["status"], object>;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Whether all are, so that their status needs no column. */
  readonly areInOrder?: boolean;
}

const statusColumn: Column<Finding> = {
  head: "Status",
  kind: "nowrap",
  cell: ({ status }) => <Status kind={marks[status].kind}>{marks[status].text}</Status>,
};

/** Findings, each with how to fix it. */
export const Findings = ({ findings, areInOrder = false }: FindingsProps) => (
  <Table
    kind="records findings"
    rows={findings}
    columns={[
      { head: "Check", cell: ({ name }) => <strong>{capitalised(name)}</strong> },
      ...(areInOrder ? [] : [statusColumn]),
      {
        head: "Finding",
        cell: ({ name, what, mend }) => (
          <>
            {what}
            {mend !== null && <Mend name={name} mend={mend} />}
          </>
        ),
      },
    ]}
  />
);

/** The pages for findings that programs fix by the operator's endpoints. */
const pages: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "dead letters": ["/operator/dead-letters", "Open dead letters"],
  catalogue: ["/operator/workspaces", "See what workspaces store"],
};

/** The command or page that fixes a finding. */
export function Mend({ name, mend }: { name: string; mend: string }) {
  const [path, text] = pages[name] ?? [mend, mend];
  return (
    <span class="second break">
      {/^(\/|https?:\/\/\S+$)/.test(path) ? (
        <a href={path}>{text}</a>
      ) : /^(git|npm|npx) /.test(mend) ? (
        <code>{mend}</code>
      ) : (
        mend
      )}
    </span>
  );
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
