import { foldHash, newHash } from "../../../lib/text/hash.ts";
import type { StagedCode } from "../../../store/bulk/staging.ts";
import { listTakenHashes } from "../../../store/codes/codes.ts";
import { givenValues, type QrRow } from "../../../store/codes/columns.ts";
import { aliasOfEarlierRow, trackAliases } from "../../codes/addresses.ts";
import { hashTakenError } from "../../codes/codes.ts";
import { newCode } from "../../codes/edits.ts";
import { type CodeReferences, loadReferences } from "../../codes/references.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { jsonLength, yielding } from "../../yielding.ts";
import { columnForPath, rowError } from "./cells.ts";
import type { BulkRow, RowFailure } from "./row.ts";

/** For how many rows is looked up at once what they refer to. */
const lookedUpAtOnce = 500;

/** Checks rows by the workspace's rules, and assigns ids and hashes to new codes. Stores nothing. */
export async function stageRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly BulkRow[],
): Promise<(StagedCode | RowFailure)[]> {
  // Hashes are compared in folded form, so that no two look alike.
  const chosenBy = (row: BulkRow) =>
    "input" in row && row.input.hash !== undefined ? [foldHash(row.input.hash)] : [];
  const chosen = new Set(rows.flatMap(chosenBy));
  const ofEarlierRows = new Set<string>();
  const requireFree = (folded: string, taken: ReadonlySet<string>) => {
    if (ofEarlierRows.has(folded)) throw invalid("hash", "is used in another row, or one that looks like it");
    if (taken.has(folded)) throw hashTakenError();
  };
  const isTaken = trackAliases();
  const ownIds = new Set<string>();
  const requireFreeId = (externalId: string | null) => {
    if (externalId === null) return;
    if (ownIds.has(externalId)) throw invalid("externalId", "is used in an earlier row");
    ownIds.add(externalId);
  };
  const stageRow = async (
    row: BulkRow,
    references: CodeReferences,
    taken: ReadonlySet<string>,
  ): Promise<StagedCode | RowFailure> => {
    if ("error" in row) return row;
    try {
      const isChosen = row.input.hash !== undefined;
      const created = await newCode(deps, context, row.input, references);
      const code = stagedCode(created, isChosen, row.line);
      if (isChosen) requireFree(foldHash(code.hash), taken);
      requireFreeId(created.externalId);
      if (isTaken(created)) throw aliasOfEarlierRow();
      // Equal hashes among 10,000 are rare, but would make their slice fail.
      while (!isChosen && (ofEarlierRows.has(code.hash) || chosen.has(code.hash))) {
        code.hash = code.hashFolded = newHash();
      }
      ofEarlierRows.add(foldHash(code.hash));
      return code;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return {
        error: rowError(error, row.cells !== undefined),
        problems: problemsOf(error),
        ...(row.line !== undefined && { line: row.line }),
        ...(row.cells && { cells: row.cells }),
      };
    }
  };
  const items: (StagedCode | RowFailure)[] = [];
  for (let from = 0; from < rows.length; from += lookedUpAtOnce) {
    const some = rows.slice(from, from + lookedUpAtOnce);
    const given = some.flatMap((row) => ("input" in row ? { before: null, values: row.input } : []));
    const references = await loadReferences(deps, context, given);
    const taken = await listTakenHashes(deps.db, some.flatMap(chosenBy));
    for await (const row of yielding(deps, some, jsonLength))
      items.push(await stageRow(row, references, taken));
  }
  return items;
}

/** Returns the problems of a row, by column. */
const problemsOf = ({ invalid: wrong, message }: ServiceError): RowFailure["problems"] =>
  wrong === undefined ? { "": message } : { [columnForPath(wrong.field.split("."))]: wrong.problem };

/** Returns the item values of a new code. */
const stagedCode = (row: QrRow, isChosen: boolean, line: number | undefined): StagedCode => ({
  ...givenValues(row),
  ...(isChosen && { chosenShortName: true as const }),
  ...(line !== undefined && { line }),
});
