import { PostForm } from "../../ui/forms/post-form.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { ShortcutTable } from "../frame/layout.tsx";
import type { DashboardRequest, PageResponse, SeeOther } from "../frame/request.ts";
import { SettingsPage, settingsPath } from "../frame/settings-page.tsx";
import { LeaveCard } from "./account-deletion.tsx";

const path = `${settingsPath}/account`;

/** Who is signed in, and their settings for this browser. */
export function accountSettings(request: DashboardRequest): PageResponse {
  const { user, preferences } = request;
  const { name, email } = user;
  return {
    title: "Account",
    content: (
      <SettingsPage request={request} title="Account">
        <section class="card" aria-labelledby="person">
          <h2 id="person">Signed in</h2>
          <Facts
            items={[
              ["Name", name ?? email ?? "A user without a name"],
              ["Email", name === null ? null : email],
            ]}
          />
          {/* Signing out leads to a separate page outside the dashboard. */}
          <PostForm class="buttons" action="/dashboard/sign-out" hx-boost="false">
            <button class="button" type="submit">
              Sign out
            </button>
          </PostForm>
        </section>
        <section class="card for-keyboards" aria-labelledby="shortcuts-setting">
          <h2 id="shortcuts-setting">Keyboard shortcuts</h2>
          <p>Single keys work on every page, except while you type.</p>
          <ShortcutTable />
          <PostForm>
            <input type="hidden" name="shortcuts" value={preferences.shortcuts ? "off" : "on"} />
            <button class="button" type="submit">
              {preferences.shortcuts ? "Turn shortcuts off" : "Turn shortcuts on"}
            </button>
          </PostForm>
        </section>
        <p class="small quiet">The dashboard is light or dark, as your device is set.</p>
        <LeaveCard />
      </SettingsPage>
    ),
  };
}

/** Saves the settings for this browser. */
export const saveAccountSettings = ({ form }: DashboardRequest): SeeOther => ({
  seeOther: path,
  flash: "settings",
  preferences: { shortcuts: form.get("shortcuts") !== "off" },
});
