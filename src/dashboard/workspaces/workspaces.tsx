import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import { NewWorkspaceInput } from "../../contract/resources/identity/members.ts";
import { listOwnWorkspaces, switchWorkspace } from "../../domain/identity/members.ts";
import {
  createWorkspace,
  howToGetWorkspace,
  mayCreateWorkspace,
} from "../../domain/identity/new-workspaces.ts";
import { getWorkspaceLogo } from "../../domain/workspaces/workspace.ts";
import { fileHeaders } from "../../lib/web/file-response.ts";
import { Finder } from "../../ui/finder.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Table } from "../../ui/table.tsx";
import { roleTexts } from "../../ui/values/roles.ts";
import { WorkspaceLogo, workspaceLogoAddress } from "../../ui/values/workspace-logo.tsx";
import { namePage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse, SeeOther } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

const path = "/dashboard/workspaces";

/** The workspaces of the person, to switch between. */
export async function workspaceList({ deps, context }: DashboardRequest): Promise<PageResponse> {
  const { workspaces } = await listOwnWorkspaces(deps, context);
  return {
    title: "Workspaces",
    content: (
      <>
        <Head title="Workspaces">
          <a class="button" href={`${path}/new`}>
            New workspace
          </a>
        </Head>
        <Table
          kind="records"
          rows={workspaces}
          columns={[
            {
              head: "Name",
              cell: ({ id, name, logoId }) => (
                <span class="with-avatar">
                  <WorkspaceLogo name={name} logo={workspaceLogoAddress(id, logoId)} />
                  <strong dir="auto">{name}</strong>
                </span>
              ),
            },
            ["Your role", ({ role }) => roleTexts[role].name],
            ["Plan", ({ plan }) => plans[plan].title],
          ]}
          actions={({ id, name, current }) =>
            current ? (
              <span class="chosen">
                <Finder /> Current
              </span>
            ) : (
              // The next page belongs to another workspace, so the browser loads it anew.
              <PostForm action={`${path}/switch`} hx-boost="false">
                <HiddenFields values={[["workspace", id]]} />
                <button class="button" type="submit" aria-label={`Switch to ${name}`}>
                  Switch
                </button>
              </PostForm>
            )
          }
        />
      </>
    ),
  };
}

/** Returns the logo of one of the person's workspaces. @throws not_found */
export async function workspaceLogo({ deps, context, param }: DashboardRequest): Promise<Response> {
  const file = await getWorkspaceLogo(deps, context, param("id"));
  // Another logo has another address.
  const cached = { "cache-control": "private, max-age=31536000, immutable" };
  return new Response(await file.draw(), {
    headers: { ...fileHeaders(file), ...cached, "content-type": file.mediaType },
  });
}

/** Switches to another workspace of the person, whose overview follows. @throws not_found */
export async function switchTo({ deps, context, form }: DashboardRequest): Promise<SeeOther> {
  await switchWorkspace(deps, context, form.get("workspace") ?? "");
  return { seeOther: "/dashboard" };
}

/** The form of a new workspace, or how to get one. */
export async function newWorkspace({ deps, context }: DashboardRequest): Promise<PageResponse> {
  if (await mayCreateWorkspace(deps, context)) return showForm(new URLSearchParams());
  return {
    title: "New workspace",
    content: (
      <>
        <Head title="New workspace" back={{ path, name: "Workspaces" }} />
        <p>{howToGetWorkspace(deps)}</p>
        <p>To join a colleague's workspace, ask them for an invitation.</p>
      </>
    ),
  };
}

/** Creates a workspace and switches to it; shows the form again if that fails. */
export async function saveWorkspace({ deps, context, form }: DashboardRequest): Promise<DashboardResponse> {
  const outcome = await submitForm(NewWorkspaceInput, { name: form.get("name") ?? "" }, async (input) => {
    const { id } = await createWorkspace(deps, context, input);
    await switchWorkspace(deps, context, id);
  });
  if ("rejection" in outcome) return showForm(form, outcome.rejection);
  return { seeOther: "/dashboard", flash: "workspaceCreated" };
}

const showForm = (values: URLSearchParams, rejection?: Rejection): PageResponse =>
  namePage({
    ...{ title: "New workspace", back: { path, name: "Workspaces" }, values, rejection, name: "name" },
    hint: "Your company or project, such as Harbour Coffee. It has codes, members and a plan of its own.",
    ...{ maxLength: limits.workspaceName, submit: "Create workspace" },
  });
