import type { SignInProblem } from "../../domain/identity/sign-in.ts";

/** Shown after signing out. The link makes the provider ask for an account, even if its own session continues. */
export function SignedOut({ signIn }: { signIn: string }) {
  return (
    <>
      <h1>You are signed out</h1>
      <p>
        <a class="button primary" href={signIn}>
          Sign in again
        </a>
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
  "somebody-else": 403,
  failed: 502,
} as const satisfies Record<SignInProblem, number>;

const problems: Record<SignInProblem, string> = {
  "not-configured": "Sign-in isn't set up on this server yet. The operator can find the reason in the log.",
  unavailable: "The sign-in service isn't responding right now. Try again in a moment.",
  declined: "You declined, or your account isn't allowed to sign in here.",
  expired: "This sign-in took too long, was started in another tab, or was already used.",
  "somebody-else":
    "You signed in there as somebody else. Go back to the dashboard, and sign in again with your own account.",
  failed: "The sign-in service sent an invalid response.",
};

/** Explains why a sign-in failed, with a link to try again. */
export function SignInFailed({ problem, signIn }: { problem: SignInProblem; signIn: string }) {
  return (
    <>
      <h1>We couldn't sign you in</h1>
      <p>{problems[problem]}</p>
      <p>
        <a class="button primary" href={signIn}>
          Try again
        </a>
      </p>
    </>
  );
}
