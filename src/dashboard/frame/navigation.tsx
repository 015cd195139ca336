import { raw } from "hono/html";
import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Permission } from "../../contract/roles.ts";
import type { Member } from "../../domain/context/context.ts";
import { may } from "../../domain/context/permissions.ts";
import { shownLists } from "../../domain/workspaces/notices.ts";
import { isNearlyUsed } from "../../domain/workspaces/waiting.ts";
import { version } from "../../lib/version.ts";
import { mark } from "../../lib/web/service-style.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { Avatar } from "../../ui/values/avatar.tsx";
import { directionOf } from "../../ui/values/direction.ts";
import { formatNumber } from "../../ui/values/format.ts";
import { Modules } from "../../ui/values/modules.tsx";
import { WorkspaceLogo, workspaceLogoAddress } from "../../ui/values/workspace-logo.tsx";
import type { DashboardRequest } from "./request.ts";
import { proposalsPath, waitingPath } from "./waiting.tsx";

interface Section {
  readonly name: string;
  readonly path: string;
  readonly icon: IconName;
  /** The keys that open it, in sequence. */
  readonly keys: string;
  /** One's role must allow this; undefined for an area that every member has. */
  readonly permission?: Permission;
  /** The path of another area that belongs to it. */
  readonly also?: string;
}

/** The dashboard's areas, in the groups and order of the navigation. */
const groups: readonly (readonly Section[])[] = [
  [
    { name: "Overview", path: "/dashboard", icon: "layout-dashboard", keys: "g o" },
    { name: "Waiting", path: waitingPath, icon: "inbox", keys: "g w", also: proposalsPath },
    { name: "Codes", path: "/dashboard/codes", icon: "qr-code", keys: "g c" },
    { name: "Folders", path: "/dashboard/folders", icon: "folder", keys: "g f" },
    { name: "Tags", path: "/dashboard/tags", icon: "tags", keys: "g t" },
  ],
  [
    { name: "Pages", path: "/dashboard/pages", icon: "panels-top-left", keys: "g p" },
    { name: "Templates", path: "/dashboard/templates", icon: "palette", keys: "g d" },
    { name: "Jobs", path: "/dashboard/jobs", icon: "list-checks", keys: "g j" },
    { name: "History", path: "/dashboard/history", icon: "rotate-ccw-clock", keys: "g h" },
    { name: "Bin", path: "/dashboard/bin", icon: "trash", keys: "g b" },
  ],
  [
    { name: "Developer", path: "/dashboard/developer", icon: "code", keys: "g a", permission: "keys" },
    {
      name: "Settings",
      path: "/dashboard/settings",
      icon: "settings",
      keys: "g s",
      also: "/dashboard/domains",
    },
  ],
];

/** The dashboard's areas, in the order of the navigation. */
export const sections: readonly Section[] = groups.flat();

/** The areas in the phone's bottom bar; the others are in its menu. */
const barred: readonly string[] = ["Overview", "Codes", "Pages"];

/** Every single-key shortcut and its action. */
export const shortcuts: readonly (readonly [keys: string, action: string])[] = [
  ["c", "Create a code"],
  ["/", "Search"],
  ...sections.map(({ name, keys }) => [keys, `Go to ${name}`] as const),
  ["Ctrl+K", "Search or go to; on a Mac ⌘K"],
  ["?", "Show these shortcuts"],
];

/** Returns a test of whether an area is one that the member's role allows. */
const isOpenTo =
  (member: Member) =>
  ({ permission }: Section): boolean =>
    permission === undefined || may(member, permission);

/** The link to the search, which scripts open as a dialog. */
export const SearchLink = () => (
  <a
    class="search-link"
    href="/dashboard/go"
    data-open="#go"
    data-key="/"
    hx-boost="false"
    aria-keyshortcuts="Control+K Meta+K"
  >
    <Icon name="search" size={18} />
    <span class="hidden-on-phones">
      Search<span class="rest"> or go to</span>
    </span>
    <kbd class="hidden-on-phones">Ctrl K</kbd>
  </a>
);

