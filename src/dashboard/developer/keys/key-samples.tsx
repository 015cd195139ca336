import { plans } from "../../../contract/plans.ts";
import type { NewApiKey } from "../../../contract/resources/identity/keys.ts";
import { UpgradeLink } from "../../frame/notices.tsx";
import type { DashboardRequest } from "../../frame/request.ts";
import { ReferenceLink } from "../reference-link.tsx";
import { Samples } from "../samples.tsx";
import { type KeyUse, placeholder, samplesOf, useOf } from "./code-samples.ts";

interface Props {
  readonly request: DashboardRequest;
  /** The newly created key, which makes the programs runnable; undefined for a placeholder. */
  readonly created: NewApiKey | undefined;
}

/** Programs for what works with a key: to create a code, if it may. */
export function KeySamples({ request, created }: Props) {
  const { deps, context } = request;
  const type = created?.type ?? "secret";
  const use = useOf(created);
  const samples = samplesOf(use, {
    origin: deps.settings.appOrigin,
    key: created?.key ?? placeholder[type],
    type,
    webOrigin: created?.origins[0],
  });
  const isRefused = type === "secret" && !plans[context.plan].secretKeys;
  return (
    <>
      <p>
        {created === undefined
          ? "Replace the placeholder with your key."
          : "These samples contain your key and run as they are."}{" "}
        {type === "publishable" && "The JavaScript runs on pages of the key's origins. "}
        {notes[use]}
        See the <ReferenceLink request={request}>API reference</ReferenceLink> for everything else.
      </p>
      {isRefused && (
        <p>
          <strong>Your {plans[context.plan].title} plan doesn't include secret keys:</strong> these samples
          are refused until you upgrade to {plans.pro.title}. <UpgradeLink url={deps.settings.upgradeUrl} />
        </p>
      )}
      <Samples id="create-a-code" label={labels[use]} samples={samples} />
    </>
  );
}

const labels: Readonly<Record<KeyUse, string>> = {
  create: "Create a code",
  propose: "Propose a code",
  read: "Read what the key allows",
};

const notes: Readonly<Record<KeyUse, string>> = {
  create: "",
  propose:
    "A person confirms what this key changes: the answer has the address of the page for that, and nothing is created before. ",
  read: "This key can't create codes. ",
};
