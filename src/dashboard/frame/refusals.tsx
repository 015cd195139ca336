import type { ErrorCode } from "../../contract/errors.ts";
import type { ServiceError } from "../../domain/errors.ts";
import { UpgradeLink } from "./notices.tsx";

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

/** The title of the page about a refusal. */
export const titleOfRefusal = ({ code }: ServiceError): string => titles[code];

/** The page about a refusal. @param upgradeUrl empty if there is none */
export function Refusal({ error, upgradeUrl }: { error: ServiceError; upgradeUrl: string }) {
  return (
    <>
      <h1>{titles[error.code]}</h1>
      <p>
        {error.code === "not_found"
          ? "It may have been deleted, or the address is not complete."
          : error.message}
      </p>
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
