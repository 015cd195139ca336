import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import type { BackupKey, StoredRows } from "../../src/protocol/backup.ts";
import { Failure } from "../lib/failure.ts";

const Key = z.array(z.union([z.string(), z.number(), z.null()]));

const Head = z.object({
  kind: z.enum(["rows", "changed", "removed"]),
  table: z.string(),
  columns: z.array(z.string()),
  key: z.array(z.number()),
  blobs: z.array(z.number()),
  count: z.number(),
});
const Values = z.object({ kind: z.literal("values"), values: z.record(z.string(), z.unknown()) });
const Foot = z.object({
  kind: z.literal("foot"),
  next: Key.nullable().optional(),
  place: z.object({ table: z.string(), after: Key.nullable() }).nullable().optional(),
  seq: z.number().optional(),
  complete: z.boolean().optional(),
});
export type Foot = z.infer<typeof Foot>;
const Line = z.discriminatedUnion("kind", [Head, Values, Foot]);

/** A part of a backup's file. Rows of a section are a page at most, so they fit into memory. */
export type Section =
  | (StoredRows & { readonly kind: "rows" | "changed" | "removed"; readonly count: number })
  | z.infer<typeof Values>
  | Foot;

/** Returns the foot of an answer, which is its last line. @throws Failure if the answer was cut off */
export function footOf(answer: string): Foot {
  const text = answer.slice(answer.lastIndexOf("\n", answer.length - 2) + 1);
  const foot = Foot.safeParse(parsed(text));
  if (foot.success) return foot.data;
  throw new Failure("An answer was cut off. Run the same command again.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a file's sections. @throws Failure if the file isn't one of a backup, or is cut off */
export async function* sectionsOf(file: string): AsyncGenerator<Section> {
  const damaged = () => new Failure(`${file} is damaged. Take the backup again in another folder.`);
  let head: z.infer<typeof Head> | undefined;
  let lines: string[] = [];
  const finished = (): Section[] => {
    if (head === undefined) return [];
    if (lines.length !== head.count) throw damaged();
    const section = { ...head, lines: lines.map((line) => `${line}\n`).join("") };
    [head, lines] = [undefined, []];
    return [section];
  };
  const raw = createReadStream(file);
  const unzipped = createGunzip();
  raw.on("error", (error) => unzipped.destroy(error));
  raw.pipe(unzipped);
  try {
    for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.startsWith("[")) {
        lines.push(line);
        continue;
      }
      yield* finished();
      const next = Line.safeParse(parsed(line));
      if (!next.success) throw damaged();
      if (next.data.kind === "values" || next.data.kind === "foot") yield next.data;
      else head = next.data;
    }
    yield* finished();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw damaged();
  } finally {
    raw.destroy();
  }
}

/** A row that was changed while its file was made, with its key. */
interface KeyedRow {
  readonly key: BackupKey;
  readonly line: string;
}

/** Returns the key of a row. */
const keyOf = (line: string, key: readonly number[]): BackupKey => {
  const values = JSON.parse(line) as BackupKey;
  return key.map((i) => values[i] ?? null);
};

/** Compares keys as SQLite orders them: numbers before text, text by its bytes. */
export function compareKeys(one: BackupKey, other: BackupKey): number {
  for (const [i, value] of one.entries()) {
    const order = compareValues(value, other[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(one: BackupKey[number], other: BackupKey[number]): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") {
    return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  const rank = (value: BackupKey[number]) => (value === null ? 0 : typeof value === "number" ? 1 : 2);
  return rank(one) - rank(other);
}

/** A row of a file or an answer. */
export class FileRow {
  /** The row as the file has it. */
  readonly line: string;
  /** Its table and columns. */
  readonly section: StoredRows;

  constructor(line: string, section: StoredRows) {
    this.line = line;
    this.section = section;
  }

  /** Reads the row's key. */
  get key(): BackupKey {
    return keyOf(this.line, this.section.key);
  }
}

/** Returns what was changed in each table while a file was made: the present row by its key as JSON, null for a removed one. */
async function changesIn(file: string): Promise<Map<string, Map<string, string | null>>> {
  const changes = new Map<string, Map<string, string | null>>();
  for await (const section of sectionsOf(file)) {
    if (section.kind !== "changed" && section.kind !== "removed") continue;
    const ofTable = changes.get(section.table) ?? new Map<string, string | null>();
    changes.set(section.table, ofTable);
    for (const line of linesOf(section)) {
      if (section.kind === "removed") ofTable.set(line, null);
      else ofTable.set(JSON.stringify(keyOf(line, section.key)), line);
    }
  }
  return changes;
}

/**
 * Reads the rows of a file's tables, table after table, each in the order of its key, as they were when the copy was complete.
 * Keeps only the keys in memory that were changed while the file was made.
 * @param only a table to read alone
 */
export async function* rowsOf(file: string, only?: string): AsyncGenerator<FileRow> {
  const changes = await changesIn(file);
  let section: StoredRows | undefined;
  let added: KeyedRow[] = [];
  for await (const next of sectionsOf(file)) {
    if (next.kind !== "rows" || (only !== undefined && next.table !== only)) continue;
    if (section?.table !== next.table) {
      if (section !== undefined) for (const { line } of added) yield new FileRow(line, section);
      section = { table: next.table, columns: next.columns, key: next.key, blobs: next.blobs, lines: "" };
      added = [...(changes.get(next.table) ?? [])]
        .flatMap(([key, line]) => (line === null ? [] : [{ key: JSON.parse(key) as BackupKey, line }]))
        .sort((one, other) => compareKeys(one.key, other.key));
    }
    const changed = changes.get(next.table);
    for (const line of linesOf(next)) {
      const row = new FileRow(line, section);
      if (changed !== undefined) {
        const { key } = row;
        for (let first = added[0]; first !== undefined && compareKeys(first.key, key) < 0; [first] = added) {
          added.shift();
          yield new FileRow(first.line, section);
        }
        if (changed.has(JSON.stringify(key))) continue;
      }
      yield row;
    }
  }
  if (section !== undefined) for (const { line } of added) yield new FileRow(line, section);
}

/** Reads the rows of an answer's pages. */
export function* rowsInAnswer(answer: string): Generator<FileRow> {
  let section: StoredRows | undefined;
  for (const line of answer.split("\n")) {
    if (line.startsWith("{")) {
      const head = Head.safeParse(parsed(line)).data;
      section = head && { ...head, lines: "" };
    } else if (section !== undefined && line !== "") yield new FileRow(line, section);
  }
}

/** Returns a section's lines. */
const linesOf = ({ lines }: Pick<StoredRows, "lines">): string[] =>
  lines === "" ? [] : lines.trimEnd().split("\n");

/** Returns a section of rows as files have it. */
export function sectionText({ table, columns, key, blobs }: StoredRows, lines: readonly string[]): string {
  const head = { kind: "rows", table, columns, key, blobs, count: lines.length };
  return [JSON.stringify(head), ...lines, ""].join("\n");
}
