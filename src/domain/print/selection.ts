import type { CodeSelection } from "../../contract/resources/prints.ts";
import { listItems } from "../../store/bulk/jobs.ts";
import { countSelected, listSelected } from "../../store/bulk/selection.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { requireFinishedJob } from "../bulk/jobs.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

/**
 * The codes that are meant: those of a filter newest first.
 * @param most codes, and what has them at most, such as "a print"
 * @throws not_found for an id that no code has; invalid_input for none, or too many
 */
export async function selectCodes(
  deps: Deps,
  context: WorkspaceContext,
  { ids, filter, jobId }: CodeSelection,
  most: { readonly codes: number; readonly in: string },
): Promise<QrRow[]> {
  const { workspaceId } = context;
  const tooMany = (field: string, count: string) =>
    invalid(field, `has ${count} QR codes, but ${most.in} can have at most ${most.codes}`);
  if (ids !== undefined) {
    const rows = await listSelected(deps.db, workspaceId, { ids }, ids.length);
    if (rows.length < ids.length) throw notFound("QR code");
    return rows;
  }
  if (jobId !== undefined) {
    await requireFinishedJob(deps, context, jobId);
    const items = await listItems(deps.db, workspaceId, jobId, -1, most.codes + 1, "succeeded");
    if (items.length > most.codes) throw tooMany("jobId", `more than ${most.codes}`);
    const made = items.flatMap(({ createdQrId, qrId }) => createdQrId ?? qrId ?? []);
    const rows = await listSelected(deps.db, workspaceId, { ids: made }, made.length);
    if (rows.length === 0) throw invalid("jobId", "has no QR codes that still exist");
    return rows;
  }
  const rows = await listSelected(deps.db, workspaceId, { filter: filter ?? {} }, most.codes + 1);
  if (rows.length > most.codes) {
    const count = await countSelected(deps.db, workspaceId, { filter: filter ?? {} });
    throw tooMany("filter", String(count));
  }
  if (rows.length === 0) throw invalid("filter", "matches no QR codes");
  return rows;
}
