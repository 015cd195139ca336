import { plans } from "../../contract/plans.ts";
import { formatNumber } from "../components/values/format.ts";
import { Meter } from "../components/values/meter.tsx";
import { UpgradeLink } from "./notices.tsx";
import type { DashboardRequest } from "./request.ts";

interface Section {
  readonly name: string;
  readonly path: string;
  /** The keys that open it, in sequence. */
  readonly keys: string;
}

/** The areas of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  { name: "Overview", path: "/dashboard", keys: "g o" },
  { name: "Codes", path: "/dashboard/codes", keys: "g c" },
  { name: "Folders", path: "/dashboard/folders", keys: "g f" },
  { name: "Tags", path: "/dashboard/tags", keys: "g t" },
  { name: "Pages", path: "/dashboard/pages", keys: "g p" },
  { name: "Templates", path: "/dashboard/templates", keys: "g d" },
  { name: "Developer", path: "/dashboard/developer", keys: "g a" },
  { name: "Settings", path: "/dashboard/settings", keys: "g s" },
];

/** Every single-key shortcut, with what it does. */
export const shortcuts: readonly (readonly [keys: string, action: string])[] = [
  ["c", "Create a code"],
  ["/", "Search the codes"],
  ...sections.map(({ name, keys }) => [keys, `Go to ${name}`] as const),
  ["Ctrl+K", "Go to a code, folder, page or action; on a Mac ⌘K"],
  ["?", "Show these shortcuts"],
];

/** The links to all areas, and how much of the plan is used. */
export function Navigation({ request }: { request: DashboardRequest }) {
  return (
    <nav class="side" aria-label="Dashboard">
      <div>
        <ul>
          {sections.map(({ name, path, keys }) => (
            <li>
              <a
                href={path}
                aria-current={isCurrent(path, request.address) ? "page" : undefined}
                data-key={keys}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
        <Usage request={request} />
      </div>
    </nav>
  );
}

/** Whether a page is in an area. The overview has no pages below it. */
function isCurrent(path: string, address: string): boolean {
  const page = address.split("?")[0] ?? "";
  return page === path || (path !== "/dashboard" && page.startsWith(`${path}/`));
}

function Usage({ request: { user, deps } }: { request: DashboardRequest }) {
  const { title, liveCodes: cap } = plans[user.member.plan];
  const used = formatNumber(user.liveCodes);
  return (
    <div class="usage">
      <p>
        <span>Codes</span>
        <span>{cap === null ? used : `${used} of ${formatNumber(cap)}`}</span>
      </p>
      {cap !== null && <Meter value={user.liveCodes} max={cap} label="Codes used" />}
      <p>
        <span>Plan {title}</span>
        {cap !== null && deps.settings.upgradeUrl !== "" && <UpgradeLink url={deps.settings.upgradeUrl} />}
      </p>
      <p class="who">{`Signed in as ${user.name ?? user.email ?? "a user without a name"}`}</p>
    </div>
  );
}
