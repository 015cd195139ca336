import type { BackupKey } from "../../src/protocol/backup.ts";
import type { Door } from "./door.ts";
import type { BackupFolder, Manifest } from "./folder.ts";
import { compareKeys, type FileRow, footOf, rowsInAnswer, rowsOf } from "./sections.ts";

/** How many differences are named. */
const named = 20;

/**
 * Compares a backup with an installation, both read in the order of keys: every row of the catalogue and the ledgers, and
 * every file's digest.
 * @returns the first differences, in words
 */
export async function compareBackup(folder: BackupFolder, manifest: Manifest, door: Door): Promise<string[]> {
  const differences: string[] = [];
  const note = async (place: string, found: AsyncGenerator<string>) => {
    for await (const difference of found) {
      differences.push(`${place}${difference}`);
      if (differences.length === named) return;
    }
  };
  for (const { table, path } of manifest.catalogue) {
    await note(
      "",
      differencesOf(rowsOf(folder.pathOf(path)), [table], () => catalogueRows(door, table)),
    );
  }
  for (const { workspaceId, path } of manifest.ledgers) {
    const { tables } = await door.beginLedger(workspaceId, manifest.id, false);
    const rows = (table: string) =>
      ledgerRows(door, {
        workspaceId,
        id: manifest.id,
        table,
        before: tables[tables.indexOf(table) + 1] ?? null,
      });
    await note(`ledger ${workspaceId}: `, differencesOf(rowsOf(folder.pathOf(path)), tables, rows));
    await door.endLedger(workspaceId, manifest.id);
  }
  return [...differences, ...(await missingFiles(manifest, door))].slice(0, named);
}

/** Compares rows of a file with those of an installation, table after table. */
async function* differencesOf(
  expected: AsyncGenerator<FileRow>,
  tables: readonly string[],
  rowsOfTable: (table: string) => AsyncGenerator<FileRow>,
): AsyncGenerator<string> {
  let row = await expected.next();
  for (const table of tables) {
    const found = rowsOfTable(table);
    let other = await found.next();
    for (;;) {
      const one = row.done === true || row.value.section.table !== table ? undefined : row.value;
      const two = other.done === true ? undefined : other.value;
      if (one === undefined && two === undefined) break;
      const order = one === undefined ? 1 : two === undefined ? -1 : orderOf(one, two);
      if (one !== undefined && order < 0) yield `${table} lacks ${JSON.stringify(one.key)}`;
      else if (two !== undefined && order > 0) yield `${table} has ${JSON.stringify(two.key)} besides`;
      else if (one !== undefined && two !== undefined) {
        const columns = differingColumns(one, two);
        if (columns.length > 0) yield `${table} ${JSON.stringify(one.key)} differs in ${columns.join(", ")}`;
      }
      if (order <= 0) row = await expected.next();
      if (order >= 0) other = await found.next();
    }
  }
  if (row.done !== true) yield `${row.value.section.table} isn't in the installation`;
}

/** Compares the keys of rows. Most rows are equal, and their keys needn't be read. */
const orderOf = (one: FileRow, other: FileRow): number =>
  one.line === other.line ? 0 : compareKeys(one.key, other.key);

/** Returns the columns whose values differ. The installation may have more. */
function differingColumns(one: FileRow, other: FileRow): string[] {
  const { columns } = one.section;
  if (one.line === other.line && columns.every((name, i) => name === other.section.columns[i])) return [];
  const [values, others] = [one, other].map(({ line }) => JSON.parse(line) as BackupKey);
  return columns.filter(
    (name, i) => (values?.[i] ?? null) !== (others?.[other.section.columns.indexOf(name)] ?? null),
  );
}

async function* catalogueRows(door: Door, table: string): AsyncGenerator<FileRow> {
  for (let after: BackupKey | null = null; ; ) {
    const answer = await door.catalogue(table, after);
    yield* rowsInAnswer(answer);
    after = footOf(answer).next ?? null;
    if (after === null) return;
  }
}

/** Reads a ledger's table. A page is requested while the one before it is compared. */
async function* ledgerRows(
  door: Door,
  { workspaceId, ...step }: { workspaceId: string; id: string; table: string; before: string | null },
): AsyncGenerator<FileRow> {
  const request = (after: BackupKey | null) => door.ledger(workspaceId, { step: "pages", after, ...step });
  let answer = await request(null);
  for (;;) {
    const { place } = footOf(answer);
    const next = place?.table === step.table ? request(place.after) : undefined;
    // If comparing ends here, nobody waits for the page.
    next?.catch(() => {});
    yield* rowsInAnswer(answer);
    if (next === undefined) return;
    answer = await next;
  }
}

async function missingFiles(manifest: Manifest, door: Door): Promise<string[]> {
  const expected = new Map(manifest.files.map(({ key, etag }) => [key, etag]));
  for (const prefix of new Set([...expected.keys()].map((key) => key.slice(0, key.indexOf("/") + 1)))) {
    for await (const { key, etag } of door.files(prefix)) {
      if (expected.get(key) === etag) expected.delete(key);
    }
  }
  return [...expected.keys()].map((key) => `the file ${key} is missing or differs`);
}
