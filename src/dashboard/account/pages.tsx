import type { SignInProblem } from "../../domain/identity/sign-in.ts";

/** Shown after signing out. The link makes the provider ask for an account, although its own session may continue. */
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
  failed: 502,
} as const satisfies Record<SignInProblem, number>;

const problems: Record<SignInProblem, string> = {
  "not-configured": "Sign-in is not set up on this server yet. Its operator can find the reason in the log.",
  unavailable: "The sign-in service isn't responding right now. Try again in a moment.",
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
        <a class="button primary" href={signIn}>
          Try again
        </a>
      </p>
    </>
  );
}
