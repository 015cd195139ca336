import type { Child, PropsWithChildren } from "hono/jsx";
import type { Permission } from "../../contract/roles.ts";
import { may } from "../../domain/context/permissions.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { DashboardRequest } from "./request.ts";

/** The first page of the settings. On phones, it lists the others. */
export const settingsPath = "/dashboard/settings";

export const alertsPath = "/dashboard/developer/alerts";
export const membersPath = `${settingsPath}/members`;
export const passkeysPath = `${settingsPath}/passkeys`;

interface Link {
  readonly name: string;
  readonly path: string;
  /** One's role must allow this; undefined for a page that every member has. */
  readonly permission?: Permission;
}

/** The pages of the settings, in the groups and order of their navigation. */
const groups: readonly (readonly [group: string, links: readonly Link[]])[] = [
  [
    "Workspace",
    [
      { name: "General", path: settingsPath },
      { name: "Members", path: membersPath },
      { name: "Domains", path: "/dashboard/domains" },
      { name: "Plan and usage", path: `${settingsPath}/plan` },
      { name: "Time zone and retention", path: `${settingsPath}/reports`, permission: "settings" },
      { name: "Brand", path: `${settingsPath}/brand`, permission: "settings" },
    ],
  ],
  [
    "Developer",
    [
      { name: "API keys", path: "/dashboard/developer/keys", permission: "keys" },
      { name: "Webhooks", path: "/dashboard/developer/webhooks", permission: "webhooks" },
      { name: "Alerts", path: alertsPath, permission: "webhooks" },
    ],
  ],
  [
    "You",
    [
      { name: "Account", path: `${settingsPath}/account` },
      { name: "Passkeys", path: passkeysPath },
      { name: "Sessions", path: `${settingsPath}/sessions` },
    ],
  ],
];

/** Returns the groups with the links that the member's role and the ways to sign in here allow. */
const offered = ({ deps, context }: DashboardRequest) =>
  groups
    .map(([group, links]) => {
      const allowed = links.filter(
        ({ path, permission }) =>
          (permission === undefined || may(context, permission)) &&
          (path !== passkeysPath || waysToSignIn(deps).passkeys),
      );
      return [group, allowed] as const;
    })
    .filter(([, links]) => links.length > 0);

interface Props {
  readonly request: DashboardRequest;
  readonly title: string;
  /** The page's main action. */
  readonly action?: Child;
}

/** A page of the settings, beside the links to the others. */
export function SettingsPage({ request, title, action, children }: PropsWithChildren<Props>) {
  const path = request.address.replace(/\?.*/, "");
  const isFirst = path === settingsPath;
  return (
    <div class={isFirst ? "settings first" : "settings"}>
      <nav class="settings-nav" aria-label="Settings">
        {offered(request).map(([group, links]) => (
          <>
            <h2 class="small quiet">{group}</h2>
            <ul class="plain">
              {links.map(({ name, path: to }) => (
                <li>
                  <a href={to} aria-current={to === path ? "page" : undefined}>
                    {name}
                    <Icon name="chevron-right" />
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
      </nav>
      <div class="settings-page">
        {isFirst ? (
          <Head title={title}>{action}</Head>
        ) : (
          <Head title={title} back={{ path: settingsPath, name: "Settings" }}>
            {action}
          </Head>
        )}
        {children}
      </div>
    </div>
  );
}
