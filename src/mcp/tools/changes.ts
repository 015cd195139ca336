import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import { Difference } from "../../contract/resources/codes/proposals.ts";
import { BulkJobStatus } from "../../contract/resources/enums.ts";
import { getBulkJob } from "../../domain/bulk/jobs.ts";
import { requireScope } from "../../domain/context/permissions.ts";
import { invalid } from "../../domain/errors.ts";
import { examineEntryUndo, examineJobUndo, type ExaminedChange } from "../../domain/proposals/examine.ts";
import { makeProposed, propose, type ProposedChange } from "../../domain/proposals/proposals.ts";
import { idInput, tool, type ToolCall } from "../tool.ts";

export const tokenInput = z.string().optional().describe("Of the dry run. Send nothing beside it");

/** The answer of a tool that changes something: of its dry run, or of doing it. */
export const Answer = z.object({
  done: z.boolean().describe("Whether the change was begun. False for a dry run"),
  next: z.string().describe("What to do now"),
  difference: Difference.optional().describe("Of a dry run"),
  token: z.string().optional().describe(`Makes the change, once, within ${limits.proposals.minutes} minutes`),
  confirmAt: z.string().optional().describe("The page on which a person confirms the change"),
  proposalId: z.string().optional().describe("Pass it to the tool job to see whether a person has confirmed"),
  expiresAt: z.string().optional(),
  jobId: z.string().optional().describe("The job that makes the change. Pass it to undo to undo it"),
  entryId: z.string().optional().describe("The entry of the history. Pass it to undo to undo it"),
  status: BulkJobStatus.optional(),
  successCount: z.int().optional(),
  failureCount: z.int().optional(),
  codes: z
    .array(z.object({ id: z.string(), scanUrl: z.string().nullable() }))
    .optional()
    .describe("The created codes"),
});

type AnswerValue = z.input<typeof Answer>;

/**
 * Examines a change, or makes the one that a token stands for.
 * @param kinds of changes that the tool makes @param examine the dry run
 */
export async function proposed(
  call: ToolCall,
  token: string | undefined,
  kinds: readonly ProposedChange["kind"][],
  examine: () => Promise<ExaminedChange>,
): Promise<{ value: AnswerValue }> {
  return {
    value: token === undefined ? await dryRun(call, await examine()) : await make(call, token, kinds),
  };
}

async function dryRun({ deps, caller }: ToolCall, examined: ExaminedChange): Promise<AnswerValue> {
  const { difference } = examined;
  if (difference.changed === 0) return { done: false, next: "There is nothing to change.", difference };
  const { id, token, expiresAt } = await propose(deps, caller, examined);
  if (token !== null) {
    return {
      done: false,
      next: "Call this tool with only the token to do it.",
      difference,
      token,
      expiresAt,
    };
  }
  const confirmAt = `${deps.settings.appOrigin}/dashboard/changes/${id}`;
  return {
    ...{ done: false, difference, confirmAt, proposalId: id, expiresAt },
    next: "Give this address to a person who may make the change. It is made once they confirm it there.",
  };
}

async function make(
  call: ToolCall,
  token: string,
  kinds: readonly ProposedChange["kind"][],
): Promise<AnswerValue> {
  const { deps, caller } = call;
  const { jobId, entryId } = await makeProposed(deps, caller, token, kinds);
  if (jobId === null) return { done: true, next: "Done.", ...(entryId !== null && { entryId }) };
  const job = await getBulkJob(deps, caller, jobId, kinds.includes("create") ? "all" : "none");
  const { status, successCount, failureCount, items } = job;
  const isRunning = job.completedAt === null;
  const codes = items.flatMap(({ createdQrId, scanUrl }) =>
    createdQrId === null ? [] : [{ id: createdQrId, scanUrl }],
  );
  return {
    ...{ done: true, jobId, status, successCount, failureCount },
    next: isRunning ? "Call the tool job until it is completed." : "Done.",
    ...(codes.length > 0 && { codes }),
  };
}

const undo = tool({
  name: "undo",
  title: "Undo a change",
  description:
    "Undoes a job, or one entry of the history, as far as nobody has changed the same things since. Call it with jobId or entryId first: nothing happens yet, and the answer has the difference and a token. Then call it with only the token.",
  scopes: ["qr:write", "pages:write", "templates:write"],
  effect: "changes",
  input: z.object({ jobId: idInput.optional(), entryId: idInput.optional(), token: tokenInput }),
  output: Answer,
  run: (call, { jobId, entryId, token }) =>
    proposed(call, token, ["undoJob", "undoEntry"], async () => {
      const { deps, caller } = call;
      if (jobId !== undefined) return examineJobUndo(deps, caller, jobId);
      if (entryId === undefined) throw invalid("jobId", "or entryId or token is required");
      requireScope(caller, "history:read");
      return examineEntryUndo(deps, caller, entryId);
    }),
});

export const changeTools = [undo];
