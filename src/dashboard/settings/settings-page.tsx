import type { Child, PropsWithChildren } from "hono/jsx";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { Head } from "../components/head.tsx";
import { Icon } from "../components/icon.tsx";
import type { DashboardRequest } from "../frame/request.ts";

/** The first page of the settings. On phones, it lists the others. */
export const settingsPath = "/dashboard/settings";

interface Link {
  readonly name: string;
  readonly path: string;
  /** Returns whether it is offered; true by default. */
  readonly isOffered?: (request: DashboardRequest) => boolean;
}

/** The pages of the settings, in the groups and order of their navigation. */
const groups: readonly (readonly [group: string, links: readonly Link[]])[] = [
  [
    "Workspace",
    [
      { name: "General", path: settingsPath },
      { name: "Plan and usage", path: `${settingsPath}/plan` },
      { name: "Time zone and retention", path: `${settingsPath}/reports` },
      { name: "Brand", path: `${settingsPath}/brand` },
    ],
  ],
  [
    "Developer",
    [
      { name: "API keys", path: "/dashboard/developer/keys" },
      { name: "Webhooks", path: "/dashboard/developer/webhooks" },
    ],
  ],
  [
    "You",
    [
      { name: "Account", path: `${settingsPath}/account` },
      {
        name: "Passkeys",
        path: `${settingsPath}/passkeys`,
        isOffered: ({ deps }) => waysToSignIn(deps).passkeys,
      },
      { name: "Sessions", path: `${settingsPath}/sessions` },
    ],
  ],
];

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
        {groups.map(([group, links]) => (
          <>
            <h2 class="small quiet">{group}</h2>
            <ul>
              {links
                .filter(({ isOffered }) => isOffered?.(request) !== false)
                .map(({ name, path: to }) => (
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
