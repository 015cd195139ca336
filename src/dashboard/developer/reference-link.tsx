import type { PropsWithChildren } from "hono/jsx";
import type { DashboardRequest } from "../frame/request.ts";

interface Props {
  readonly request: DashboardRequest;
  /** A page of the reference. */
  readonly section?: string;
  readonly button?: boolean;
}

/** A link to the API reference, which is not a page of the dashboard. */
export function ReferenceLink({ request, section, button, children }: PropsWithChildren<Props>) {
  const address = `${request.deps.settings.appOrigin}/api/v1/docs${section === undefined ? "" : `/${section}`}`;
  return (
    <a class={button === true ? "button" : undefined} href={address}>
      {children}
    </a>
  );
}
