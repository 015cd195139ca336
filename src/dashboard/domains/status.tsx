import { type Domain, domainProblemWords, passingProblems } from "../../contract/resources/domains.ts";
import { Status } from "../../ui/values/status.tsx";

export const domainsPath = "/dashboard/domains";

export const domainPath = (id: string): string => `${domainsPath}/${id}`;

/** A domain's status, as a word. */
export function DomainStatus({ domain }: { domain: Pick<Domain, "status" | "problem" | "suspended"> }) {
  const { status, problem, suspended } = domain;
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  const isWaiting = problem === null || passingProblems.includes(problem);
  if (status === "active") {
    return problem === null ? (
      <Status kind="active">Active</Status>
    ) : (
      <Status kind="bad">Active, with a problem</Status>
    );
  }
  return isWaiting ? (
    <Status kind="scheduled">Not active yet</Status>
  ) : (
    <Status kind="bad">Not active</Status>
  );
}

/** Returns why a domain has its status, in a few words; null if that needs no words. */
export function reasonOf({
  problem,
  suspended,
  status,
}: Pick<Domain, "problem" | "suspended" | "status">): string | null {
  if (suspended !== null) return suspended.reason;
  if (problem !== null) return domainProblemWords[problem];
  return status === "active" ? null : "Being checked";
}
