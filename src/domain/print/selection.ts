import { limits } from "../../contract/limits.ts";
import type { BulkSelection } from "../../contract/resources/bulk-update.ts";
import type { CodeSelection } from "../../contract/resources/prints.ts";
import { listItems } from "../../store/bulk/jobs.ts";
import {
  countSelected,
  listSelected,
  listSelectedNames,
  type NamedCode,
} from "../../store/bulk/selection.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { requireFinishedJob } from "../bulk/jobs.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

/** What may have only so many codes. */
interface Most {
  readonly codes: number;
  /** Such as "a print". */
  readonly in: string;
  /** What to do about more, as a sentence. */
  readonly remedy: string;
}

/** Reads codes of a selection of the workspace, at most so many. */
type Reader<Code> = (
  db: D1Database,
  workspaceId: string,
  selection: BulkSelection,
  limit: number,
) => Promise<Code[]>;

/**
 * The codes to print at once: those of a filter newest first.
 * @throws not_found for an id that no code has; invalid_input for none, or too many
 */
export const selectCodes = (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  most: Most,
): Promise<QrRow[]> => select(deps, context, selection, most, listSelected);

/** The codes of a print job, by their names. @throws as selectCodes */
export const selectNames = (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
): Promise<NamedCode[]> => {
  const { codes } = limits.printJob;
  const most = { codes, in: "a print job", remedy: "Start several jobs." };
  return select(deps, context, selection, most, listSelectedNames);
};

/** How many codes a print job would have. @throws as selectCodes */
export async function countCodes(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
): Promise<number> {
  const { workspaceId } = context;
  const { jobId, ids, filter } = selection;
  if (jobId === undefined) return countSelected(deps.db, workspaceId, { ids, filter });
  return (await selectNames(deps, context, selection)).length;
}

/** The first codes of a selection, of those that still exist. @throws not_found, invalid_input for an unfinished bulk job */
export async function selectFirst(
  deps: Deps,
  context: WorkspaceContext,
  { jobId, ids, filter }: CodeSelection,
  count: number,
): Promise<QrRow[]> {
  const selection = jobId === undefined ? { ids, filter } : await codesOfJob(deps, context, jobId, count);
  return listSelected(deps.db, context.workspaceId, selection, count);
}

async function select<Code>(
  deps: Deps,
  context: WorkspaceContext,
  { ids, filter, jobId }: CodeSelection,
  most: Most,
  read: Reader<Code>,
): Promise<Code[]> {
  const { workspaceId } = context;
  const tooMany = (field: string, count: string) =>
    invalid(field, `has ${count} QR codes, but ${most.in} can have at most ${most.codes}. ${most.remedy}`);
  if (ids !== undefined) {
    const codes = await read(deps.db, workspaceId, { ids }, ids.length);
    if (codes.length < ids.length) throw notFound("QR code");
    return codes;
  }
  if (jobId !== undefined) {
    const made = await codesOfJob(deps, context, jobId, most.codes + 1);
    if (made.ids.length > most.codes) throw tooMany("jobId", `more than ${most.codes}`);
    const codes = await read(deps.db, workspaceId, made, made.ids.length);
    if (codes.length === 0) throw invalid("jobId", "has no QR codes that still exist");
    return codes;
  }
  const codes = await read(deps.db, workspaceId, { filter: filter ?? {} }, most.codes + 1);
  if (codes.length > most.codes) {
    const count = await countSelected(deps.db, workspaceId, { filter: filter ?? {} });
    throw tooMany("filter", String(count));
  }
  if (codes.length === 0) throw invalid("filter", "matches no QR codes");
  return codes;
}

/** The first codes that a completed bulk job has created or changed. @throws as requireFinishedJob */
async function codesOfJob(deps: Deps, context: WorkspaceContext, jobId: string, count: number) {
  await requireFinishedJob(deps, context, jobId);
  const items = await listItems(deps.db, context.workspaceId, jobId, -1, count, "succeeded");
  return { ids: items.flatMap(({ createdQrId, qrId }) => createdQrId ?? qrId ?? []) };
}
