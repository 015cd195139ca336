import type {
  AbuseReport,
  AbuseReportReason,
  AbuseReportStatus,
  SuspendedPart,
} from "../../../contract/resources/operations/abuse-reports.ts";
import { Status } from "../../../ui/values/status.tsx";

export const reasonTexts: Readonly<Record<AbuseReportReason, string>> = {
  phishing: "Phishing",
  malware: "Malware",
  spam: "Spam",
  illegal_content: "Illegal content",
  other: "Other",
};

export const statusTexts: Readonly<Record<AbuseReportStatus, string>> = {
  open: "Open",
  dismissed: "Dismissed",
  acted_on: "Acted on",
};

/** The reported code or page, as a title. */
export const subjectOf = ({ hash, pageId }: AbuseReport): string =>
  hash === null ? `Page ${pageId ?? ""}` : `Code ${hash}`;

const partTexts: Readonly<Record<SuspendedPart, string>> = {
  code: "code",
  page: "page",
  workspace: "workspace",
};

/** The report's status, and what is suspended now. */
export const ReportStatus = ({ report: { status, suspended } }: { report: AbuseReport }) => (
  <>
    <Status kind={status === "open" ? "scheduled" : "ended"}>{statusTexts[status]}</Status>
    {suspended.length > 0 && (
      <span class="second">
        <Status kind="bad">{`Suspended: ${suspended.map((part) => partTexts[part]).join(", ")}`}</Status>
      </span>
    )}
  </>
);
