import { suspendedScans } from "../../domain/scans/closed.ts";
import { findToSuspend, listSuspensions } from "../../domain/suspensions.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatNumber, formatTime } from "../../ui/values/format.ts";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardResponse, PageResponse } from "../frame/request.ts";
import type { Rejection } from "../frame/submit-form.ts";
import type { OperatorRequest } from "./request.ts";

const path = "/operator/suspensions";
const labels = { subject: "Short link, page or domain" } as const;

type Suspended = Awaited<ReturnType<typeof listSuspensions>>["items"][number];

/** Everything that is suspended, and the form to find what to suspend. */
export const suspensionList = (request: OperatorRequest): Promise<PageResponse> => show(request);

/** Leads to the form that suspends what answers at an address; shows the list again if nothing does. */
export async function findSubject(request: OperatorRequest): Promise<DashboardResponse> {
  const { deps, query } = request;
  const address = (query.get("subject") ?? "").trim();
  if (address === "") return show(request, { problems: { subject: "is required" }, status: 400 });
  const found = await findToSuspend(deps, address);
  if (found !== null) return { seeOther: `/operator/${found.kind}s/${found.id}/suspend` };
  const problem = "Nothing has this address. Try example.com/menu2026, or the address of a hosted page.";
  return show(request, { problems: { subject: problem }, status: 400 });
}

async function show(request: OperatorRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await listSuspensions(deps, cursor);
  const scans = await suspendedScans(
    deps,
    items.filter(({ kind }) => kind === "code"),
  );
  const form: FormState = { values: query, problems: rejection?.problems ?? {} };
  return formPage(
    "Suspensions",
    rejection,
    <>
      <Head title="Suspensions" />
      <Problems form={form} labels={labels} />
      {items.length === 0 ? (
        <Empty
          title="Nothing is suspended"
          text="Scans of a suspended code, page, domain or workspace get a generic page. Only you can lift that."
        />
      ) : (
        <SuspensionTable suspensions={items} scans={scans} />
      )}
      <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      <form class="below narrow-form" action={`${path}/find`} method="get" novalidate>
        <h2>Suspend a code, page or domain</h2>
        <TextField
          form={form}
          name="subject"
          label={labels.subject}
          hint="You see whose it is and where it leads before you suspend it"
          inputMode="url"
          required
        />
        <button class="button" type="submit">
          Continue
        </button>
      </form>
    </>,
  );
}

const kinds = { code: "Code", page: "Page", domain: "Domain", workspace: "Workspace" } as const;

/** The form's path that lifts a suspension. */
const liftPath = ({ kind, id, name }: Suspended): string =>
  `/operator/${kind}s/${kind === "domain" ? name : id}/lift`;

interface TableProps {
  readonly suspensions: readonly Suspended[];
  /** Of codes while they are suspended, by id. */
  readonly scans: ReadonlyMap<string, number>;
}

const SuspensionTable = ({ suspensions, scans }: TableProps) => (
  <Table
    kind="records"
    rows={suspensions}
    columns={[
      {
        head: "Suspended",
        cell: ({ kind, name, hash }) => (
          <>
            <strong class="break">{hash ?? name}</strong>
            <span class="second quiet">{hash === null || name === null ? kinds[kind] : `Code: ${name}`}</span>
          </>
        ),
      },
      [
        "Workspace",
        ({ workspaceId, workspaceName }) => (
          <a class="break" href={`/operator/workspaces/${workspaceId}`}>
            {workspaceName}
          </a>
        ),
        { priority: 2 },
      ],
      [
        "Reason",
        ({ suspended }) => (
          <>
            <span class="break">{suspended?.reason}</span>
            {suspended?.legalOrder === true && <span class="second quiet">Legal order (451)</span>}
          </>
        ),
      ],
      {
        head: "Scans while suspended",
        name: "Scans while suspended",
        kind: "number",
        cell: ({ id }) => {
          const count = scans.get(id);
          return count === undefined ? "–" : formatNumber(count);
        },
      },
      ["Since", ({ suspended }) => suspended && formatTime(suspended.at), { priority: 2 }],
    ]}
    actions={(suspension) => <Action path={liftPath(suspension)}>Lift</Action>}
  />
);
