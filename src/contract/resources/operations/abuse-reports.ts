import * as z from "zod";
import { limits } from "../../limits.ts";
import { manyLines } from "../../text.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
import { SuspensionInput } from "./suspension.ts";

/** Abuse reports, which anyone can send from `/report`. */

export const AbuseReportReason = z.enum(["phishing", "malware", "spam", "illegal_content", "other"]);
export type AbuseReportReason = z.output<typeof AbuseReportReason>;

const Decision = z.enum(["dismissed", "acted_on"]);

export const AbuseReportStatus = z.enum(["open", ...Decision.options]);
export type AbuseReportStatus = z.output<typeof AbuseReportStatus>;

export const SuspendedPart = z.enum(["code", "page", "domain", "workspace"]);
export type SuspendedPart = z.output<typeof SuspendedPart>;

export const AbuseReport = z
  .object({
    id: z.uuid(),
    link: z.string().nullable().meta({
      description:
        "The host and path that were reported, as scans read them; null if none was given, and in earlier reports",
    }),
    hash: z
      .string()
      .nullable()
      .meta({ description: "The code's hash; null if a hosted page or a domain was reported" }),
    qrId: z.uuid().nullable(),
    pageId: z
      .uuid()
      .nullable()
      .meta({ description: "The hosted page that was reported, or that the code showed" }),
    domain: z.string().nullable().meta({
      description: "The host of the domain that was reported, by its root or a path that no code has",
    }),
    workspaceId: z.uuid(),
    destination: z.string().nullable().meta({
      description: "Where the address led when it was reported; null for a contact, and for one of our pages",
    }),
    reason: AbuseReportReason,
    details: z.string().nullable(),
    email: z.string().nullable().meta({ description: "The reporter's, for questions" }),
    status: AbuseReportStatus,
    furtherReports: z.int().meta({
      description: "Further abuse reports about the same code, page or domain, which were only counted",
    }),
    otherReports: z.int().meta({
      description:
        "Abuse reports about codes and pages without an open one, which were only counted because the workspace or the installation had too many",
    }),
    note: z.string().nullable().meta({ description: "The operator's" }),
    suspended: z.array(SuspendedPart).meta({
      description: "What is suspended now: the code, the hosted page, the domain, the workspace",
      example: [],
    }),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "AbuseReport" });
export type AbuseReport = z.output<typeof AbuseReport>;

export const AbuseReportQuery = z.object({
  status: AbuseReportStatus.optional().meta({ description: "Only abuse reports with this status" }),
  workspaceId: z
    .string()
    .max(limits.name)
    .optional()
    .meta({ description: "Only abuse reports about this workspace" }),
  cursor,
  limit: pageLimit(limits.operatorList),
});
export type AbuseReportQuery = z.output<typeof AbuseReportQuery>;

export const AbuseReportList = listOf(AbuseReport, "AbuseReportList");
export type AbuseReportList = z.output<typeof AbuseReportList>;

export const DecisionInput = z
  .object({
    decision: Decision,
    note: manyLines(limits.abuseReport.note).nullable().default(null),
    suspend: SuspensionInput.optional().meta({
      description:
        "Suspends the code and the hosted page that it showed, or a page that was opened without a code, or the domain; only with `acted_on`",
    }),
  })
  .refine(({ decision, suspend }) => suspend === undefined || decision === "acted_on", {
    path: ["decision"],
    error: "must be acted_on if you suspend",
  })
  .meta({
    id: "DecisionInput",
    example: {
      decision: "acted_on",
      note: "Asks for card numbers",
      suspend: { reason: "Reported as phishing", legalOrder: false },
    },
  });
export type DecisionInput = z.output<typeof DecisionInput>;
