import { formPage } from "../frame/form-page.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { SuspensionInput } from "../../contract/resources/operations/suspension.ts";
import { listSuspensions, setCodeSuspension, setPageSuspension } from "../../domain/suspensions.ts";
import { readCode } from "../../domain/abuse-reports/receive.ts";
import { asServiceError } from "../../domain/errors.ts";
import { isId } from "../../lib/text/ids.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { Table } from "../../ui/table.tsx";
import { formatTime } from "../../ui/values/format.ts";
import type { DashboardResponse, PageResponse, SeeOther } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { OperatorRequest } from "./request.ts";
import { readSuspensionForm, SuspensionFields } from "./suspension-form.tsx";

const path = "/operator/suspensions";
const labels = { subject: "Short link or page", reason: "Reason" } as const;

type Suspended = Awaited<ReturnType<typeof listSuspensions>>["items"][number];

/** Everything that is suspended, and the form to suspend a code or page. */
export const suspensionList = (request: OperatorRequest): Promise<PageResponse> => show(request);

/** Suspends a code or a page by its address; shows the form again if that fails. */
export async function saveSuspension(request: OperatorRequest): Promise<DashboardResponse> {
  const { deps, operator, form } = request;
  const subject = (form.get("subject") ?? "").trim();
  if (subject === "") return show(request, { problems: { subject: "is required" }, status: 400 });
  const outcome = await submitForm(SuspensionInput, readSuspensionForm(form), async (input) => {
    const last = subject.split(/[?#]/)[0]?.replace(/\/$/, "").split("/").at(-1)?.toLowerCase() ?? "";
    const isPage = isId(last);
    const hash = readCode(subject);
    try {
      if (isPage) return await setPageSuspension(deps, operator, last, input);
      return hash === null ? null : await setCodeSuspension(deps, operator, hash, input);
    } catch (error) {
      if (asServiceError(error)?.code === "not_found") return null;
      throw error;
    }
  });
  if ("rejection" in outcome) return show(request, outcome.rejection);
  if (outcome.done === null) {
    const problem = "Nothing has this address. Try example.com/menu2026, or the address of a hosted page.";
    return show(request, { problems: { subject: problem }, status: 400 });
  }
  return { seeOther: path, flash: "suspended" };
}

/** Lifts the suspension of a code. @throws not_found */
export async function liftCode({ deps, operator, param }: OperatorRequest): Promise<SeeOther> {
  await setCodeSuspension(deps, operator, param("id"), null);
  return { seeOther: path, flash: "suspensionLifted" };
}

/** Lifts the suspension of a hosted page. @throws not_found */
export async function liftPage({ deps, operator, param }: OperatorRequest): Promise<SeeOther> {
  await setPageSuspension(deps, operator, param("id"), null);
  return { seeOther: path, flash: "suspensionLifted" };
}

async function show(request: OperatorRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, query } = request;
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await listSuspensions(deps, cursor);
  const form: FormState = { values: request.form, problems: rejection?.problems ?? {} };
  return formPage(
    "Suspensions",
    rejection,
    <>
      <Head title="Suspensions" />
      <Problems form={form} labels={labels} />
      {items.length === 0 ? (
        <Empty
          title="Nothing is suspended"
          text="Scans of a suspended code, page or workspace get a generic page. Only you can lift that."
        />
      ) : (
        <SuspensionTable suspensions={items} />
      )}
      <Pages address={path} isFirst={cursor === undefined} nextCursor={nextCursor} />
      <PostForm class="below narrow-form" action={path} novalidate>
        <h2>Suspend a code or page</h2>
        <TextField form={form} name="subject" label={labels.subject} inputMode="url" required />
        <SuspensionFields form={form} />
        <button class="button danger" type="submit">
          Suspend
        </button>
      </PostForm>
    </>,
  );
}

const kinds = { code: "Code", page: "Page", workspace: "Workspace" } as const;

/** The form's path that lifts a suspension. */
const liftPath = ({ kind, id }: Suspended): string => `/operator/${kind}s/${id}/lift`;

const SuspensionTable = ({ suspensions }: { suspensions: readonly Suspended[] }) => (
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
      {
        head: "Workspace",
        name: "Workspace",
        priority: 2,
        cell: ({ workspaceId, workspaceName }) => (
          <a class="break" href={`/operator/workspaces/${workspaceId}`}>
            {workspaceName}
          </a>
        ),
      },
      {
        head: "Reason",
        name: "Reason",
        cell: ({ suspended }) => (
          <>
            <span class="break">{suspended?.reason}</span>
            {suspended?.legalOrder === true && <span class="second quiet">Legal order (451)</span>}
          </>
        ),
      },
      {
        head: "Since",
        name: "Since",
        priority: 2,
        cell: ({ suspended }) => suspended && formatTime(suspended.at),
      },
    ]}
    actions={(suspension) => <Action path={liftPath(suspension)}>Lift</Action>}
  />
);
