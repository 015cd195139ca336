import { limits } from "../../contract/limits.ts";
import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { CodeSelection } from "../../contract/resources/images/prints.ts";
import { listItems } from "../../store/bulk/jobs.ts";
import {
  countSelected,
  hasUnreadable,
  isUnreadableSelected,
  listSelected,
  listSelectedNames,
  type NamedCode,
} from "../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { requireFinishedJob } from "../bulk/jobs.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound } from "../errors.ts";

/** A limit on codes. */
interface Most {
  readonly codes: number;
  /** Such as "a print". */
  readonly in: string;
  /** A sentence that says what to do about more. */
  readonly remedy: string;
}

/** Reads at most a number of a selection's codes. */
type Reader<Code> = (
  db: D1Database,
  workspaceId: string,
  selection: BulkSelection,
  limit: number,
) => Promise<Code[]>;

/**
 * Returns the codes to print immediately, newest first for a filter.
 * @throws not_found if an id has no code; invalid_input for none, or too many
 */
export const selectCodes = (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  most: Most,
): Promise<QrRow[]> => select(deps, context, selection, most, listSelected);

/** Returns the codes of a print job, with their names. @throws like selectCodes */
export const selectNames = (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
): Promise<NamedCode[]> => {
  const { codes } = limits.printJob;
  const most = { codes, in: "a print job", remedy: "Start several jobs." };
  return select(deps, context, selection, most, listSelectedNames);
};

/** Counts the codes that a print job would have. @throws like selectCodes */
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

/** Returns whether phones can't read the design of some of the codes. @throws like selectCodes */
export async function someUnreadable(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
): Promise<boolean> {
  const { workspaceId } = context;
  if (!(await hasUnreadable(deps.db, workspaceId))) return false;
  const { jobId, ids, filter } = selection;
  if (jobId === undefined) return isUnreadableSelected(deps.db, workspaceId, { ids, filter });
  const { codes } = limits.printJob;
  return isUnreadableSelected(deps.db, workspaceId, await codesOfJob(deps, context, jobId, codes));
}

/** Returns the first existing codes of a selection. @throws not_found, invalid_input for an unfinished bulk job */
export async function selectFirst(
  deps: Deps,
  context: WorkspaceContext,
  { jobId, ids, filter }: CodeSelection,
  count: number,
): Promise<QrRow[]> {
  const selection = jobId === undefined ? { ids, filter } : await codesOfJob(deps, context, jobId, count);
  return listSelected(deps.db, context.workspaceId, selection, count);
}

/** Returns the first existing codes of a selection as resources. @throws like selectFirst */
export const listFirst = async (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  count: number,
): Promise<Qr[]> =>
  (await selectFirst(deps, context, selection, count)).map((row) => presentQr(row, deps.settings.scanOrigin));

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

/** Returns the first codes that a completed bulk job has created or changed. @throws like requireFinishedJob */
async function codesOfJob(deps: Deps, context: WorkspaceContext, jobId: string, count: number) {
  await requireFinishedJob(deps, context, jobId);
  const items = await listItems(deps.db, context.workspaceId, jobId, -1, count, "succeeded");
  return { ids: items.flatMap(({ createdQrId, qrId }) => createdQrId ?? qrId ?? []) };
}
