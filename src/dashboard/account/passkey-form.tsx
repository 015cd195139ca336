import type { PropsWithChildren } from "hono/jsx";
import type { PasskeyProblem } from "../../domain/identity/passkeys.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Notice } from "../../ui/notice.tsx";

interface Props {
  /** `create` makes a passkey; `get` signs with one that exists. */
  readonly kind: "create" | "get";
  /** The request to the browser. */
  readonly options: object;
  /** The encrypted challenge, if it isn't in a cookie. */
  readonly sealed?: string;
  readonly action?: string;
}

/** A form that is submitted with the answer of a passkey. @param children its fields and its button */
export const PasskeyForm = ({ kind, options, sealed, action, children }: PropsWithChildren<Props>) => (
  <PostForm action={action} data-passkey={kind} data-options={JSON.stringify(options)} hx-boost="false">
    <input type="hidden" name="credential" autocomplete="off" />
    {sealed !== undefined && <input type="hidden" name="sealed" value={sealed} autocomplete="off" />}
    {children}
    <p class="problem" role="alert" data-passkey-problem="" hidden />
    <noscript>
      <p class="problem">Passkeys need JavaScript. Turn it on for this site.</p>
    </noscript>
  </PostForm>
);

/** The HTTP status of each problem. */
export const statusOfPasskeyProblem = {
  missing: 400,
  expired: 400,
  refused: 403,
  limited: 429,
  link: 404,
  full: 409,
} as const satisfies Record<PasskeyProblem, number>;

/** Explains each problem to the person. */
export const passkeyTexts: Record<PasskeyProblem, string> = {
  missing: "Passkeys need JavaScript. Turn it on for this site, then try again.",
  expired: "That took too long, or was completed already. Try again.",
  refused: "That passkey isn't accepted here. It may have been removed. Try another one.",
  limited: "Too many attempts from your network. Wait a minute, then try again.",
  link: "It was used already, or an hour has passed. Ask the operator of this service for a new one.",
  full: "You have as many passkeys as you can have. Remove one first.",
};

/** Explains why a passkey was not accepted. */
export const PasskeyNotice = ({ problem }: { problem: PasskeyProblem | undefined }) =>
  problem === undefined ? null : (
    <Notice kind="bad" role="status">
      <p>{passkeyTexts[problem]}</p>
    </Notice>
  );
