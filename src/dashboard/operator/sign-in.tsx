import type { OperatorSignInProblem } from "../../domain/operations/operator.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { emptyForm } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Notice } from "../../ui/notice.tsx";

const problems: Record<OperatorSignInProblem, string> = {
  wrong: "This isn't the operator's secret. It is in your password manager, or in the file that setup wrote.",
  limited: "Too many attempts from your network. Try again in a minute.",
};

interface Props {
  /** Where the form is sent: this page, with the page to return to. */
  readonly action: string;
  readonly problem: OperatorSignInProblem | undefined;
}

/** The page on which the operator's secret is exchanged for a session. */
export const OperatorSignIn = ({ action, problem }: Props) => (
  <div class="sign-in">
    <h1>Operator</h1>
    {problem !== undefined && (
      <Notice kind="bad" role="status">
        <p>{problems[problem]}</p>
      </Notice>
    )}
    <PostForm action={action} novalidate>
      <TextField form={emptyForm} name="secret" type="password" label="Operator's secret" required />
      <button class="button primary" type="submit">
        Sign in
      </button>
    </PostForm>
    <p class="below small quiet">
      For the person who runs this service. The session ends after an hour. Your own codes are in the{" "}
      <a href="/dashboard">dashboard</a>.
    </p>
  </div>
);
