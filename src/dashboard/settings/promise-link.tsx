import type { DashboardRequest } from "../frame/request.ts";

/** A sentence that leads to the page on what happens to printed codes, which is not a page of the dashboard. */
export const PromiseLink = ({ request: { deps } }: { request: DashboardRequest }) => (
  <p>
    <a href={`${deps.settings.appOrigin}/api/v1/docs/promise.md`}>What happens to printed codes</a> when a
    plan ends, a limit is reached or a workspace is deleted.
  </p>
);
