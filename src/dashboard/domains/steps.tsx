import type { Domain } from "../../contract/resources/domains.ts";
import { Icon } from "../../ui/icon.tsx";
import { StepMark } from "../../ui/stepper.tsx";
import { CopyButton } from "../../ui/values/copy-button.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { problemTexts, type Step, type StepState, stepOfProblem, stepStates, steps } from "./problems.ts";

interface Props {
  readonly domain: Domain;
}

const titles: Readonly<Record<Step, (domain: Domain) => string>> = {
  proof: () => "Verify ownership",
  pointing: () => "Point the host here",
  certificate: () => "Get a certificate",
  codes: ({ host }) => `Codes answer at ${host}`,
};

const stateWords: Readonly<Record<StepState, string>> = {
  done: "Done",
  current: "Waiting",
  problem: "Needs a fix",
  upcoming: "Next",
};

/** The steps from the host to scans at it: each with its state, its record and its problem. */
export function DomainSteps({ domain }: Props) {
  const states = stepStates(domain);
  const held = stepOfProblem(domain);
  return (
    <ol class="plain steps">
      {steps.map((step) => {
        const state = states[step];
        return (
          <li
            class={state === "problem" ? "wrong" : state}
            aria-current={state === "current" ? "step" : undefined}
          >
            {state === "problem" ? <Icon name="circle-alert" /> : <StepMark progress={state} />}
            <div>
              <h3>
                {titles[step](domain)} <span class="small">{stateWords[state]}</span>
              </h3>
              <Explanation step={step} state={state} domain={domain} />
              {step === held && <Problem domain={domain} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The subject of a step, with its DNS record. */
function Explanation({ step, state, domain }: Props & { step: Step; state: StepState }) {
  const { host } = domain;
  const isDone = state === "done";
  const record = domain.records.find(({ type }) => type === recordTypes[step]);
  return (
    <>
      <p class="quiet">{(isDone ? afterwards : before)[step](host, record !== undefined)}</p>
      {record !== undefined && isDone && (
        <details class="opening">
          <summary class="button plain">Show {record.type} record</summary>
          <DnsRecord {...record} />
        </details>
      )}
      {record !== undefined && !isDone && <DnsRecord {...record} />}
    </>
  );
}

const recordTypes: Readonly<Partial<Record<Step, "TXT" | "CNAME">>> = { proof: "TXT", pointing: "CNAME" };

type Words = (host: string, hasRecord: boolean) => string;

/** The task of each step. */
const before: Readonly<Record<Step, Words>> = {
  proof: () =>
    "Add this TXT record where you manage your DNS. Some providers add your domain to the name for you. If yours does, leave that part out.",
  pointing: (_, hasRecord) =>
    hasRecord
      ? "Add this CNAME record in the same place. You can add both at once."
      : "The operator of this service sets up its DNS.",
  certificate: () => "Issued and renewed automatically once the host points here.",
  codes: (host) =>
    `Then every code of this workspace also answers at ${host}. Until then, short links keep their present host.`,
};

/** The meaning of each step that is done. */
const afterwards: Readonly<Record<Step, Words>> = {
  proof: (_, hasRecord) =>
    hasRecord
      ? "Keep the record for as long as you use the host. Without it, somebody else could claim the host."
      : "No record is needed for this host.",
  pointing: (host, hasRecord) =>
    hasRecord ? "Keep the record: without it, scans don't reach your codes." : `${host} leads here.`,
  certificate: () => "Renewed automatically.",
  codes: () => "Every code of this workspace answers here, and at its other addresses as before.",
};

/** The problem that holds up a step, and what was found. */
function Problem({ domain }: Props) {
  const { problem, detail } = domain;
  if (problem === null) return null;
  return (
    <div class="found">
      <p>{problemTexts[problem].advice(domain)}</p>
      {detail !== null && (
        <p class="small">
          Found: <code>{detail}</code>
        </p>
      )}
    </div>
  );
}

/** A DNS record, whose name and value can be copied. */
const DnsRecord = ({ type, name, value }: Domain["records"][number]) => (
  <Facts
    items={[
      ["Type", <code>{type}</code>],
      ["Name", <Copied text={name} what="name" />],
      ["Value", <Copied text={value} what="value" />],
    ]}
  />
);

const Copied = ({ text, what }: { text: string; what: string }) => (
  <span class="copied">
    <code>{text}</code>
    <CopyButton text={text} name={what} />
  </span>
);
