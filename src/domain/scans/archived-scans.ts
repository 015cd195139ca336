import { unknownRule } from "../../lib/text/bot-rules.ts";
import { idsFrom, idToHex, timeOfId } from "../../lib/text/ids.ts";
import { scanColumns, scanLines } from "../../lib/text/scan-lines.ts";
import type { ArchivedScan, ArchiveFile } from "../../protocol/archives.ts";
import type { ExportRequest, ExportSources } from "../../protocol/workspace-ledger.ts";
import { openArchive } from "../../store/archives.ts";

/** A line of an export. */
export interface ExportLine {
  /** The scan's id: 32 hex digits. */
  readonly digits: string;
  readonly text: string;
}

/** A file could not be read to its end: it was deleted after being listed, or R2 failed. */
export class ArchiveUnreadable extends Error {}

/** Which scans to read, and their format. */
export type ArchivedRange = Pick<
  ExportRequest,
  "qrId" | "format" | "from" | "until" | "after" | "via" | "kind"
>;

/** The files to read, and which of their scans are erased. */
export type ArchiveSources = Pick<ExportSources, "files" | "erased">;

/** The offset of the id in a line. */
const idStart = '{"id":"'.length;
const idEnd = idStart + 36;

/**
 * Reads the scans of several files, whose times may overlap, as one list, oldest first. A file is opened when the list
 * reaches its first scan, and held in memory piece by piece.
 */
export class ArchivedScans {
  readonly #bucket: R2Bucket | undefined;
  readonly #waiting: ArchiveFile[];
  readonly #range: ArchivedRange;
  readonly #open = new Set<FileReader>();
  /** By code id, the scan id below which scans are erased. */
  readonly #keptFrom: ReadonlyMap<string, string>;
  #next: ExportLine | null | undefined;

  /** @param bucket needed if there are files @param sources the files, ordered by first scan */
  constructor(bucket: R2Bucket | undefined, { files, erased }: ArchiveSources, range: ArchivedRange) {
    this.#bucket = bucket;
    this.#waiting = [...files];
    this.#range = range;
    this.#keptFrom = new Map(erased.map(({ qrId, before }) => [qrId, before]));
  }

  /** Returns the next line without consuming it; null at the end. @throws ArchiveUnreadable */
  async peek(): Promise<ExportLine | null> {
    if (this.#next === undefined) this.#next = await this.#read();
    return this.#next;
  }

  /** Consumes the line that `peek` returned. */
  take(): void {
    this.#next = undefined;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((file) => file.close()));
    this.#open.clear();
  }

  async #read(): Promise<ExportLine | null> {
    const { qrId, from, until, after, kind = "human" } = this.#range;
    const first = idsFrom(from);
    const end = idsFrom(until);
    for (;;) {
      const file = await this.#lowest();
      if (file === undefined) return null;
      const line = file.line ?? "";
      const { digits } = file;
      await this.#advance(file);
      if (digits >= end) return null;
      if (digits < first || (after !== null && digits <= after)) continue;
      const scan = JSON.parse(line) as ArchivedScan;
      if (kind !== "all" && scan.bot !== (kind === "bot")) continue;
      if (qrId !== null && scan.qrId !== qrId) continue;
      if (digits < (this.#keptFrom.get(scan.qrId) ?? "")) continue;
      return { digits, text: renderScan(scan, this.#range) };
    }
  }

  /** Returns the open file with the lowest id. */
  async #lowest(): Promise<FileReader | undefined> {
    for (;;) {
      let lowest: FileReader | undefined;
      for (const file of this.#open) if (lowest === undefined || file.digits < lowest.digits) lowest = file;
      const [waiting] = this.#waiting;
      if (waiting === undefined || (lowest !== undefined && lowest.digits < waiting.first)) return lowest;
      this.#waiting.shift();
      const file = new FileReader(await this.#openFile(waiting));
      this.#open.add(file);
      await this.#advance(file);
    }
  }

  async #openFile(file: ArchiveFile): Promise<AsyncGenerator<string[]>> {
    if (this.#bucket === undefined) throw new Error("no bucket is bound");
    const lines = await readable(openArchive(this.#bucket, file));
    if (lines === null) throw new ArchiveUnreadable(`the file ${file.key} is missing`);
    return lines;
  }

  async #advance(file: FileReader): Promise<void> {
    if (!(await readable(file.next()))) this.#open.delete(file);
  }
}

/** @throws ArchiveUnreadable in place of any other error */
async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new ArchiveUnreadable("a file of archived scans could not be read", { cause });
  }
}

/** Reads a file line by line. */
class FileReader {
  readonly #pieces: AsyncGenerator<string[]>;
  #lines: string[] = [];
  #index = -1;
  digits = "";

  constructor(pieces: AsyncGenerator<string[]>) {
    this.#pieces = pieces;
  }

  /** The current line. */
  get line(): string | undefined {
    return this.#lines[this.#index];
  }

  /** Moves to the next line. @returns whether there is one */
  async next(): Promise<boolean> {
    this.#index += 1;
    while (this.#index >= this.#lines.length) {
      const { value, done } = await this.#pieces.next();
      if (done === true) return false;
      this.#lines = value;
      this.#index = 0;
    }
    this.digits = idToHex(this.line?.slice(idStart, idEnd) ?? "");
    return true;
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
  }
}

function renderScan(scan: ArchivedScan, { format, via, kind = "human" }: ArchivedRange): string {
  const { fragment, line } = scanLines[format];
  const part = (columns: readonly (keyof ArchivedScan)[]) =>
    fragment(
      columns,
      columns.map((column) => (scan[column] ?? null) as string | null),
    );
  const at = new Date(timeOfId(scan.id)).toISOString();
  return line(
    scan.id,
    part(scanColumns.code),
    at,
    part(scanColumns.place),
    part(scanColumns.agent),
    via === true ? part(scanColumns.via) : null,
    kind === "human"
      ? null
      : fragment(scanColumns.botRule, [scan.bot ? (scan.botRule ?? unknownRule) : null]),
  );
}
