import { findNamedCodes, type NamedCodes } from "../../../store/codes/named.ts";
import type { StagedChange } from "../../../store/bulk/staging.ts";
import type { CodeColumn } from "../../../contract/resources/codes/qr-fields.ts";
import { findHashesOf } from "../../codes/filter.ts";
import type { Deps } from "../../deps.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import { takeTurns } from "../../turns.ts";
import { type ChangeRow, type CodeNames, type NamedChange, type RowFailure, rowFailure } from "./row.ts";

/** How many rows are looked up at once. */
const rowsAtATime = 1000;

/** A row whose code is found, or why it fails. */
export type FoundRow = (StagedChange & Pick<NamedChange, "change">) | RowFailure;

/**
 * Finds the codes that rows name. A row fails if it finds none, names two, or names one that an earlier row names.
 * @param force whether codes may have changed since the row was written
 */
export async function findRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly ChangeRow[],
  force: boolean,
): Promise<FoundRow[]> {
  const found: FoundRow[] = [];
  const seen = new Set<string>();
  for (let from = 0; from < rows.length; from += rowsAtATime) {
    const some = rows.slice(from, from + rowsAtATime);
    const names = some.flatMap((row) => ("names" in row ? [row.names] : []));
    const byAddress = await findHashesOf(
      deps,
      context,
      names.flatMap(({ at }) => at ?? []),
    );
    const codes = await findNamedCodes(deps.db, context.workspaceId, {
      ids: names.flatMap(({ id }) => id ?? []),
      hashes: [...names.flatMap(({ hashes }) => hashes), ...byAddress.values()],
      externalIds: names.flatMap(({ externalId }) => externalId ?? []),
    });
    for (const row of some) found.push("names" in row ? findRow(row, codes, byAddress, seen, force) : row);
    await takeTurns(deps);
  }
  return found;
}

function findRow(
  row: NamedChange,
  codes: NamedCodes,
  byAddress: ReadonlyMap<string, string>,
  seen: Set<string>,
  force: boolean,
): FoundRow {
  const { names, change, empty, since, line, cells } = row;
  const place = { ...(line !== undefined && { line }), ...(cells && { cells }) };
  const fail = (column: CodeColumn | "", problem: string, isFound?: true) =>
    rowFailure(column, problem, { ...(isFound && { isFound }), ...place });
  const at = names.at === undefined ? undefined : byAddress.get(names.at);
  if (names.at !== undefined && at === undefined) {
    return fail("scanUrl", "isn't a short link of this service, or at a domain of this workspace");
  }
  const named = codesOf(at === undefined ? names : { ...names, hashes: [...names.hashes, at] }, codes);
  const [code] = named;
  if (code === undefined || named.includes(undefined)) return fail("", rowNotFound);
  if (named.some((each) => each?.id !== code.id)) return fail("", "The row names two QR codes.");
  if (seen.has(code.id)) return fail("", "An earlier row names the same QR code.", true);
  seen.add(code.id);
  const isUrl = code.qrType === "url";
  if (cells?.url && change.data?.type === "url" && !isUrl) {
    return fail("url", `can't be set, since the code isn't a link. Its type is ${code.qrType}.`, true);
  }
  // A link needs its address; any other code its data, where there is a column for it.
  if (empty.includes(isUrl ? "url" : "data")) return fail(isUrl ? "url" : "data", "can't be empty", true);
  return { qrId: code.id, change, ...(since !== undefined && !force && { since }), ...place };
}

/** Said of a row whose code doesn't exist, is deleted, or belongs to another workspace. */
export const rowNotFound = "No QR code has this name. It was deleted, or belongs to another workspace.";

/** Returns the codes that a row's names find; undefined for a name that finds none. */
function codesOf({ id, hashes, externalId }: CodeNames, { byId, byHash, byOwnId }: NamedCodes) {
  return [
    ...(id === undefined ? [] : [byId.get(id)]),
    ...hashes.map((hash) => byHash.get(hash)),
    ...(externalId === undefined ? [] : [byOwnId.get(externalId)]),
  ];
}
