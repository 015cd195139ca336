import { AccountDeletionInput } from "../../contract/resources/identity/leaving.ts";
import { requireRecentSignIn } from "../../domain/identity/recent-sign-in.ts";
import { accountName, deleteAccount, workspacesOfAccount } from "../../domain/workspaces/account-deletion.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { CodesChoice } from "./workspace-deletion.tsx";

const back = { path: "/dashboard/settings/account", name: "Account" } as const;

/** The part of the account's page that leads to its deletion. */
export const LeaveCard = () => (
  <section class="card" aria-labelledby="leave">
    <h2 id="leave">Delete account</h2>
    <p>Your name, address, passkeys and sessions are deleted, and the workspaces that are yours alone.</p>
    <a class="button danger" href={`${back.path}/delete`}>
      Delete account
    </a>
  </section>
);

/** The form to delete one's account. @throws SignInAgain */
export async function accountDeletionForm(request: DashboardRequest): Promise<PageResponse> {
  requireRecentSignIn(request.deps, request.context);
  return showForm(request, new URLSearchParams({ codes: "stop", email: "" }));
}

async function showForm(
  request: DashboardRequest,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const { deps, context, user } = request;
  const { own, blocking } = await workspacesOfAccount(deps, context);
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const title = "Delete your account?";
  const label = user.email === null ? "Your name" : "Your email";
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <div class="read">
        {blocking.length > 0 ? (
          <Notice kind="warn">
            <p>
              You are the only owner of {blocking.map(({ name }) => name).join(", ")}, which has other
              members. Make one of them owner, or delete the workspace. Then you can delete your account.
            </p>
          </Notice>
        ) : (
          <PostForm class="card" novalidate hx-boost="false" data-draft="none">
            <Problems form={form} labels={{ email: label, codes: "Your printed codes" }} />
            <p>
              <strong>You are signed out everywhere, and can't undo this.</strong> Your name, address and
              passkeys are deleted. API keys that you created go on, and what you did stays in the history of
              the workspaces that you leave.
            </p>
            {own.length > 0 && (
              <>
                <p>
                  Also deleted, because you are the only member: {own.map(({ name }) => name).join(", ")}.
                  Export what you need first, in the settings of the workspace.
                </p>
                <CodesChoice form={form} label="Your printed codes" />
              </>
            )}
            <TextField
              form={form}
              name="email"
              label={label}
              hint={`Type ${accountName(user)} to confirm.`}
              required
            />
            <FormButtons submit="Delete account" back={back.path} danger />
          </PostForm>
        )}
      </div>
    </>,
  );
}

/** Deletes the account; shows the form again if that fails. */
export async function deleteOwnAccount(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const input = { email: form.get("email") ?? "", codes: form.get("codes") ?? "stop" };
  const outcome = await submitForm(AccountDeletionInput, input, (checked) =>
    deleteAccount(deps, context, checked),
  );
  if ("rejection" in outcome) return showForm(request, form, outcome.rejection);
  return { seeOther: "/dashboard/signed-out" };
}
