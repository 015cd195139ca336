import { PostForm } from "../../ui/forms/post-form.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { ShortcutTable } from "../frame/layout.tsx";
import { readScheme, schemes } from "../frame/preferences.ts";
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
        <section class="card" aria-labelledby="appearance">
          <h2 id="appearance">Appearance</h2>
          {/* The colours are the document's, which boosted links and forms keep. */}
          <PostForm class="buttons" hx-boost="false">
            {schemes.map((scheme) => (
              <button
                class="button"
                type="submit"
                name="scheme"
                value={scheme}
                aria-pressed={scheme === preferences.scheme ? "true" : "false"}
              >
                {schemeNames[scheme]}
              </button>
            ))}
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
        <LeaveCard />
      </SettingsPage>
    ),
  };
}

const schemeNames = { auto: "As the device", light: "Light", dark: "Dark" } as const;

/** Saves the settings for this browser that a form has. */
export const saveAccountSettings = ({ form }: DashboardRequest): SeeOther => ({
  seeOther: path,
  flash: "settings",
  preferences: form.has("scheme")
    ? { scheme: readScheme(form.get("scheme")) }
    : { shortcuts: form.get("shortcuts") !== "off" },
});
