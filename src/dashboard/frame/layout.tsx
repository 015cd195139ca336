import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import { mark } from "../../lib/web/service-style.ts";
import type { WorkspaceNotices } from "../../domain/workspaces/notices.ts";
import { SearchIcon } from "../components/icons.tsx";
import { htmlDocument } from "./document.tsx";
import { Navigation, shortcuts } from "./navigation.tsx";
import type { FlashName } from "./flash.ts";
import { PaletteDialog, PaletteLink } from "../palette/palette.tsx";
import { Notices } from "./notices.tsx";
import type { DashboardRequest } from "./request.ts";

interface Page {
  readonly title: string;
  readonly content: Child;
  /** Null if they could not be read. */
  readonly notices: WorkspaceNotices | null;
  readonly flash?: FlashName | undefined;
}

/** A page for signed-in users: search and navigation around its content. */
export const framedDocument = (request: DashboardRequest, { title, content, notices, flash }: Page) =>
  htmlDocument(title, () => (
    <body hx-boost="true">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="progress htmx-indicator" aria-hidden="true" />
      <p class="visually-hidden" id="live" role="status" />
      <Top request={request} />
      <div class="frame">
        <Navigation request={request} />
        <main class="page" id="main" tabindex={-1}>
          <div id="refused" role="alert" />
          <Notices request={request} notices={notices} flash={flash} />
          {content}
        </main>
      </div>
      <PaletteDialog />
      <Shortcuts areOn={request.preferences.shortcuts} />
    </body>
  ));

function Top({ request }: { request: DashboardRequest }) {
  const isList = request.address.replace(/\?.*/, "") === "/dashboard/codes";
  return (
    <header class="top">
      <a class="brand" href="/dashboard">
        {raw(mark)}
        <span>{request.user.workspaceName}</span>
      </a>
      <search>
        <form class="search" action="/dashboard/codes" method="get">
          <SearchIcon />
          <input
            class="entry"
            type="search"
            name="q"
            aria-label="Search the codes"
            placeholder="Search the codes"
            value={isList ? (request.query.get("q") ?? "") : ""}
            data-key="/"
          />
        </form>
      </search>
      <PaletteLink />
      <a class="button primary" href="/dashboard/codes/new" data-key="c">
        New code
      </a>
    </header>
  );
}

/** The list of shortcuts, which `?` opens. The settings page has it, too. */
function Shortcuts({ areOn }: { areOn: boolean }) {
  return (
    <>
      <button type="button" hidden data-open="#shortcuts" data-key="?" />
      <dialog id="shortcuts" data-shortcuts={areOn ? "on" : "off"} aria-labelledby="shortcuts-title">
        <h2 id="shortcuts-title">Keyboard shortcuts</h2>
        <ShortcutTable />
        <p>
          <a href="/dashboard/settings#shortcuts-setting">Switch shortcuts off</a>
        </p>
        <button class="button" type="button" data-close="">
          Close
        </button>
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
