import type { PropsWithChildren } from "hono/jsx";
import type { Visit } from "../frame/visit.ts";

interface Props {
  readonly visit: Visit;
  /** A section of the reference. */
  readonly section?: string;
  readonly button?: boolean;
}

/** A link to the API's reference, which is no page of the dashboard. */
export function ReferenceLink({ visit, section, button, children }: PropsWithChildren<Props>) {
  const address = `${visit.deps.appOrigin}/api/v1/docs${section === undefined ? "" : `#${section}`}`;
  return (
    <a class={button === true ? "button" : undefined} href={address} hx-boost="false">
      {children}
    </a>
  );
}
