import type { ErrorCode } from "../../contract/errors.ts";
import type { ServiceError } from "../../domain/errors.ts";
import { formatCount } from "../components/format.ts";
import { UpgradeLink } from "./notices.tsx";
import type { Visit } from "./visit.ts";

/** What a person is told of each kind of refusal. */
const titles: Readonly<Record<ErrorCode, string>> = {
  invalid_input: "This could not be done",
  plan_limit: "Your plan does not include this",
  rate_limited: "Too many requests",
  unauthorized: "You are signed out",
  forbidden: "This request was refused",
  not_found: "There is no such page",
  internal: "Something went wrong on our side",
};

const isSuspended = ({ code }: ServiceError, visit: Visit | undefined): boolean =>
  code === "forbidden" && (visit?.user.suspended ?? null) !== null;

/** The title of the page about a refusal. @param visit of a user who is signed in */
export function titleOfRefusal(error: ServiceError, visit: Visit | undefined): string {
  if (error.status === 413) return "This is too large";
  return isSuspended(error, visit) ? "This workspace is suspended" : titles[error.code];
}

interface Props {
  readonly error: ServiceError;
  readonly visit: Visit | undefined;
  /** Empty if there is none. */
  readonly upgradeUrl: string;
}

/** The page about a refusal: what is wrong, and what to do about it. */
export function Refusal({ error, visit, upgradeUrl }: Props) {
  return (
    <>
      <h1>{titleOfRefusal(error, visit)}</h1>
      <p>{adviceOn(error)}</p>
      {error.code === "plan_limit" && (
        <p>
          <UpgradeLink url={upgradeUrl} />
        </p>
      )}
      <p>
        <a class="button" href="/dashboard">
          Back to the dashboard
        </a>
      </p>
    </>
  );
}

function adviceOn({ code, message, status, headers }: ServiceError): string {
  if (status === 413) return `${message}. Go back and send less.`;
  if (code === "not_found") return "It may have been deleted, or the address is not complete.";
  if (code === "rate_limited") {
    const seconds = Number(headers["retry-after"] ?? 60);
    return `${message}. Try again in ${formatCount(seconds, "second")}.`;
  }
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
