import * as z from "zod";
import { limits } from "../../contract/limits.ts";
import type { Difference } from "../../contract/resources/codes/proposals.ts";
import { BulkJobStatus } from "../../contract/resources/enums.ts";
import { getBulkJob } from "../../domain/bulk/jobs.ts";
import type { Caller } from "../../domain/context/context.ts";
import { holdsScope, requireScope } from "../../domain/context/permissions.ts";
import type { Deps } from "../../domain/deps.ts";
import { ifFound, invalid, notFound } from "../../domain/errors.ts";
import { findFolders } from "../../domain/folders/folders.ts";
import { type ExaminedChange, examineEntryUndo, examineJobUndo } from "../../domain/proposals/examine.ts";
import { makeProposed, type ProposedChange, propose } from "../../domain/proposals/proposals.ts";
import { listTemplates } from "../../domain/templates/templates.ts";
import { idOf, type ToolCall, tool } from "../tool.ts";

/** The effects of a change, as its dry run found. */
const ShownDifference = z.looseObject({
  summary: z.array(z.string()).describe("The change in words"),
  changed: z.int(),
  failed: z.int().describe("How many can't be changed, and are left out"),
  samples: z
    .array(z.looseObject({ effect: z.string(), id: z.string().nullable() }))
    .describe(`The first ${limits.bulkUpdate.samples}: fields with their values before and after`),
  leftOut: z.int().describe("How many others samples leaves out"),
});

export const tokenInput = z.string().optional().describe("Of the dry run. Send nothing beside it");

/** The answer of a tool that changes something: of its dry run, or of doing it. */
export const Answer = z.object({
  done: z.boolean().describe("Whether the change was begun. False for a dry run"),
  next: z.string().describe("What to do now"),
  difference: ShownDifference.optional().describe("Of a dry run"),
  names: z
    .record(z.string(), z.string())
    .optional()
    .describe("Of folders and templates in the samples, by id"),
  token: z.string().optional().describe(`Makes the change, once, within ${limits.proposals.minutes} minutes`),
  confirmAt: z.string().optional().describe("The page on which a person confirms the change"),
  proposalId: z.string().optional().describe("Pass it to job as id to see whether a person has confirmed"),
  expiresAt: z.string().optional(),
  jobId: z.string().optional().describe("The job that makes the change. Pass it to undo or job as id"),
  entryId: z.string().optional().describe("The entry of the history. Pass it to undo as id"),
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
  const shown = { done: false, difference, names: await namesIn(deps, caller, difference), expiresAt };
  if (token !== null) return { ...shown, next: "Call this tool with only the token to do it.", token };
  const confirmAt = `${deps.settings.appOrigin}/dashboard/changes/${id}`;
  return {
    ...{ ...shown, confirmAt, proposalId: id },
    next: "Give this address to a person who may make the change. It is made once they confirm it there.",
  };
}

/** Returns the names of folders and templates in the samples of a difference, by id; undefined if there are none. */
async function namesIn(
  deps: Deps,
  caller: Caller,
  { samples }: Difference,
): Promise<Record<string, string> | undefined> {
  const values = samples.flatMap(({ fields }) => fields);
  const idsIn = (wanted: string) => [
    ...new Set(
      values
        .filter(({ field }) => field === wanted)
        .flatMap(({ before, after }) => [before, after])
        .filter((id) => typeof id === "string"),
    ),
  ];
  const [folderIds, templateIds] = [idsIn("folderId"), idsIn("templateId")];
  const [folders, { templates }] = await Promise.all([
    folderIds.length === 0 ? [] : findFolders(deps, caller, folderIds),
    templateIds.length === 0 ? { templates: [] } : listTemplates(deps, caller),
  ]);
  const named = [...folders, ...templates.filter(({ id }) => templateIds.includes(id))];
  return named.length === 0 ? undefined : Object.fromEntries(named.map(({ id, name }) => [id, name]));
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
    "Undoes a job, or one entry of the history, as far as nobody has changed the same things since. Call it with the id first: nothing happens yet, and the answer has the difference and a token. Then call it with only the token.",
  scopes: ["qr:write", "pages:write", "templates:write"],
  effect: "changes",
  input: z.strictObject({
    id: idOf("a job or an entry of the history")
      .optional()
      .describe("Of a job, or of an entry of the history"),
    token: tokenInput,
  }),
  output: Answer,
  run: (call, { id, token }) =>
    proposed(call, token, ["undoJob", "undoEntry"], async () => {
      const { deps, caller } = call;
      if (id === undefined) throw invalid("id", "or token is required");
      const mayUndoJob = holdsScope(caller, "qr:write");
      const job = mayUndoJob ? await ifFound(examineJobUndo(deps, caller, id)) : undefined;
      if (job !== undefined) return job;
      // A key that can't read the history knows jobs alone.
      if (mayUndoJob && !holdsScope(caller, "history:read")) throw notFound("Job");
      requireScope(caller, "history:read");
      return examineEntryUndo(deps, caller, id);
    }),
});

export const changeTools = [undo];
