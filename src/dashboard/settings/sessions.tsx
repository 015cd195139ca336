import type { Session } from "../../contract/resources/identity/sessions.ts";
import { listPasskeys } from "../../domain/identity/passkeys.ts";
import { endOwnSession, listSessions, sessionMilliseconds } from "../../domain/identity/sessions.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { Finder } from "../../ui/finder.tsx";
import { Choices } from "../../ui/forms/choices.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Table } from "../../ui/table.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import { change } from "../frame/change.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { SettingsPage, settingsPath } from "../frame/settings-page.tsx";

const path = `${settingsPath}/sessions`;

const noForm: FormState = { values: new URLSearchParams(), problems: {} };

/** The person's sessions, newest first, and how to end them. */
export async function sessionList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, timeZone } = request;
  const [{ sessions }, passkeys, zone] = await Promise.all([
    listSessions(deps, context),
    waysToSignIn(deps).passkeys ? listPasskeys(deps, context) : [],
    timeZone(),
  ]);
  return {
    title: "Sessions",
    content: (
      <SettingsPage request={request} title="Sessions">
        <p class="quiet">
          Where you are signed in. A session ends by itself after {sessionMilliseconds / 3_600_000} hours.
        </p>
        <SessionTable sessions={sessions} now={deps.now()} timeZone={zone} />
        <section class="card" aria-labelledby="everywhere">
          <h2 id="everywhere">Sign out everywhere</h2>
          <p>
            Ends all of your sessions, this one included, and invalidates all tokens issued until now. Your
            API keys keep working.
          </p>
          {/* Signing out leads to a separate page outside the dashboard. */}
          <PostForm action="/dashboard/sign-out-everywhere" hx-boost="false">
            {passkeys.length > 0 && (
              <Choices
                form={noForm}
                name="passkey"
                label="Also remove passkeys"
                hint="Remove any you don't recognise or whose device you no longer have."
                type="checkbox"
                choices={passkeys.map(({ id, name, createdAt }) => ({
                  value: id,
                  text: name,
                  about: `Added ${formatDate(createdAt, zone)}`,
                }))}
              />
            )}
            <div class="buttons">
              <button class="button danger" type="submit">
                Sign out everywhere
              </button>
            </div>
          </PostForm>
        </section>
      </SettingsPage>
    ),
  };
}

interface TableProps {
  readonly sessions: readonly Session[];
  readonly now: number;
  readonly timeZone: string;
}

const nameOf = ({ device }: Session): string => device ?? "Unknown device";

const SessionTable = ({ sessions, now, timeZone }: TableProps) => (
  <Table
    kind="records"
    rows={sessions}
    columns={[
      {
        head: "Device",
        cell: (session) => (
          <>
            <strong>{nameOf(session)}</strong>
            {session.current && (
              <span class="second">
                <span class="this-browser">
                  <Finder /> This browser
                </span>
              </span>
            )}
          </>
        ),
      },
      ["Signed in", ({ createdAt }) => <RelativeTime time={createdAt} now={now} timeZone={timeZone} />],
      [
        "Last used",
        ({ lastUsedAt, current }) =>
          current ? "Now" : <RelativeTime time={lastUsedAt} now={now} timeZone={timeZone} />,
      ],
    ]}
    actions={(session) => (
      <PostForm
        action={session.current ? "/dashboard/sign-out" : `${path}/${session.id}/end`}
        hx-boost={session.current ? "false" : undefined}
      >
        <button class="button" type="submit">
          Sign out<span class="visually-hidden"> of {nameOf(session)}</span>
        </button>
      </PostForm>
    )}
  />
);

export const endSession = change(endOwnSession, path, "sessionEnded");
