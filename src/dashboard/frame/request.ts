import type { Child } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Deps } from "../../domain/deps.ts";
import type { Member } from "../../domain/identity/caller.ts";
import type { SignedInMember } from "../../domain/identity/sessions.ts";
import type { FlashName } from "./flash.ts";
import type { Preferences } from "./preferences.ts";
import type { SubmittedForm } from "../../lib/web/form.ts";
import type { LargeForm } from "./read-form.ts";

/** A request of a signed-in user. */
export interface DashboardRequest {
  readonly deps: Deps;
  readonly user: SignedInMember;
  /** The workspace that the request acts for. */
  readonly context: Member;
  readonly preferences: Preferences;
  /** The page's address: path and query. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for a GET. */
  readonly form: URLSearchParams;
  /** The files of a submitted form, by the name of their field. */
  readonly files: SubmittedForm["files"];
  /** The time zone in which the workspace's scans are reported, an IANA name. It is read once for a request. */
  timeZone(): Promise<string>;
  /** A segment of the path that the route names. */
  param(name: string): string;
}

/** A page in the frame. */
export interface PageResponse {
  readonly title: string;
  readonly content: Child;
  readonly status?: 200 | 400 | 402 | 403 | 404 | 409 | 410 | 503;
  /** Whether the page has frames, which its Content-Security-Policy must permit. */
  readonly frames?: true;
}

/** A redirect after a change, so that reloading the page repeats nothing. */
export interface SeeOther {
  readonly seeOther: string;
  /** The message that confirms the change on the next page. */
  readonly flash?: FlashName;
  /** The id of the code that was changed, so that the message can offer to undo it. */
  readonly subject?: string;
  readonly preferences?: Preferences;
}

/** A part of a page, which htmx puts into the one that is shown. */
export interface Fragment {
  readonly fragment: HtmlEscapedString | Promise<HtmlEscapedString>;
}

export type DashboardResponse = PageResponse | SeeOther | Fragment | Response;

/** A path of the dashboard and what answers it. Every route requires a session, every POST the dashboard's own origin. */
export type Route = readonly [
  method: "GET" | "POST",
  path: `/${string}`,
  answer: (request: DashboardRequest) => Promise<DashboardResponse> | DashboardResponse,
  options?: RouteOptions,
];

export interface RouteOptions {
  /** How large the member's form may be, if larger than usual. */
  readonly largeForm?: (context: Member) => LargeForm;
  /** Only for a part of a page that asks for itself again and again, and is cheap: it does not count as a request of the user. */
  readonly counted?: false;
}
