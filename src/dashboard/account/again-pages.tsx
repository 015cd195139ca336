import type { PasskeyProblem } from "../../domain/identity/passkeys.ts";
import { recentMilliseconds } from "../../domain/identity/recent-sign-in.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasskeyForm, PasskeyNotice } from "./passkey-form.tsx";

interface Props {
  /** Who is signed in. */
  readonly name: string;
  /** The request to the browser for one of the person's passkeys; null if they have none. */
  readonly options: object | null;
  readonly problem: PasskeyProblem | undefined;
  /** Where the passkey's answer is sent, with the page to return to. */
  readonly action: string;
  /** The person's provider: its host and where signing in again begins; null for none. */
  readonly provider: { readonly host: string; readonly href: string } | null;
  /** Whether the provider has just failed to show that it asked the person. */
  readonly isUnconfirmed: boolean;
}

/** The page on which a person who is signed in proves again who they are. */
export const SignInAgain = ({ name, options, problem, action, provider, isUnconfirmed }: Props) => (
  <div class="sign-in">
    <h1>Confirm it's you</h1>
    {isUnconfirmed && provider !== null && (
      <Notice kind="bad" role="status">
        <p>
          {provider.host} didn't confirm that you have just signed in.{" "}
          {options === null
            ? "Ask the operator of this service for a confirmation link, and open it in this browser."
            : "Use a passkey instead."}
        </p>
      </Notice>
    )}
    <PasskeyNotice problem={problem} />
    <p>
      You are signed in as <strong>{name}</strong>. Sign in once more to continue.
    </p>
    {options !== null && (
      <PasskeyForm kind="get" options={options} action={action}>
        <button class="button primary" type="submit">
          <Icon name="key-round" />
          Use a passkey
        </button>
      </PasskeyForm>
    )}
    {provider !== null && (
      <>
        {options !== null && <p class="or small">or</p>}
        <a class="button" href={provider.href}>
          Continue with {provider.host}
        </a>
      </>
    )}
    {options === null && (
      <p class="below small quiet">
        Can't sign in? The operator of this service can send you a confirmation link.
      </p>
    )}
    <p class="below small quiet">
      <a href="/dashboard">Back to the dashboard</a>
    </p>
  </div>
);

/** The page of a confirmation link. */
export const Confirmation = ({ name }: { name: string }) => (
  <div class="sign-in">
    <h1>Confirm it's you</h1>
    <p>
      You are signed in as <strong>{name}</strong>. For {recentMilliseconds / 60_000} minutes you can then
      change how you sign in, end sessions, and delete or transfer what is yours.
    </p>
    <PostForm hx-boost="false">
      <button class="button primary" type="submit">
        Confirm
      </button>
    </PostForm>
  </div>
);

/** The page of a confirmation link for somebody who isn't signed in. */
export const ConfirmationElsewhere = ({ signIn }: { signIn: string }) => (
  <div class="sign-in">
    <h1>Sign in first</h1>
    <p>A confirmation link works only in the browser in which you are signed in.</p>
    <p>
      <a class="button primary" href={signIn}>
        Sign in
      </a>
    </p>
  </div>
);
