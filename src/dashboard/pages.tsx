import { plans } from "../contract/plans.ts";
import type { SignedInMember } from "../domain/identity/sessions.ts";
import type { SignInProblem } from "../domain/identity/sign-in.ts";

/** Shows the signed-in user and the workspace. */
export function Home({ user, origin }: { user: SignedInMember; origin: string }) {
  const { member, name, email, workspaceName } = user;
  return (
    <>
      <h1>{workspaceName}</h1>
      <dl>
        <dt>Signed in as</dt>
        <dd>{name ?? email ?? "A user without a name"}</dd>
        {name !== null && email !== null && (
          <>
            <dt>E-mail</dt>
            <dd>{email}</dd>
          </>
        )}
        <dt>Workspace</dt>
        <dd>{workspaceName}</dd>
        <dt>Plan</dt>
        <dd>{plans[member.plan].title}</dd>
      </dl>
      <p>
        Create API keys with <a href={`${origin}/api/v1/docs#createKey`}>POST /developer/keys</a>.
      </p>
      <form method="post" action="/dashboard/sign-out">
        <button type="submit">Sign out</button>{" "}
        <button type="submit" formaction="/dashboard/sign-out-everywhere">
          Sign out everywhere
        </button>
      </form>
    </>
  );
}

/** Shown after signing out. The link makes the provider ask for an account, although its own session may continue. */
export function SignedOut({ signIn }: { signIn: string }) {
  return (
    <>
      <h1>You are signed out</h1>
      <p>
        <a href={signIn}>Sign in again</a>
      </p>
    </>
  );
}

/** The HTTP status of each problem. */
export const statusOfProblem = {
  "not-configured": 503,
  unavailable: 503,
  declined: 403,
  expired: 400,
  failed: 502,
} as const satisfies Record<SignInProblem, number>;

const problems: Record<SignInProblem, string> = {
  "not-configured": "Sign-in is not set up on this server yet. Its operator can find the reason in the log.",
  unavailable: "The sign-in service does not answer right now. Please try again in a moment.",
  declined: "You declined, or your account is not allowed to sign in here.",
  expired: "This sign-in took too long, was started in another tab, or was used already.",
  failed: "The sign-in service sent a response that could not be accepted.",
};

/** Explains why a sign-in failed, with a link to try again. */
export function SignInFailed({ problem, signIn }: { problem: SignInProblem; signIn: string }) {
  return (
    <>
      <h1>You could not be signed in</h1>
      <p>{problems[problem]}</p>
      <p>
        <a href={signIn}>Try again</a>
      </p>
    </>
  );
}

/** Shown for a form submitted from another site. */
export function Refused({ reason }: { reason: string }) {
  return (
    <>
      <h1>This request was refused</h1>
      <p>{reason}</p>
      <BackLink />
    </>
  );
}

export function NotFound() {
  return (
    <>
      <h1>There is no such page</h1>
      <BackLink />
    </>
  );
}

export function ServerError() {
  return (
    <>
      <h1>Something went wrong on our side</h1>
      <p>Please try again.</p>
      <BackLink />
    </>
  );
}

function BackLink() {
  return (
    <p>
      <a href="/dashboard">Back to the dashboard</a>
    </p>
  );
}
