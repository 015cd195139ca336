import {
  type Domain,
  type DomainProblem,
  domainProblemWords,
  passingProblems,
} from "../../contract/resources/domains.ts";
import { Status } from "../../ui/values/status.tsx";

export const domainsPath = "/dashboard/domains";

export const domainPath = (id: string): string => `${domainsPath}/${id}`;

/** The problems of a domain whose owner has yet to create or change records. */
const ofOwnersDns: readonly DomainProblem[] = [
  "txt_missing",
  "cname_missing",
  "cname_elsewhere",
  "dns_unreadable",
];

/** A domain's status, as a word. */
export function DomainStatus({ domain }: { domain: Pick<Domain, "status" | "problem" | "suspended"> }) {
  const { status, problem, suspended } = domain;
  if (suspended !== null) return <Status kind="bad">Suspended</Status>;
  if (status === "active") {
    return problem === null ? (
      <Status kind="active">Active</Status>
    ) : (
      <Status kind="bad">Active, with a problem</Status>
    );
  }
  if (problem !== null && ofOwnersDns.includes(problem)) {
    return <Status kind="scheduled">Waiting for your DNS</Status>;
  }
  return problem === null || passingProblems.includes(problem) ? (
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
