import type { Child } from "hono/jsx";
import type { Domain } from "../../contract/resources/domains.ts";
import { Icon } from "../../ui/icon.tsx";
import { StepMark } from "../../ui/stepper.tsx";
import { problemTexts, type Step, type StepState, stepOfProblem, stepStates, steps } from "./problems.ts";

interface Props {
  readonly domain: Domain;
}

const titles: Readonly<Record<Step, (domain: Domain) => string>> = {
  proof: () => "Prove that the host is yours",
  pointing: () => "Point the host here",
  certificate: () => "Get a certificate",
  codes: ({ host }) => `Codes answer at ${host}`,
};

const stateWords: Readonly<Record<StepState, string>> = {
  done: "Done",
  current: "Waiting",
  problem: "Needs a fix",
  upcoming: "To come",
};

/** What leads from the host to scans at it: each step with its state, its record and its problem. */
export function DomainSteps({ domain }: Props) {
  const states = stepStates(domain);
  const held = stepOfProblem(domain);
  return (
    <ol class="plain domain-steps">
      {steps.map((step) => (
        <li aria-current={states[step] === "current" ? "step" : undefined}>
          <span class={`mark ${states[step]}`}>
            {states[step] === "problem" ? <Icon name="circle-alert" /> : <StepMark progress={states[step]} />}
          </span>
          <div>
            <h3>
              {titles[step](domain)}{" "}
              <span class={`small step-state ${states[step]}`}>{stateWords[states[step]]}</span>
            </h3>
            <Explanation step={step} state={states[step]} domain={domain} />
            {step === held && <Problem domain={domain} isWrong={states[step] === "problem"} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** What a step is about, with its DNS record. */
function Explanation({ step, state, domain }: Props & { step: Step; state: StepState }) {
  const { host } = domain;
  const record = domain.records.find(({ type }) => type === (step === "proof" ? "TXT" : "CNAME"));
  switch (step) {
    case "proof":
      return (
        <>
          <p class="quiet">
            {record === undefined
              ? "The operator of this service vouches for it."
              : "Add this TXT record where you manage your DNS. Keep it as long as you use the host: without it, somebody else could claim the host."}
          </p>
          {record && <DnsRecord {...record} id="txt" />}
        </>
      );
    case "pointing":
      return (
        <>
          <p class="quiet">
            {record === undefined
              ? "The operator of this service has set up its DNS."
              : "Add this CNAME record in the same place. You can add both at once."}
          </p>
          {record && <DnsRecord {...record} id="cname" />}
        </>
      );
    case "certificate":
      return <p class="quiet">Issued and renewed automatically once the host points here.</p>;
    case "codes":
      return (
        <p class="quiet">
          {state === "done"
            ? `Every code of this workspace answers here, and at its other addresses as before.`
            : `Then every code of this workspace answers at ${host}, too. Until then, short links keep their present host.`}
        </p>
      );
  }
}

/** What holds up a step, and what was found. */
function Problem({ domain, isWrong }: Props & { isWrong: boolean }) {
  const { problem, detail } = domain;
  if (problem === null) return null;
  return (
    <div class={isWrong ? "step-problem wrong" : "step-problem"}>
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
const DnsRecord = ({ type, name, value, id }: Domain["records"][number] & { id: string }) => (
  <dl class="dns-record">
    <Part name="Type" value={type} />
    <Part name="Name" value={name} copied={`${id}-name`} />
    <Part name="Value" value={value} copied={`${id}-value`} />
  </dl>
);

/** @param copied the id of the text, if it can be copied */
const Part = ({ name, value, copied }: { name: string; value: string; copied?: string }): Child => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code id={copied}>{value}</code>
      {copied !== undefined && (
        <button
          class="button plain"
          type="button"
          data-copy={value}
          data-copied="Copied"
          data-script=""
          aria-label={`Copy ${name.toLowerCase()}`}
          hidden
        >
          <Icon name="copy" />
          Copy
        </button>
      )}
    </dd>
  </div>
);
