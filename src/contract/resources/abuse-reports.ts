import * as z from "zod";
import { limits } from "../limits.ts";
import { cursor, listOf, pageLimit } from "./paging.ts";
import { SuspensionInput } from "./suspension.ts";
import { manyLines } from "./text.ts";

/** Reports of abuse, which anybody can send from `/report`. */

export const ReportReason = z.enum(["phishing", "malware", "spam", "illegal_content", "other"]);
export type ReportReason = z.output<typeof ReportReason>;

const Decision = z.enum(["dismissed", "acted_on"]);

export const ReportState = z.enum(["open", ...Decision.options]);
export type ReportState = z.output<typeof ReportState>;

export const SuspendedPart = z.enum(["code", "page", "workspace"]);
export type SuspendedPart = z.output<typeof SuspendedPart>;

export const Report = z
  .object({
    id: z.uuid(),
    hash: z.string().nullable().meta({ description: "The code's hash; null if a hosted page was reported" }),
    qrId: z.uuid().nullable(),
    pageId: z
      .uuid()
      .nullable()
      .meta({ description: "The hosted page that was reported, or that the code showed" }),
    workspaceId: z.uuid(),
    destination: z.string().nullable().meta({
      description: "Where the code led when it was reported; null for a contact",
    }),
    reason: ReportReason,
    details: z.string().nullable(),
    email: z.string().nullable().meta({ description: "Of the person who reported it, for questions" }),
    state: ReportState,
    furtherReports: z.int().meta({
      description: `Reports that were counted and not stored, because ${limits.report.openPerCode} were open`,
    }),
    note: z.string().nullable().meta({ description: "The operator's" }),
    suspended: z
      .array(SuspendedPart)
      .meta({ description: "What is suspended now: the code, the hosted page, the workspace", example: [] }),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "Report" });
export type Report = z.output<typeof Report>;

export const ReportQuery = z.object({
  state: ReportState.optional().meta({ description: "Only reports in this state" }),
  workspaceId: z
    .string()
    .max(limits.name)
    .optional()
    .meta({ description: "Only reports about this workspace" }),
  cursor,
  limit: pageLimit(limits.operatorList),
});
export type ReportQuery = z.output<typeof ReportQuery>;

export const ReportList = listOf(Report, "ReportList");
export type ReportList = z.output<typeof ReportList>;

export const DecisionInput = z
  .object({
    decision: Decision,
    note: manyLines(limits.report.note).nullable().default(null),
    suspend: SuspensionInput.optional().meta({
      description:
        "Suspends the code and the hosted page that it showed, or the page that was opened without a code; with `acted_on` only",
    }),
  })
  .refine(({ decision, suspend }) => suspend === undefined || decision === "acted_on", {
    path: ["decision"],
    error: "must be acted_on to suspend what was reported",
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
