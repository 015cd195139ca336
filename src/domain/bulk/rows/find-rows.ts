import type { CodeColumn } from "../../../contract/resources/codes/qr-fields.ts";
import { damageOf } from "../../../lib/text/spreadsheets.ts";
import type { StagedChange } from "../../../store/bulk/staging.ts";
import { findNamedCodes, type NamedCode, type NamedCodes } from "../../../store/codes/named.ts";
import { findHashesOf } from "../../codes/filter.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { yieldToOtherRequests } from "../../yielding.ts";
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
    await yieldToOtherRequests(deps);
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
  const named = codesOf(names, at, codes);
  const missing = named.find((each) => each.code === undefined);
  if (missing !== undefined) return fail(missing.column, notFoundBy(missing.name));
  const [code] = named.flatMap((each) => each.code ?? []);
  if (code === undefined) return fail("", codeNotFound);
  if (named.some((each) => each.code?.id !== code.id)) return fail("", "The row names two QR codes.");
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

/** Said of a code that a job was to change: it doesn't exist, is deleted, or belongs to another workspace. */
export const codeNotFound = "QR code not found. It was deleted, or belongs to another workspace.";

/** The same of a name that finds none, as words that follow its column's. */
const notFoundBy = (name: string): string =>
  `finds no QR code. ${damageOf(name) || "It was deleted, belongs to another workspace, or never existed."}`;

/** A code that a row names, if there is one. */
interface Named {
  readonly column: CodeColumn;
  readonly name: string;
  readonly code: NamedCode | undefined;
}

/** Returns what a row's names find. @param at the hash of its short link */
function codesOf(
  { id, hashes, externalId }: CodeNames,
  at: string | undefined,
  { byId, byHash, byOwnId }: NamedCodes,
): Named[] {
  return [
    ...(id === undefined ? [] : [{ column: "id" as const, name: id, code: byId.get(id) }]),
    ...hashes.map((name) => ({ column: "hash" as const, name, code: byHash.get(name) })),
    ...(at === undefined ? [] : [{ column: "scanUrl" as const, name: at, code: byHash.get(at) }]),
    ...(externalId === undefined
      ? []
      : [{ column: "externalId" as const, name: externalId, code: byOwnId.get(externalId) }]),
  ];
}
