import type { AbuseReportReason } from "../../../contract/resources/operations/abuse-reports.ts";

/**
 * Everything that the service itself writes on hosted pages, scan pages and the abuse report form, in one language.
 * Sentences with a number must be correct for every number. A phone number has no-break spaces (U+00A0).
 */
export interface Texts {
  /** Label of a form's submit button if its owner didn't set one. */
  readonly send: string;
  /** Shown after a form was submitted if its owner didn't set a text. */
  readonly thanks: string;
  /** Explains the asterisk. */
  readonly required: string;
  /** Label of the field that only programs fill in. */
  readonly leaveEmpty: string;
  /** Replaces a form that accepts no more submissions. */
  readonly closed: string;
  /** Title of the tab when a form was rejected. */
  notSent(pageTitle: string): string;
  /** Why a form is shown again. */
  readonly notices: {
    readonly invalid: string;
    /** Sent with a field filled in that people can't see. */
    readonly trapped: string;
    /** Sent sooner than a person could have filled it in. */
    readonly early: string;
    /** Open for too long. */
    readonly expired: string;
    /** Too many in a minute. */
    readonly limited: string;
    /** Too many in a day. */
    readonly limitedToday: string;
    /** Not stored because of a fault of the service. */
    readonly unavailable: string;
  };
  /** The problems of a value. */
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
  /** Shown for a scanned code that leads nowhere or can't be opened. */
  readonly codes: Readonly<Record<CodeNotice, Notice>>;
  /** Shown at a domain whose codes don't answer. */
  readonly domains: Readonly<Record<DomainNotice, Notice>>;
  /** Shown instead of a hosted page. */
  readonly pages: Readonly<Record<PageNotice, Notice>>;
  /** The pages that open an app. */
  readonly apps: {
    readonly message: { readonly title: string; readonly open: string };
    readonly mail: { readonly title: string; readonly open: string };
    readonly to: string;
    readonly subject: string;
  };
  /** The page of a contact. */
  readonly contact: {
    readonly save: string;
    /** The kinds of numbers. */
    readonly phones: Readonly<Record<PhoneKind, string>>;
    /** Follows a number. */
    extension(digits: string): string;
    readonly email: string;
    readonly website: string;
    readonly address: string;
  };
  /** The form with which anyone can report a code or hosted page to the operator. */
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

/** Why no code answers at a domain. */
export type DomainNotice = "pending" | "suspended" | "removed";

/** `other`: of no kind in particular. */
export type PhoneKind = "mobile" | "work" | "home" | "fax" | "other";

export type PageNotice = "missing" | "suspended" | "unavailable";

type AbuseSubject = "code" | "page";
