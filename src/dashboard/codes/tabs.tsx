import { Views } from "../components/views.tsx";

const views = [
  ["/dashboard/codes", "All codes"],
  ["/dashboard/codes/most-scanned", "Most scanned"],
] as const;

/** The views of the codes. @param current the path of the one that is shown */
export function CodeTabs({ current }: { current: (typeof views)[number][0] }) {
  return <Views label="Views of the codes" views={views} current={current} />;
}
