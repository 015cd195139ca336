import type { AbuseReportReason } from "../../contract/resources/abuse-reports.ts";

/**
 * All that the service itself writes on hosted pages, on the pages of scans and on the form for abuse reports, in one
 * language. Sentences with a number are worded so that they hold for every number. A phone number has no-break spaces
 * (U+00A0).
 */
export interface Texts {
  /** Label of the submit button of a form whose owner gave it none. */
  readonly send: string;
  /** Shown after a form was submitted, if its owner gave it no text for that. */
  readonly thanks: string;
  /** Explains the asterisk. */
  readonly required: string;
  /** Label of the field that only programs fill in. */
  readonly leaveEmpty: string;
  /** Stands in the place of a form that takes no more submissions. */
  readonly closed: string;
  /** Title of the tab when a form was not accepted. */
  notSent(pageTitle: string): string;
  /** Why a form is shown again. */
  readonly notices: {
    readonly invalid: string;
    /** Sent sooner than a person could have filled it in. */
    readonly early: string;
    /** Open for too long. */
    readonly expired: string;
    /** Too many in a minute. */
    readonly limited: string;
    /** Too many in a day. */
    readonly limitedToday: string;
    /** Not stored, by a fault of the service. */
    readonly unavailable: string;
  };
  /** The problem of a value. */
  readonly problems: {
    readonly missing: string;
    readonly unchecked: string;
    readonly characters: string;
    readonly email: string;
    readonly option: string;
    readonly phone: string;
    tooLong(maxCharacters: number): string;
  };
  readonly reportPage: string;
  readonly reportCode: string;
  /** Shown by a scan of a code that leads nowhere, or that can't be opened. */
  readonly codes: Readonly<Record<CodeNotice, Notice>>;
  /** Shown in the place of a hosted page. */
  readonly pages: Readonly<Record<PageNotice, Notice>>;
  /** The pages that open an app. */
  readonly apps: {
    readonly message: { readonly title: string; readonly open: string };
    readonly mail: { readonly title: string; readonly open: string };
    readonly to: string;
    readonly subject: string;
  };
  /** The form by which anybody reports a code or a hosted page to the operator. */
  readonly abuse: {
    readonly title: Readonly<Record<AbuseSubject, string>>;
    readonly intro: Readonly<Record<AbuseSubject, string>>;
    readonly code: { readonly label: string; readonly hint: string; readonly problem: string };
    readonly reason: string;
    readonly reasons: Readonly<Record<AbuseReportReason, string>>;
    readonly details: { readonly label: string; hint(maxCharacters: number): string };
    readonly email: { readonly label: string; readonly hint: string };
    readonly send: string;
    readonly notices: { readonly invalid: string; readonly limited: string; readonly unavailable: string };
    /** Shown after a report was sent. */
    readonly sent: { readonly title: string; readonly text: string; readonly advice: string };
  };
}

/** A heading and a sentence or two. */
interface Notice {
  readonly title: string;
  readonly text: string;
}

/** Why a scan leads nowhere. */
export type ClosedCodeStatus = "missing" | "paused" | "notStarted" | "expired" | "suspended";

/** `noCode`: no code can have this address. `unavailable`: a fault of the service. */
export type CodeNotice = ClosedCodeStatus | "noCode" | "unavailable";

export type PageNotice = "missing" | "suspended" | "unavailable";

type AbuseSubject = "code" | "page";
