import type { PropsWithChildren } from "hono/jsx";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { withFullStop } from "../../contract/sentences.ts";
import type { ServiceError } from "../../domain/errors.ts";
import { SignInAgain } from "../../domain/identity/recent-sign-in.ts";
import type { FormType } from "../../lib/web/form.ts";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { Search } from "../../ui/forms/search.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { FormOfOtherWorkspace, formFields } from "./form-workspace.ts";
import { UpgradeLink } from "./notices.tsx";
import type { DashboardRequest } from "./request.ts";

/** The title for each error code. */
const titles: Readonly<Record<ErrorCode, string>> = {
  invalid_input: "That didn't work",
  plan_limit: "Your plan doesn't include this",
  rate_limited: "Too many requests",
  unauthorized: "You are signed out",
  forbidden: "You can't do that",
  not_found: "Page not found",
  internal: "Something went wrong on our side",
};

const isSuspended = ({ code }: ServiceError, request: DashboardRequest | undefined): boolean =>
  code === "forbidden" && (request?.user.suspended ?? null) !== null;

/** Returns the title of an error page. @param request of a signed-in user */
export function titleOfRefusal(error: ServiceError, request: DashboardRequest | undefined): string {
  if (error instanceof FormOfOtherWorkspace) return error.title;
  if (error instanceof SignInAgain) return "Confirm it's you";
  if (error.status === 413) return "File too large";
  return isSuspended(error, request) ? "This workspace is suspended" : titles[error.code];
}

/** A problem and how to solve it. */
export const Advice = ({ error, title }: { error: ServiceError; title: string }) => (
  <>
    <Head title={title} />
    <p>{adviceOn(error)}</p>
  </>
);

/** Explains above a page why a part of it could not be replaced. */
export const RefusedPart = ({ error, title }: { error: ServiceError; title: string }) => (
  <Notice kind="bad">
    <p>
      {title}. {adviceOn(error)}
    </p>
  </Notice>
);

interface Props {
  readonly error: ServiceError;
  readonly request: DashboardRequest | undefined;
  /** The content type of the refused form, if any. */
  readonly formType: FormType | undefined;
  /** Empty if there is none. */
  readonly upgradeUrl: string;
  /** Where the person signs in again. */
  readonly signInAgain: string;
  /** The path of the page that the person came from. */
  readonly back: string;
}

/** The page about an error. */
export function Refusal({ error, request, formType, upgradeUrl, signInAgain, back }: Props) {
  const isOfOther = error instanceof FormOfOtherWorkspace;
  return (
    <>
      <Advice error={error} title={titleOfRefusal(error, request)} />
      {isOfOther && request !== undefined && (
        <OtherWorkspace request={request} formType={formType} canSwitchBack={error.canSwitchBack} />
      )}
      {error.code === "rate_limited" && request !== undefined && (
        <TryAgain request={request} formType={formType} />
      )}
      {error.code === "plan_limit" && (
        <p>
          <UpgradeLink url={upgradeUrl} />
        </p>
      )}
      {error instanceof SignInAgain && (
        <p>
          {/* The page is outside the frame, and may lead to the identity provider. */}
          <a class="button primary" href={signInAgain} hx-boost="false">
            Continue
          </a>
        </p>
      )}
      {error.code === "not_found" && request !== undefined && (
        <Search path="/dashboard/codes" label="Search codes" value="" />
      )}
      {!isOfOther && (
        <p class="buttons">
          {back !== home && back !== request?.address && (
            <a class="button" href={back}>
              Go back
            </a>
          )}
          <a class="button" href={home}>
            Back to the dashboard
          </a>
        </p>
      )}
    </>
  );
}

const home = "/dashboard";

interface OtherProps {
  readonly request: DashboardRequest;
  readonly formType: FormType | undefined;
  readonly canSwitchBack: boolean;
}

/** Ways on from a form of another workspace: to switch back and send it, or to stay. */
function OtherWorkspace({ request, formType, canSwitchBack }: OtherProps) {
  const stay = (
    <a class="button" href="/dashboard">
      Stay in {request.user.workspaceName}
    </a>
  );
  if (!canSwitchBack) return <p>{stay}</p>;
  return (
    <TryAgain request={request} formType={formType} switchBack>
      {stay}
    </TryAgain>
  );
}

interface TryAgainProps {
  readonly request: DashboardRequest;
  readonly formType: FormType | undefined;
  /** Whether to switch to the form's workspace first. */
  readonly switchBack?: boolean;
}

/** A link to the same page. For a form, a button that sends all entries again. */
function TryAgain({
  request: { address, context, form, formWorkspace, files },
  formType,
  switchBack = false,
  children,
}: PropsWithChildren<TryAgainProps>) {
  if (formType === undefined) {
    return (
      <p>
        <a class="button primary" href={address}>
          Try again
        </a>
      </p>
    );
  }
  return (
    <form method="post" action={address} enctype={formType}>
      <HiddenFields values={[[formFields.workspace, formWorkspace?.id ?? context.workspaceId], ...form]} />
      {switchBack && <HiddenFields values={[[formFields.switchBack, "yes"]]} />}
      {[...files.keys()].map((name) => (
        <p>
          <label>
            Choose the file again <input type="file" name={name} required />
          </label>
        </p>
      ))}
      {form.size > 0 && <p>What you entered is still here.</p>}
      <div class="buttons">
        <button class="button primary" type="submit">
          {switchBack ? "Switch back and send again" : "Send again"}
        </button>
        {children}
      </div>
    </form>
  );
}

/** Returns the sentence that says what happened and what to do. */
export function adviceOn(error: ServiceError): string {
  const { code, message, status, headers } = error;
  if (error instanceof SignInAgain) {
    return "Confirm it's you. Sign in once more to continue; nothing has changed yet.";
  }
  if (status === 413) return `${message} Go back and send less.`;
  if (code === "not_found") return "It may have been deleted, or the address is incomplete.";
  if (code === "rate_limited") {
    const seconds = Number(headers["retry-after"] ?? 60);
    return `${withFullStop(message)} Try again in ${formatCount(seconds, "second")}.`;
  }
  return message;
}
