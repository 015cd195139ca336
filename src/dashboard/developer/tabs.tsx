import { Views } from "../../ui/views.tsx";

const views = [
  ["/dashboard/developer", "Overview"],
  ["/dashboard/developer/keys", "Keys"],
  ["/dashboard/developer/webhooks", "Webhooks"],
] as const;

/** The views of the developer area. @param current the path of the current view */
export function DeveloperTabs({ current }: { current: (typeof views)[number][0] }) {
  return <Views label="Views for developers" views={views} current={current} />;
}