/** The workspace's logo; the mark of this service for one without. */
export function FrameMark({ user }: Pick<DashboardRequest, "user">) {
  const { logoId, workspaceName, member } = user;
  if (logoId === null) return raw(mark);
  return <WorkspaceLogo name={workspaceName} logo={workspaceLogoAddress(member.workspaceId, logoId)} />;
}

interface NavigationProps {
  readonly request: DashboardRequest;
  /** Things that wait for the person. */
  readonly waiting: number;
  /** The first saved lists, by name. */
  readonly lists: readonly { readonly id: string; readonly name: string }[];
}

/** Links to all areas, with search, a new code and the account. On tablets, a rail of icons. */
export function Sidebar({ request, waiting, lists }: NavigationProps) {
  const { user, deps } = request;
  return (
    <nav class="side" aria-label="Dashboard">
      <div>
        <div class="side-head">
          <a class="brand" href="/dashboard" aria-label={`${user.workspaceName}, overview`}>
            <FrameMark user={user} />
            <span dir={directionOf(user.workspaceName)}>{user.workspaceName}</span>
          </a>
          {may(user.member, "codes.write") && (
            <a
              class="button"
              href="/dashboard/codes/new"
              data-key="c"
              aria-label="New code"
              data-tip="New code"
            >
              <Icon name="plus" />
            </a>
          )}
        </div>
        <SearchLink />
        {groups.map((group, i) => (
          <>
            <ul class="plain">
              {group.filter(isOpenTo(user.member)).map((section) => (
                <li>
                  <SectionLink section={section} request={request} waiting={waiting} />
                </li>
              ))}
            </ul>
            {i === 0 && lists.length > 0 && <SavedLists request={request} lists={lists} />}
          </>
        ))}
        <div class="foot">
          <Usage request={request} />
          <Account user={user} upgradeUrl={deps.settings.upgradeUrl} />
          <Version />
        </div>
      </div>
    </nav>
  );
}

/** The saved lists of codes. The rail has one link to all of them. */
const SavedLists = ({ request, lists }: Pick<NavigationProps, "request" | "lists">) => (
  <ul class="plain saved-lists">
    <li class="rail-only">
      <a
        href="/dashboard/lists"
        aria-current={
          isIn("/dashboard/lists", request.address) || request.query.has("list") ? "true" : undefined
        }
      >
        <Icon name="bookmark" size={18} />
        <span>Lists</span>
      </a>
    </li>
    {lists.slice(0, shownLists).map(({ id, name }) => (
      <li>
        <a
          href={`/dashboard/codes?list=${id}`}
          aria-current={request.query.get("list") === id ? "page" : undefined}
        >
          <Icon name="bookmark" size={18} />
          <span dir={directionOf(name)}>{name}</span>
        </a>
      </li>
    ))}
    {lists.length > shownLists && (
      <li>
        <a href="/dashboard/lists">
          <Icon name="ellipsis" size={18} />
          <span>All saved lists</span>
        </a>
      </li>
    )}
  </ul>
);

interface SectionLinkProps extends Pick<NavigationProps, "request" | "waiting"> {
  readonly section: Section;
}

function SectionLink({ section, request, waiting }: SectionLinkProps) {
  const { name, path, icon, keys } = section;
  const isList = name === "Codes" && request.query.has("list");
  return (
    <a
      href={path}
      aria-current={isCurrent(section, request.address) && !isList ? "page" : undefined}
      data-key={keys}
    >
      <Icon name={icon} size={18} />
      <span>{name}</span>
      {name === "Codes" && (
        <span class="count" aria-hidden="true">
          {formatNumber(request.user.liveCodes)}
        </span>
      )}
      {path === waitingPath && waiting > 0 && <span class="count due">{countOf(waiting)}</span>}
    </a>
  );
}

const countOf = (waiting: number): string =>
  waiting < limits.waiting.counted ? formatNumber(waiting) : `${limits.waiting.counted - 1}+`;

