import type { OperatorWorkspaceDetails } from "../../../contract/resources/operations/operations.ts";
import { SuspensionInput } from "../../../contract/resources/operations/suspension.ts";
import { inspectWorkspace } from "../../../domain/operations/workspaces.ts";
import { setWorkspaceSuspension } from "../../../domain/suspensions.ts";
import type { FormState } from "../../../ui/forms/form.ts";
import { formatCount } from "../../../ui/values/format.ts";
import type { DashboardResponse, PageResponse, SeeOther } from "../../frame/request.ts";
import { submitForm } from "../../frame/submit-form.ts";
import type { OperatorRequest } from "../request.ts";
import { readSuspensionForm, SuspensionForm } from "../suspension-form.tsx";

/** Asks for the reason to suspend a workspace. @throws not_found */
export async function suspensionForm({ deps, param }: OperatorRequest): Promise<PageResponse> {
  const workspace = await inspectWorkspace(deps, param("id"));
  return show(workspace, { values: new URLSearchParams(), problems: {} });
}

/** Suspends a workspace; shows the form again if that fails. @throws not_found */
export async function suspendWorkspace({
  deps,
  operator,
  param,
  form,
}: OperatorRequest): Promise<DashboardResponse> {
  const workspace = await inspectWorkspace(deps, param("id"));
  const outcome = await submitForm(SuspensionInput, readSuspensionForm(form), (input) =>
    setWorkspaceSuspension(deps, operator, workspace.id, input),
  );
  if ("done" in outcome) return { seeOther: `/operator/workspaces/${workspace.id}`, flash: "suspended" };
  return show(workspace, { values: form, problems: outcome.rejection.problems });
}

/** Lifts a workspace's suspension. @throws not_found */
export async function liftWorkspace({ deps, operator, param }: OperatorRequest): Promise<SeeOther> {
  const { id } = await setWorkspaceSuspension(deps, operator, param("id"), null);
  return { seeOther: `/operator/workspaces/${id}`, flash: "suspensionLifted" };
}

function show({ id, name, usage }: OperatorWorkspaceDetails, form: FormState): PageResponse {
  const title = `Suspend ${name}?`;
  const pages = usage.pages === 0 ? "" : ` and ${formatCount(usage.pages, "page")}`;
  const isRefused = Object.keys(form.problems).length > 0;
  return {
    title: isRefused ? `Problem: ${title}` : title,
    status: isRefused ? 400 : 200,
    content: (
      <SuspensionForm title={title} form={form} back={{ path: `/operator/workspaces/${id}`, name }}>
        <p>
          <strong>
            {formatCount(usage.liveCodes, "code")}
            {pages} stop working within a second.
          </strong>{" "}
          Visitors get a generic page, and nothing can be created. Codes, scans and keys are kept; you can
          lift the suspension at any time.
        </p>
      </SuspensionForm>
    ),
  };
}
