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

/** The reported code, page or domain, as a title. */
export function subjectOf({ hash, pageId, domain }: AbuseReport): string {
  if (hash !== null) return `Code ${hash}`;
  return domain === null ? `Page ${pageId ?? ""}` : `Domain ${domain}`;
}

const partTexts: Readonly<Record<SuspendedPart, string>> = {
  code: "code",
  page: "page",
  domain: "domain",
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
