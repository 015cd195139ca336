import { limits } from "../../contract/limits.ts";
import type { Ceremony, PasskeyProblem } from "../../domain/identity/passkeys.ts";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasskeyForm, PasskeyNotice, passkeyTexts } from "./passkey-form.tsx";
import { type TypedCode, WhyHere } from "./typed-code.tsx";

interface SignInProps {
  readonly options: object;
  readonly problem: PasskeyProblem | undefined;
  /** Where the form is sent: this page, with the page to return to. */
  readonly action: string;
  /** The provider's host and where signing in there begins; null for none. */
  readonly provider: { readonly host: string; readonly href: string } | null;
  /** Where everyone may join; null while sign-up is closed. */
  readonly signUp: string | null;
  /** The code to keep which one signs in; null for none. */
  readonly code: TypedCode | null;
  /** Whether no passkey is known to have been used in this browser. */
  readonly isNew: boolean;
  /** The page to go on to, whose drafts this browser may keep. */
  readonly returnTo: string;
}

/**
 * The page to sign in: with a passkey, or at the provider if there is one, which comes first in browsers that have used no
 * passkey yet.
 */
export const SignIn = ({
  options,
  problem,
  action,
  provider,
  signUp,
  code,
  isNew,
  returnTo,
}: SignInProps) => {
  const isProviderFirst = isNew && provider !== null;
  const atProvider = provider !== null && (
    <a class={isProviderFirst ? "button primary" : "button"} href={provider.href}>
      Continue with {provider.host}
    </a>
  );
  const passkey = (
    <PasskeyForm kind="get" options={options} action={action}>
      <button class={isProviderFirst ? "button" : "button primary"} type="submit">
        <Icon name="key-round" />
        Sign in with a passkey
      </button>
    </PasskeyForm>
  );
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {code !== null && <WhyHere code={code} />}
      <p class="quiet" data-kept={returnTo} hidden>
        Your session has ended. What you typed is kept.
      </p>
      <PasskeyNotice problem={problem} />
      {isProviderFirst ? atProvider : passkey}
      {provider !== null && <p class="or small">or</p>}
      {isProviderFirst ? passkey : atProvider}
      <p class="below small quiet">
        {signUp !== null ? (
          <>
            New here? <a href={signUp}>Create a workspace</a>
          </>
        ) : provider === null ? (
          "New here, or lost your passkey? Ask your administrator for a sign-in link."
        ) : (
          `New here? Continue with ${provider.host} to create an account. Lost your passkey? Ask your administrator for a sign-in link.`
        )}
      </p>
    </div>
  );
};

interface JoinProps {
  readonly ceremony: Ceremony<object>;
  readonly problem: PasskeyProblem | undefined;
  readonly form: FormState;
  /** Where people who have an account sign in and come back; null for joining without a link. */
  readonly signIn: string | null;
  /** The code to keep which one joins; null for none. */
  readonly code: TypedCode | null;
}

const labels = { person: "Your name", workspace: "Workspace name" } as const;

/** The page on which someone names themselves and their workspace, and makes their first passkey. */
export const Join = ({ ceremony: { options, sealed }, problem, form, signIn, code }: JoinProps) => (
  <div class="sign-in">
    <h1>Create your workspace</h1>
    {code !== null && <WhyHere code={code} />}
    <PasskeyNotice problem={problem} />
    <Problems form={form} labels={labels} />
    <PasskeyForm kind="create" options={options} sealed={sealed}>
      <TextField form={form} name="person" label={labels.person} maxLength={limits.name} required />
      <TextField
        form={form}
        name="workspace"
        label={labels.workspace}
        hint="Your company or project, such as Harbour Coffee"
        maxLength={limits.name}
        required
      />
      <button class="button primary" type="submit">
        Create workspace
      </button>
    </PasskeyForm>
    <p class="below small quiet">
      Your device then asks to save a passkey, with which you sign in by fingerprint, face or screen lock.
      There is no password.
    </p>
    {signIn !== null && (
      <p class="below small quiet">
        Do you have an account? <a href={signIn}>Sign in</a> to create the workspace for it.
      </p>
    )}
  </div>
);

interface AnotherWorkspaceProps {
  /** Who is signed in. */
  readonly name: string;
  readonly form: FormState;
  /** Where someone else joins with a passkey of their own; null if they can't. */
  readonly joinInstead: string | null;
}

/** The page on which someone who is signed in creates a workspace by a link. */
export const AnotherWorkspace = ({ name, form, joinInstead }: AnotherWorkspaceProps) => (
  <div class="sign-in">
    <h1>Create a workspace</h1>
    <p>
      You are signed in as <strong>{name}</strong>, and will own it.
    </p>
    <PostForm novalidate>
      <Problems form={form} labels={{ name: labels.workspace }} />
      <TextField
        form={form}
        name="name"
        label={labels.workspace}
        hint="Your company or project, such as Harbour Coffee"
        maxLength={limits.workspaceName}
        required
      />
      <button class="button primary" type="submit">
        Create workspace
      </button>
    </PostForm>
    {joinInstead !== null && (
      <p class="below small quiet">
        Not you? <a href={joinInstead}>Join with another passkey</a>
      </p>
    )}
  </div>
);

/** The page of a link where people can't join with a passkey. */
export const SignInFirst = ({ signIn }: { signIn: string }) => (
  <div class="sign-in">
    <h1>Create a workspace</h1>
    <p>Sign in first. Then you can create a workspace with this link.</p>
    <a class="button primary" href={signIn}>
      Sign in
    </a>
  </div>
);

interface RecoverProps {
  readonly ceremony: Ceremony<object>;
  readonly problem: PasskeyProblem | undefined;
  readonly name: string;
}

/** The page of a recovery link. */
export const Recover = ({ ceremony: { options, sealed }, problem, name }: RecoverProps) => (
  <div class="sign-in">
    <h1>Replace your passkeys</h1>
    <PasskeyNotice problem={problem} />
    <p>
      <strong>{name}</strong> gets a new passkey. Earlier ones stop working, and all sessions end.
    </p>
    <PasskeyForm kind="create" options={options} sealed={sealed}>
      <button class="button primary" type="submit">
        <Icon name="key-round" />
        Create passkey
      </button>
    </PasskeyForm>
  </div>
);

interface UnusableProps {
  readonly title: string;
  readonly problem: PasskeyProblem;
  readonly signIn: string;
}

/** Shown for a link that is unknown, used or has expired. */
export const UnusableLink = ({ title, problem, signIn }: UnusableProps) => (
  <div class="sign-in">
    <h1>{title}</h1>
    <p>{passkeyTexts[problem]}</p>
    <p>
      <a class="button" href={signIn}>
        Sign in
      </a>
    </p>
  </div>
);
