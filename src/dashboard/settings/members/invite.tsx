import { InvitationInput, type NewInvitation } from "../../../contract/resources/identity/members.ts";
import { claimFormKey } from "../../../domain/idempotency.ts";
import { createInvitation, invitationDays } from "../../../domain/identity/invitations.ts";
import { waysToSignIn } from "../../../domain/identity/ways.ts";
import { FormButtons, FormKey } from "../../../ui/forms/buttons.tsx";
import { Choices } from "../../../ui/forms/choices.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { CopyField } from "../../../ui/values/copy-field.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { formatDate } from "../../../ui/values/format.ts";
import { grantable, roleTexts } from "../../../ui/values/roles.ts";
import { formPage } from "../../frame/form-page.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { membersPath } from "../../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";

const back = { path: membersPath, name: "Members" } as const;
const labels = { role: "Role", email: "Email address" } as const;

/** The form of an invitation. */
export const newInvitation = (request: DashboardRequest): PageResponse =>
  showForm(request, new URLSearchParams({ role: "editor" }));

/**
 * Creates an invitation and shows its link only in this response. A form submitted twice creates one, which is not shown
 * again. Shows the form again if that fails.
 */
export async function saveInvitation(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form } = request;
  const email = form.get("email")?.trim() ?? "";
  const input = { role: form.get("role") ?? "", ...(email === "" ? {} : { email }) };
  const outcome = await submitForm(InvitationInput, input, async (checked) =>
    (await claimFormKey(deps, context, form.get("key"))) ? createInvitation(deps, context, checked) : null,
  );
  if ("rejection" in outcome) return showForm(request, form, outcome.rejection);
  if (outcome.done === null) return repeatedForm("link", back);
  return showLink(outcome.done, await request.timeZone());
}

function showForm(
  { context, deps }: DashboardRequest,
  values: URLSearchParams,
  rejection?: Rejection,
): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  return formPage(
    "Invite member",
    rejection,
    <>
      <Head title="Invite member" back={back} />
      <PostForm class="card read" novalidate>
        <Problems form={form} labels={labels} />
        <FormKey />
        <p>Create a link and send it to the person. It works once, for {invitationDays} days.</p>
        <Choices form={form} name="role" label={labels.role} type="radio" choices={grantable(context.role)} />
        {waysToSignIn(deps).provider && (
          <TextField
            form={form}
            name="email"
            type="email"
            label={labels.email}
            hint="Only this address can use the link. Leave empty for anyone."
          />
        )}
        <FormButtons submit="Create link" back={back.path} />
      </PostForm>
    </>,
  );
}

const showLink = ({ url, role, email, expiresAt }: NewInvitation, timeZone: string): PageResponse => ({
  title: "Invitation created",
  content: (
    <>
      <Head title="Invitation created" back={back} />
      <Notice kind="good" role="status">
        <p>
          <strong>Copy the link now and send it.</strong> You won't be able to see it again.
        </p>
      </Notice>
      <section class="card read">
        <CopyField label="Link" value={url} />
        <Facts
          items={[
            ["For", email ?? "Anyone with the link"],
            ["Role", roleTexts[role].name],
            ["Works until", formatDate(expiresAt, timeZone)],
          ]}
        />
      </section>
      <p class="buttons">
        <a class="button primary" href={back.path}>
          Done
        </a>
      </p>
    </>
  ),
});