/** The navigation on phones, within reach of a thumb. */
export function BottomBar({ request, waiting, lists }: NavigationProps) {
  const [overview, codes, pages] = sections.filter(({ name }) => barred.includes(name));
  const { member } = request.user;
  const others = sections.filter(({ name }) => !barred.includes(name)).filter(isOpenTo(member));
  const isOther = others.some((section) => isCurrent(section, request.address));
  const link = (section: Section | undefined) =>
    section !== undefined && (
      <a href={section.path} aria-current={isCurrent(section, request.address) ? "page" : undefined}>
        <Icon name={section.icon} size={20} />
        <span>{section.name}</span>
      </a>
    );
  return (
    <nav class="bottom" aria-label="Areas">
      {link(overview)}
      {link(codes)}
      {may(member, "codes.write") && (
        <a class="new" href="/dashboard/codes/new">
          <Icon name="plus" size={20} />
          <span>New</span>
        </a>
      )}
      {link(pages)}
      <details class="menu above" name="menu" data-menu="">
        <summary aria-current={isOther ? "true" : undefined}>
          <Icon name="menu" size={20} />
          <span>More{waiting > 0 && <span class="due"> {countOf(waiting)}</span>}</span>
        </summary>
        <div class="menu-panel">
          {others.map((section) => (
            <MenuLink href={section.path} icon={section.icon} current={isCurrent(section, request.address)}>
              {section.path === waitingPath && waiting > 0
                ? `${section.name}: ${countOf(waiting)}`
                : section.name}
            </MenuLink>
          ))}
          {lists.length > 0 && (
            <MenuLink
              href="/dashboard/lists"
              icon="bookmark"
              current={isIn("/dashboard/lists", request.address)}
            >
              Saved lists
            </MenuLink>
          )}
          <MenuDivider />
          <SwitchWorkspace />
          <SignOut />
          <Version />
        </div>
      </details>
    </nav>
  );
}

/** Returns whether a page belongs to an area. The overview has no subpages. */
function isCurrent({ path, also }: Section, address: string): boolean {
  if (path === "/dashboard") return address.split("?")[0] === path;
  return isIn(path, address) || (also !== undefined && isIn(also, address));
}

function isIn(area: string, address: string): boolean {
  const page = address.split("?")[0] ?? "";
  return page === area || page.startsWith(`${area}/`);
}

/** How many of the plan's codes are used, once that matters. */
function Usage({ request: { user } }: { request: DashboardRequest }) {
  const { liveCodes: cap } = plans[user.member.plan];
  if (cap === null || !isNearlyUsed(user.liveCodes, cap)) return null;
  return (
    <div class="usage">
      <p>
        <span>Codes</span>
        <span class="digits">{`${formatNumber(user.liveCodes)} of ${formatNumber(cap)}`}</span>
      </p>
      <Modules value={user.liveCodes} max={cap} label="Codes used" />
    </div>
  );
}

function Account({ user, upgradeUrl }: { user: DashboardRequest["user"]; upgradeUrl: string }) {
  const name = user.name ?? user.email ?? "Your account";
  const { title } = plans[user.member.plan];
  return (
    <Menu
      button="account"
      align="above"
      text={
        <>
          <Avatar name={name} />
          <span class="who">
            <span dir={directionOf(name)}>{name}</span>
            <span class="small quiet">{title} plan</span>
          </span>
        </>
      }
    >
      <MenuLink href="/dashboard/settings" icon="settings">
        Settings
      </MenuLink>
      <SwitchWorkspace />
      <MenuLink href="/dashboard/settings/account#shortcuts-setting" icon="keyboard" hint="?">
        Keyboard shortcuts
      </MenuLink>
      {upgradeUrl !== "" && may(user.member, "workspace") && (
        <MenuLink href={upgradeUrl} icon="arrow-up-right">
          Change plan
        </MenuLink>
      )}
      <MenuDivider />
      <SignOut />
    </Menu>
  );
}

const SwitchWorkspace = () => (
  <MenuLink href="/dashboard/workspaces" icon="chevrons-up-down">
    Switch workspace
  </MenuLink>
);

const Version = () => <p class="version caption quiet">{`Version ${version}`}</p>;

/** Signing out leads to a separate page outside the dashboard. */
const SignOut = () => (
  <PostForm action="/dashboard/sign-out" hx-boost="false">
    <button class="menu-item" type="submit">
      <Icon name="log-out" />
      <span>Sign out</span>
    </button>
  </PostForm>
);
