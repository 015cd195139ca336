import { limits } from "../../contract/limits.ts";
import { WorkspaceInput } from "../../contract/resources/workspace.ts";
import { may } from "../../domain/identity/caller.ts";
import { updateWorkspace } from "../../domain/workspaces/workspace.ts";
import { TextField } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Problems } from "../components/forms/problems.tsx";
import { CopyField } from "../components/values/copy-field.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { DangerZone } from "./deletion.tsx";
import { SettingsPage, settingsPath } from "./settings-page.tsx";

/** The name of the workspace, and its id. */
export const generalSettings = (request: DashboardRequest): PageResponse =>
  show(request, new URLSearchParams({ name: request.user.workspaceName }));

/** Renames the workspace; shows the form again if that fails. */
export async function saveGeneralSettings(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(WorkspaceInput, { name: form.get("name") ?? "" }, (input) =>
    updateWorkspace(deps, context, input),
  );
  if ("rejection" in outcome) return show(request, form, outcome.rejection);
  return { seeOther: settingsPath, flash: "workspaceRenamed" };
}

function show(request: DashboardRequest, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  return {
    title: rejection === undefined ? "Settings" : "Problem: Settings",
    status: rejection?.status ?? 200,
    content: (
      <SettingsPage request={request} title="Settings">
        <section class="card" aria-labelledby="workspace">
          <h2 id="workspace">Workspace</h2>
          {may(request.context, "workspace") ? (
            <form method="post" novalidate>
              <Problems form={form} labels={{ name: "Name" }} />
              <TextField
                form={form}
                name="name"
                label="Name"
                hint="Members see it in the dashboard, readers on shared reports."
                maxLength={limits.workspaceName}
                required
              />
              <button class="button primary" type="submit">
                Save name
              </button>
            </form>
          ) : (
            <p>{request.user.workspaceName}</p>
          )}
        </section>
        <section class="card" aria-labelledby="identity">
          <h2 id="identity">Workspace ID</h2>
          <p>
            Programs that use the API with your sign-in name it in the header <code>X-Workspace</code>. The
            operator of this service asks for it when you need help.
          </p>
          <CopyField label="ID" value={request.context.workspaceId} />
        </section>
        <DangerZone request={request} />
      </SettingsPage>
    ),
  };
}
