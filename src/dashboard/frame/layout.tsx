import type { Child } from "hono/jsx";
import type { WorkspaceNotices } from "../../domain/workspaces/notices.ts";
import { countOpen } from "../../domain/workspaces/waiting.ts";
import { DialogHead } from "../../ui/dialog-head.tsx";
import { type DocumentBase, htmlDocument } from "../../ui/document.tsx";
import { type IconName, WithSprite } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TopRow, withHeading } from "../../ui/top-row.tsx";
import type { Flash } from "./flash.ts";
import { ForMember } from "./may.tsx";
import { BottomBar, FrameMark, SearchLink, Sidebar, shortcuts } from "./navigation.tsx";
import { Notices } from "./notices.tsx";
import type { DashboardRequest } from "./request.ts";
import { Toasts } from "./toasts.tsx";

interface Page {
  readonly title: string;
  readonly content: Child;
  /** Null if they could not be read. */
  readonly notices: WorkspaceNotices | null;
  readonly flash?: Flash | undefined;
  readonly base: DocumentBase;
  /** The dialog to search in. */
  readonly search: Child;
  /** Whether only a part of the page is used. */
  readonly isPart: boolean;
}

/** A page for signed-in users: its content, surrounded by navigation. On phones, a row above and a bar below. */
export async function framedDocument(request: DashboardRequest, shown: Page) {
  const { title, content, notices, flash, base, search, isPart } = shown;
  const icons = isPart ? null : new Set<IconName>();
  const { words, main } = await withHeading(
    <WithSprite icons={icons}>
      <ForMember request={request}>{content}</ForMember>
    </WithSprite>,
  );
  const waiting = notices === null ? 0 : countOpen(request.user, notices, request.deps.now());
  const body = (
    <ForMember request={request}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="progress" id="progress" aria-hidden="true" />
      <p class="visually-hidden" id="live" role="status" />
      <TopRow
        words={words}
        mark={
          <a class="brand" href="/dashboard" aria-label={`${request.user.workspaceName}, overview`}>
            <FrameMark user={request.user} />
          </a>
        }
      >
        <SearchLink />
      </TopRow>
      <div class="frame">
        <Sidebar request={request} waiting={waiting} lists={notices?.lists ?? []} />
        <main class="page" id="main" tabindex={-1} data-drafts={draftsOf(request)}>
          <div id="refused" role="alert" />
          <Notices request={request} notices={notices} />
          {main}
        </main>
      </div>
      <BottomBar request={request} waiting={waiting} lists={notices?.lists ?? []} />
      <Toasts flash={flash} address={request.address} />
      {search}
      <Unsaved />
      <Shortcuts areOn={request.preferences.shortcuts} />
    </ForMember>
  );
  const attributes = { "hx-boost": "true", "hx-indicator": "#progress" };
  const { scheme } = request.preferences;
  return htmlDocument(base, title, body, {
    ...{ icons, attributes },
    scheme: scheme === "auto" ? undefined : scheme,
  });
}

/** Names the drafts that the browser keeps: those of this person in this workspace. */
const draftsOf = ({ context }: DashboardRequest): string => `${context.userId} ${context.workspaceId}`;

/** A question before unsaved entries are lost, and a notice once they are put back. Scripts show them. */
const Unsaved = () => (
  <>
    <template id="draft-notice">
      <Notice kind="info" role="status">
        <p>
          Your unsaved changes <span data-draft-time="" /> are back.{" "}
          <button class="button plain" type="button" data-draft-discard="">
            Discard changes
          </button>
        </p>
      </Notice>
    </template>
    <dialog id="unsaved" aria-labelledby="unsaved-title">
      <h2 id="unsaved-title">Leave without saving?</h2>
      <p>Your changes on this page have not been saved.</p>
      <div class="buttons">
        <button class="button danger" type="button" data-leave="">
          Discard changes
        </button>
        <button class="button" type="button" data-close="">
          Keep editing
        </button>
      </div>
    </dialog>
  </>
);

/** The list of shortcuts, opened with `?`. The settings page has it, too. */
function Shortcuts({ areOn }: { areOn: boolean }) {
  return (
    <>
      <button type="button" hidden data-open="#shortcuts" data-key="?" />
      <dialog id="shortcuts" data-shortcuts={areOn ? "on" : "off"} aria-labelledby="shortcuts-title">
        <DialogHead id="shortcuts-title" title="Keyboard shortcuts" />
        <ShortcutTable />
        <p class="small">
          <a href="/dashboard/settings/account#shortcuts-setting">Turn shortcuts off</a>
        </p>
      </dialog>
    </>
  );
}

export function ShortcutTable() {
  return (
    <table class="keys">
      <tbody>
        {shortcuts.map(([keys, action]) => (
          <tr>
            <td>
              {keys.split(" ").map((key) => (
                <>
                  <kbd>{key}</kbd>{" "}
                </>
              ))}
            </td>
            <td>{action}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
