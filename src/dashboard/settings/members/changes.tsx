import type { ApiKey } from "../../../contract/resources/identity/keys.ts";
import { MemberUpdate, type WorkspaceMember } from "../../../contract/resources/identity/members.ts";
import { listKeys } from "../../../domain/identity/keys.ts";
import {
  getMember,
  leaveWorkspace,
  removeMember,
  transferOwnership,
  updateMember,
} from "../../../domain/identity/members.ts";
import { requireRecentSignIn } from "../../../domain/identity/recent-sign-in.ts";
import { FormButtons } from "../../../ui/forms/buttons.tsx";
import { Choices } from "../../../ui/forms/choices.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { rightsOf } from "../../../ui/values/key-rights.ts";
import { grantable } from "../../../ui/values/roles.ts";
import { change } from "../../frame/change.ts";
import { confirmPage, formPage } from "../../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../../frame/request.ts";
import { membersPath } from "../../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";

const back = { path: membersPath, name: "Members" } as const;

const nameOf = ({ name, email }: WorkspaceMember): string => name ?? email ?? "this member";

/** Reads the member that a page is about. @throws not_found */
const readMember = ({ deps, context, param }: DashboardRequest): Promise<WorkspaceMember> =>
  getMember(deps, context, param("id"));

/** The form of a member's role. @throws not_found */
export async function editRole(request: DashboardRequest): Promise<PageResponse> {
  const member = await readMember(request);
  return showRole(request, member, new URLSearchParams({ role: member.role }));
}

/** Changes a member's role; shows the form again if that fails. @throws not_found */
export async function saveRole(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const member = await readMember(request);
  const outcome = await submitForm(MemberUpdate, { role: form.get("role") ?? "" }, (input) =>
    updateMember(deps, context, member.id, input),
  );
  if ("rejection" in outcome) return showRole(request, member, form, outcome.rejection);
  const { role } = outcome.done;
  const about = `${nameOf(member)} is ${role === "viewer" ? "a" : "an"} ${role}`;
  return { seeOther: membersPath, flash: "roleChanged", about };
}

async function showRole(
  request: DashboardRequest,
  member: WorkspaceMember,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const keys = await listKeysOf(request, member);
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const title = `Role of ${nameOf(member)}`;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <PostForm class="card read" novalidate>
        <Problems form={form} labels={{ role: "Role" }} />
        <Choices
          form={form}
          name="role"
          label="Role"
          type="radio"
          choices={grantable(request.context.role)}
        />
        {keys.length > 0 && (
          <>
            <p>Whatever the role, the API keys that they created keep their scopes until you revoke them:</p>
            <Keys keys={keys} />
          </>
        )}
        <FormButtons submit="Save role" back={back.path} />
      </PostForm>
    </>,
  );
}

/** Asks for confirmation before removing a member. @throws not_found */
export const confirmRemoval: Answer = async (request) => {
  const member = await readMember(request);
  const keys = await listKeysOf(request, member);
  return confirmPage(
    { title: `Remove ${nameOf(member)}?`, action: "Remove member", back },
    <>
      <p>
        <strong>They lose access at once</strong>, in every browser and program, and their invitations end.
      </p>
      <p>
        What they created stays.
        {keys.length > 0 && " So do these API keys, which go on working. Revoke those that they know:"}
      </p>
      <Keys keys={keys} />
    </>,
  );
};

/** Returns the keys that a member created. */
async function listKeysOf({ deps, context }: DashboardRequest, { id }: WorkspaceMember): Promise<ApiKey[]> {
  const { keys } = await listKeys(deps, context);
  return keys.filter(({ createdBy }) => createdBy?.id === id);
}

const Keys = ({ keys }: { keys: readonly ApiKey[] }) =>
  keys.length > 0 && (
    <ul>
      {keys.map((key) => (
        <li>
          <a href={`/dashboard/developer/keys/${key.id}/revoke`} dir="auto">
            {key.name}
          </a>{" "}
          <span class="quiet">{rightsOf(key)}</span>
        </li>
      ))}
    </ul>
  );

/** Removes a member. @throws not_found, forbidden; invalid_input for the only owner */
export const deleteMember: Answer = async (request) => {
  const member = await readMember(request);
  await removeMember(request.deps, request.context, member.id);
  return { seeOther: membersPath, flash: "memberRemoved", about: nameOf(member) };
};

/** Asks for confirmation before transferring the ownership. @throws not_found, SignInAgain */
export const confirmTransfer: Answer = async (request) => {
  requireRecentSignIn(request.deps, request.context);
  const name = nameOf(await readMember(request));
  return confirmPage(
    { title: `Transfer ownership to ${name}?`, action: "Transfer ownership", back },
    <p>
      <strong>{name} becomes owner, and you become an admin.</strong> Only an owner can make you owner again.
    </p>,
  );
};

export const saveTransfer = change(transferOwnership, membersPath, "ownershipTransferred");

/** Asks for confirmation before leaving. */
export const confirmLeaving: Answer = ({ user }) =>
  confirmPage(
    { title: `Leave ${user.workspaceName}?`, action: "Leave workspace", back },
    <>
      <p>
        <strong>You lose access at once.</strong> To come back, you need an invitation.
      </p>
      <p>What you created stays, and your API keys go on working. The invitations that you sent end.</p>
    </>,
  );

export const leave = change(leaveWorkspace, "/dashboard", "workspaceLeft");
