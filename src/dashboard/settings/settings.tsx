import { plans } from "../../contract/plans.ts";
import { Facts } from "../components/values/facts.tsx";
import { Head } from "../components/head.tsx";
import { formatNumber } from "../components/values/format.ts";
import { Modules } from "../components/values/modules.tsx";
import { ShortcutTable } from "../frame/layout.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import type { SignedInMember } from "../../domain/identity/sessions.ts";
import type { PageResponse, SeeOther, DashboardRequest } from "../frame/request.ts";

/** The signed-in user, their workspace, and their settings for this browser. */
export function settings({ user, deps, preferences }: DashboardRequest): PageResponse {
  const { name, email, workspaceName } = user;
  return {
    title: "Settings",
    content: (
      <>
        <Head title="Settings" />
        <div class="read">
          <section class="card" aria-labelledby="account">
            <h2 id="account">Account</h2>
            <Facts
              items={[
                ["Signed in as", name ?? email ?? "A user without a name"],
                ["Email", name === null ? null : email],
                ["Workspace", workspaceName],
              ]}
            />
            {/* Signing out leads to a separate page outside the dashboard. */}
            <form class="buttons" method="post" action="/dashboard/sign-out" hx-boost="false">
              <button class="button" type="submit">
                Sign out
              </button>
              <a class="button" href="/dashboard/settings/sessions">
                Manage sessions
              </a>
            </form>
          </section>
          {waysToSignIn(deps).passkeys && (
            <section class="card" aria-labelledby="passkeys">
              <h2 id="passkeys">Passkeys</h2>
              <p>How you sign in without a password, on each of your devices.</p>
              <a class="button" href="/dashboard/settings/passkeys">
                Manage passkeys
              </a>
            </section>
          )}
          <Plan user={user} upgradeUrl={deps.settings.upgradeUrl} />
          <section class="card" aria-labelledby="reports">
            <h2 id="reports">Reports</h2>
            <p>The time zone of all reports, and how long scans are kept in the scan log.</p>
            <a class="button" href="/dashboard/settings/reports">
              Edit report settings
            </a>
          </section>
          <section class="card" aria-labelledby="brand">
            <h2 id="brand">Brand</h2>
            <p>The colours and logos that every design offers.</p>
            <a class="button" href="/dashboard/settings/brand">
              Edit brand
            </a>
          </section>
          <section class="card for-keyboards" aria-labelledby="shortcuts-setting">
            <h2 id="shortcuts-setting">Keyboard shortcuts</h2>
            <p>Single keys work on every page, except while you type.</p>
            <ShortcutTable />
            <form method="post">
              <input type="hidden" name="shortcuts" value={preferences.shortcuts ? "off" : "on"} />
              <button class="button" type="submit">
                {preferences.shortcuts ? "Turn shortcuts off" : "Turn shortcuts on"}
              </button>
            </form>
          </section>
          <p class="quiet">
            API keys and webhooks are under <a href="/dashboard/developer">Developer</a>.
          </p>
        </div>
      </>
    ),
  };
}

/** The plan, and how much of it is used. */
function Plan({ user, upgradeUrl }: { user: SignedInMember; upgradeUrl: string }) {
  const { title, liveCodes: cap } = plans[user.member.plan];
  const used = formatNumber(user.liveCodes);
  return (
    <section class="card plan" aria-labelledby="plan">
      <h2 id="plan">{title} plan</h2>
      <p>{cap === null ? `${used} codes, no limit` : `${used} of ${formatNumber(cap)} codes`}</p>
      {cap !== null && <Modules value={user.liveCodes} max={cap} label="Codes used" />}
      {cap !== null && upgradeUrl !== "" && (
        <p>
          <UpgradeLink url={upgradeUrl} />
        </p>
      )}
    </section>
  );
}

/** Saves the settings for this browser. */
export const saveSettings = ({ form }: DashboardRequest): SeeOther => ({
  seeOther: "/dashboard/settings",
  flash: "settings",
  preferences: { shortcuts: form.get("shortcuts") !== "off" },
});
