import { limits } from "../../contract/limits.ts";
import type { OpenInvitation } from "../../contract/resources/identity/members.ts";
import type { Ceremony, PasskeyProblem } from "../../domain/identity/passkeys.ts";
import type { SignedInPerson } from "../../domain/identity/sessions.ts";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { roleTexts } from "../../ui/values/roles.ts";
import { WorkspaceLogo } from "../../ui/values/workspace-logo.tsx";
import { PasskeyForm, PasskeyNotice } from "./passkey-form.tsx";

interface InvitationProps {
  readonly invitation: OpenInvitation;
  /** Null for someone who isn't signed in. */
  readonly person: SignedInPerson | null;
  /** The address of the workspace's logo; null without one. */
  readonly logo: string | null;
  /** Where people sign in and come back. */
  readonly signIn: string;
  /** The passkey with which someone new can join; null if they can't. */
  readonly ceremony: Ceremony<object> | null;
  readonly form: FormState;
  readonly passkeyProblem: PasskeyProblem | undefined;
  /** Why the person couldn't join. */
  readonly problem: string | undefined;
}

/** The page of an invitation: the workspace that one joins, as whom, and how. */
export function Invitation(props: InvitationProps) {
  const { invitation, logo, person, signIn, ceremony, form, passkeyProblem, problem } = props;
  const { workspaceName, role, invitedBy, email } = invitation;
  const { name, toYou } = roleTexts[role];
  const isForOther = person !== null && email !== null && person.verifiedEmail !== email;
  return (
    <div class="sign-in">
      {logo !== null && <WorkspaceLogo name={workspaceName} logo={logo} />}
      <h1>Join {workspaceName}</h1>
      <p>
        {invitedBy ?? "A member"} invites you as <strong>{name.toLowerCase()}</strong>. {toYou}
      </p>
      <PasskeyNotice problem={passkeyProblem} />
      {problem !== undefined && (
        <Notice kind="bad" role="status">
          <p>{problem}</p>
        </Notice>
      )}
      {person !== null && isForOther ? (
        <ForOther person={person} email={email} signIn={signIn} />
      ) : person !== null ? (
        <SignedIn person={person} signIn={signIn} />
      ) : (
        <>
          {ceremony !== null && <NewPerson ceremony={ceremony} form={form} />}
          {ceremony !== null && <p class="or small">or</p>}
          <a class={ceremony === null ? "button primary" : "button"} href={signIn}>
            {ceremony === null ? "Sign in to join" : "Sign in with an existing account"}
          </a>
        </>
      )}
      {email !== null && !isForOther && (
        <p class="below small quiet">
          This invitation is for {email}. Sign in with that address, as your identity provider has verified
          it.
        </p>
      )}
    </div>
  );
}

interface ForOtherProps {
  readonly person: SignedInPerson;
  readonly email: string;
  readonly signIn: string;
}

/** Shown to someone who is signed in with another address than the invitation is for. */
const ForOther = ({ person, email, signIn }: ForOtherProps) => (
  <>
    <p>
      This invitation is for <strong>{email}</strong>. You are signed in as{" "}
      {person.verifiedEmail ?? nameOf(person)}.
    </p>
    <a class="button primary" href={`${signIn}&prompt=login`}>
      Use another account
    </a>
  </>
);

const nameOf = ({ name, email }: SignedInPerson): string => name ?? email ?? "a person without a name";

const SignedIn = ({ person, signIn }: { person: SignedInPerson; signIn: string }) => (
  <>
    <PostForm>
      <button class="button primary" type="submit">
        Join workspace
      </button>
    </PostForm>
    <p class="below small quiet">
      You are signed in as {nameOf(person)}. <a href={`${signIn}&prompt=login`}>Use another account</a>
    </p>
  </>
);

const NewPerson = ({ ceremony, form }: { ceremony: Ceremony<object>; form: FormState }) => (
  <PasskeyForm kind="create" options={ceremony.options} sealed={ceremony.sealed}>
    <Problems form={form} labels={{ name: "Your name" }} />
    <TextField form={form} name="name" label="Your name" maxLength={limits.name} required />
    <button class="button primary" type="submit">
      <Icon name="key-round" />
      Join with a passkey
    </button>
  </PasskeyForm>
);

/** Shown for an invitation that is unknown, used, revoked or has expired. */
export const UnusableInvitation = ({ signIn }: { signIn: string }) => (
  <div class="sign-in">
    <h1>This invitation no longer works</h1>
    <p>It was used or revoked, or seven days have passed. Ask the person who sent it for a new one.</p>
    <p>
      <a class="button" href={signIn}>
        Sign in
      </a>
    </p>
  </div>
);

interface NoWorkspaceProps {
  readonly form: FormState;
  /** How to get a workspace; null for people who can create one here. */
  readonly advice: string | null;
  /** The page to which they then go on. */
  readonly returnTo: string;
}

/** Shown to people who are signed in and have no workspace, such as those who were removed from their only one. */
export const NoWorkspace = ({ form, advice, returnTo }: NoWorkspaceProps) => (
  <div class="sign-in">
    <h1>You aren't in a workspace</h1>
    <p>
      {advice === null
        ? "Ask a colleague for an invitation, or create a workspace of your own."
        : `Ask a colleague for an invitation. ${advice}`}
    </p>
    {advice === null && (
      <PostForm action={`/dashboard/first-workspace?${new URLSearchParams({ return: returnTo })}`} novalidate>
        <Problems form={form} labels={{ name: "Workspace name" }} />
        <TextField
          form={form}
          name="name"
          label="Workspace name"
          hint="Your company or project, such as Harbour Coffee"
          maxLength={limits.workspaceName}
          required
        />
        <button class="button primary" type="submit">
          Create workspace
        </button>
      </PostForm>
    )}
    <PostForm class="below" action="/dashboard/sign-out">
      <button class="button" type="submit">
        Sign out
      </button>
    </PostForm>
  </div>
);
