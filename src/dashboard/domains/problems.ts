import { limits } from "../../contract/limits.ts";
import { type Domain, type DomainProblem, passingProblems } from "../../contract/resources/domains.ts";

/** The steps from a host to scans at it, in order. */
export const steps = ["proof", "pointing", "certificate", "codes"] as const;
export type Step = (typeof steps)[number];

interface ProblemTexts {
  /** The step that it holds up. */
  readonly step: Step;
  /** Its meaning, and what to do next. */
  readonly advice: (domain: Pick<Domain, "host" | "records">) => string;
}

const proofName = ({ host }: Pick<Domain, "host">): string => `_qr-owner.${host}`;

/** Returns the host that a domain's CNAME must name; undefined for a host that the operator led here. */
const targetOf = ({ records }: Pick<Domain, "records">): string | undefined =>
  records.find(({ type }) => type === "CNAME")?.value;

const askOperator = "Ask the operator of this service";

/** Every problem of a domain in words. */
export const problemTexts: Readonly<Record<DomainProblem, ProblemTexts>> = {
  txt_missing: {
    step: "proof",
    advice: (domain) =>
      `No TXT record was found at ${proofName(domain)} yet. A new record is often seen within minutes, sometimes only after hours. We keep looking for ${limits.domain.claimDays} days.`,
  },
  txt_differs: {
    step: "proof",
    advice: (domain) =>
      `The TXT record at ${proofName(domain)} has another value. Copy the value above again, to the last character.`,
  },
  held_by_another_workspace: {
    step: "proof",
    advice: (domain) =>
      `Another workspace has proved that this host is its own. If it is yours now, delete the other TXT record at ${proofName(domain)} and keep the one above. The next check then moves the host here. If there is no other record, ask the operator of this service.`,
  },
  dns_unreadable: {
    step: "pointing",
    advice: ({ host }) =>
      `The name servers of ${host} didn't answer. This often passes in minutes. If it doesn't, ask your DNS provider.`,
  },
  cname_missing: {
    step: "pointing",
    advice: (domain) =>
      targetOf(domain) === undefined
        ? `${domain.host} has no DNS record any more. ${askOperator} to restore it.`
        : `No record was found at ${domain.host} yet. Only a host below your domain can have a CNAME: go.example.com, not example.com. We keep looking.`,
  },
  cname_elsewhere: {
    step: "pointing",
    advice: (domain) =>
      targetOf(domain) === undefined
        ? `${domain.host} points somewhere else. ${askOperator} to correct its DNS.`
        : `${domain.host} points somewhere else. Replace its records with the CNAME above.`,
  },
  proxied_elsewhere: {
    step: "pointing",
    advice: ({ host }) =>
      `${host} goes through the proxy of another Cloudflare account. Set its record there to “DNS only”.`,
  },
  certificate_pending: {
    step: "certificate",
    advice: () =>
      "The certificate is being issued. That takes minutes, rarely some hours. There is nothing to do.",
  },
  certificate_refused: {
    step: "certificate",
    advice: () =>
      "A CAA record of your domain forbids the certificate. Add two beside those that are there: 0 issue “letsencrypt.org” and 0 issue “pki.goog”.",
  },
  challenge_blocked: {
    step: "certificate",
    advice: ({ host }) =>
      `Another certificate provider has a record at _acme-challenge.${host}. Delete it, so that ours can be issued.`,
  },
  host_refused: {
    step: "certificate",
    advice: () => `Cloudflare refuses this host. ${askOperator}: only Cloudflare's support can allow it.`,
  },
  installation_full: {
    step: "certificate",
    advice: () =>
      `This service has as many hosts as it may have. ${askOperator} to raise the number. We try again every hour.`,
  },
  installation_unready: {
    step: "certificate",
    advice: () =>
      `This service can't add hosts right now. We try again every hour. ${askOperator} if it lasts.`,
  },
};

/** How far a step is. */
export type StepState = "done" | "current" | "problem" | "upcoming";

/** Returns the step that a domain's problem holds up; undefined if it has no problem. */
export function stepOfProblem({ problem, status }: Pick<Domain, "problem" | "status">): Step | undefined {
  if (problem === null) return undefined;
  return problem === "dns_unreadable" && status === "unproved" ? "proof" : problemTexts[problem].step;
}

/** Returns how far each step of a domain is. */
export function stepStates(domain: Pick<Domain, "problem" | "status">): Readonly<Record<Step, StepState>> {
  const { problem, status } = domain;
  const held = stepOfProblem(domain);
  const isWaiting = problem !== null && passingProblems.includes(problem);
  const next = held ?? (status === "unproved" ? "proof" : "certificate");
  const stateOf = (step: Step): StepState => {
    if (step === held && (status === "active" || !isWaiting)) return "problem";
    if (status === "active") return "done";
    if (step === next) return "current";
    // Where a host points is only looked at once Cloudflare knows it.
    const isUnknown =
      step === "pointing" && (problem === "installation_full" || problem === "installation_unready");
    return steps.indexOf(step) < steps.indexOf(next) && !isUnknown ? "done" : "upcoming";
  };
  return {
    proof: stateOf("proof"),
    pointing: stateOf("pointing"),
    certificate: stateOf("certificate"),
    codes: stateOf("codes"),
  };
}
