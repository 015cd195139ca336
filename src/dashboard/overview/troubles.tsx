import type { Deps } from "../../domain/deps.ts";
import { type Trouble, troublesOf } from "../../domain/operations/troubles.ts";
import { Notice } from "../../ui/notice.tsx";

const texts: Readonly<Record<Trouble, readonly [title: string, text: string]>> = {
  uncounted: [
    "Scans aren't being counted right now.",
    "Your codes work, but the figures here are too low until the operator of this service has fixed it.",
  ],
  incomplete: [
    "A part of this service is missing.",
    "Some things don't work until its operator has fixed it.",
  ],
};

/** Troubles of the service that concern everyone in a workspace, above the overview. */
export async function Troubles({ deps }: { deps: Deps }) {
  const troubles = await troublesOf(deps);
  return (
    <>
      {troubles.map((trouble) => (
        <Notice kind="bad">
          <p>
            <strong>{texts[trouble][0]}</strong> {texts[trouble][1]}
          </p>
        </Notice>
      ))}
    </>
  );
}
