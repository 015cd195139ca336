import type { Child } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Permission } from "../../contract/roles.ts";
import type { Member } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import type { SignedInMember } from "../../domain/identity/sessions.ts";
import type { SubmittedForm } from "../../lib/web/form.ts";
import type { FirstCode } from "./first-code.ts";
import type { FlashName } from "./flash.ts";
import type { Preferences } from "./preferences.ts";
import type { LargeForm } from "./read-form.ts";

/** The workspace of the page that a form was sent from. */
export interface FormWorkspace {
  readonly id: string;
  /** Whether to switch to it first. */
  readonly switchBack: boolean;
}

/** A request of a signed-in user. */
export interface DashboardRequest {
  readonly deps: Deps;
  readonly user: SignedInMember;
  /** The workspace that the request acts for. */
  readonly context: Member;
  readonly preferences: Preferences;
  /** The code of the first steps; null before and after them. */
  readonly firstCode: FirstCode | null;
  /** The page's address: path and query. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The fields of a submitted form; empty for a GET. */
  readonly form: URLSearchParams;
  /** Null for a GET. */
  readonly formWorkspace: FormWorkspace | null;
  /** The files of a submitted form, by the name of their field. */
  readonly files: SubmittedForm["files"];
  /**
   * The time zone in which the workspace's scans are reported, an IANA name; UTC if the ledger doesn't say. Read once per
   * request.
   */
  timeZone(): Promise<string>;
  /** Returns a named segment of the path. */
  param(name: string): string;
}

/** A page in the frame. */
export interface PageResponse {
  readonly title: string;
  readonly content: Child;
  readonly status?: 200 | 400 | 402 | 403 | 404 | 409 | 410 | 412 | 429 | 503;
  /** Whether the page contains frames, which its Content-Security-Policy must allow. */
  readonly frames?: true;
  /** Preferences to remember from now on. */
  readonly preferences?: Partial<Preferences> | undefined;
}

/** A redirect after a change, so that reloading the page doesn't repeat it. */
export interface SeeOther {
  readonly seeOther: string;
  /** The message that confirms the change on the next page. */
  readonly flash?: FlashName;
  /** The id of the changed object, so that the message can offer to undo the change. */
  readonly subject?: string;
  /** Stands in the message in place of `{}`. */
  readonly about?: string;
  readonly preferences?: Partial<Preferences>;
  /** Begins the first steps with a code, or ends them. */
  readonly firstCode?: FirstCode | null;
}

/** A part of a page, which htmx inserts into the current one. */
export interface Fragment {
  readonly fragment: HtmlEscapedString | Promise<HtmlEscapedString>;
}

export type DashboardResponse = PageResponse | SeeOther | Fragment | Response;

/** Answers a request. @throws ServiceError, which is shown as a page */
export type Answer = (request: DashboardRequest) => Promise<DashboardResponse> | DashboardResponse;

/**
 * A path of the dashboard, what the person's role must allow, and the handler. Every route requires a session, and every
 * POST the dashboard's own origin.
 */
export type Route = readonly [
  method: "GET" | "POST",
  path: `/${string}`,
  permission: Permission,
  answer: Answer,
  options?: RouteOptions,
];

/** Returns the routes of a form: its page, and what submitting it does. @param options of the latter */
export const form = (
  path: Route[1],
  permission: Permission,
  show: Answer,
  submit: Answer,
  ...options: [RouteOptions?]
): readonly Route[] => [
  ["GET", path, permission, show],
  ["POST", path, permission, submit, ...options],
];

export interface RouteOptions {
  /** The limits of the member's form, if larger than usual. */
  readonly largeForm?: (context: Member) => LargeForm;
  /** Set for a cheap part of a page that refreshes itself repeatedly. It doesn't count as a request of the user. */
  readonly counted?: false;
  /** Set for a form about the person, which is the same in each of their workspaces. */
  readonly personal?: true;
}
