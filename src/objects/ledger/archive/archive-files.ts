import { describeError, log } from "../../../lib/log.ts";
import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import { gunzipLines, gzipLines } from "../../../lib/web/gzip-lines.ts";
import { runtimeTimers, withTimeout } from "../../../lib/with-timeout.ts";
import type { ArchivedScan, ArchiveFile, ArchiveSummary } from "../../../protocol/archives.ts";
import { LedgerPart } from "../part.ts";
import { isoTime, isoTimeOrNull } from "../times.ts";

const hour = 60 * 60 * 1000;
/** Timeout for storing or deleting files in R2. */
const timeoutMilliseconds = 60_000;

const inTime = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(runtimeTimers, timeoutMilliseconds, () => work);

/** How many files are deleted at a time. R2 accepts 1,000 per call. */
const deletedFiles = 500;

/** Storage keys: the number of changes of the file list; since when R2 has failed and when it is retried. */
const versionKey = "archives_version";
const failureKey = "archives_failure";

interface Failure {
  readonly since: number;
  readonly retryAt: number;
}

/** A file with its number. Later files have higher numbers. */
export interface NumberedFile extends ArchiveFile {
  readonly number: number;
}

/** A new file to record. */
export interface NewFile extends NumberedFile {
  readonly scans: number;
  readonly botScans: number;
  readonly bytes: number;
}

/** The files of raw scans in R2, and the list of them. */
export class LedgerArchiveFiles extends LedgerPart<{
  kv: SyncKvStorage;
  sql: SqlStorage;
  storage: DurableObjectStorage;
  bucket: () => R2Bucket | undefined;
  workspaceId: string;
}> {
  /** Increases with every change of the list. The next file's number is one higher. */
  get version(): number {
    return this.parts.kv.get<number>(versionKey) ?? 0;
  }

  /** When R2 may be retried after a failure, epoch milliseconds; 0 for now. */
  get retryAt(): number {
    return this.#failure?.retryAt ?? 0;
  }

  get summary(): ArchiveSummary {
    const sums = this.parts.sql
      .exec<{ files: number; scans: number; bytes: number }>(
        "SELECT count(*) AS files, coalesce(sum(scans), 0) AS scans, coalesce(sum(bytes), 0) AS bytes FROM archives",
      )
      .one();
    return { ...sums, failingSince: isoTimeOrNull(this.#failure?.since ?? null) };
  }

  /** Whether there is a bucket. Without one, scans stay in the ledger. */
  get isPossible(): boolean {
    return this.parts.bucket() !== undefined;
  }

  get #bucket(): R2Bucket {
    const bucket = this.parts.bucket();
    if (bucket === undefined) throw new Error("no bucket is bound");
    return bucket;
  }

  get #failure(): Failure | undefined {
    return this.parts.kv.get<Failure>(failureKey);
  }

  /**
   * Returns the files with scans in a range of ids, ordered by first scan. @param from 32 hex digits @param before
   * exclusive
   */
  overlapping(from: string, before: string): NumberedFile[] {
    return this.#select("last_id >= unhex(?) AND first_id < unhex(?) ORDER BY first_id", from, before);
  }

  /** Returns the first file after a number that has scans with this id or later. */
  next(after: number, from: string): NumberedFile | undefined {
    return this.#select("number > ? AND last_id >= unhex(?) ORDER BY number LIMIT 1", after, from)[0];
  }

  /** The time of the last scan in the file that ends first; null if there are no files. */
  get earliestEnd(): number | null {
    return this.#end("min");
  }

  /** The time after the last scan in any file; 0 if there are no files. */
  get latestEnd(): number {
    const end = this.#end("max");
    return end === null ? 0 : end + 1;
  }

  /** The first file that an erasure has not processed. */
  get toErase(): NumberedFile | undefined {
    return this.#select(
      `EXISTS (SELECT 1 FROM erasures WHERE number > files_after AND number <= files_until)
       ORDER BY number LIMIT 1`,
    )[0];
  }

  #end(which: "min" | "max"): number | null {
    const { digits } = this.parts.sql
      .exec<{ digits: string }>(`SELECT hex(${which}(last_id)) AS digits FROM archives`)
      .one();
    return digits === "" ? null : timeOfId(digits);
  }

  #select(where: string, ...values: (string | number)[]): NumberedFile[] {
    return this.parts.sql
      .exec<{ number: number; key: string; first: string; last: string }>(
        `SELECT number, key, lower(hex(first_id)) AS first, lower(hex(last_id)) AS last FROM archives WHERE ${where}`,
        ...values,
      )
      .toArray();
  }

  /** Adds a written file to the list. Call it in a transaction. */
  add({ number, key, first, last, scans, botScans, bytes }: NewFile): void {
    this.parts.sql.exec(
      `INSERT INTO archives (number, key, first_id, last_id, scans, bot_scans, bytes)
       VALUES (?, ?, unhex(?), unhex(?), ?, ?, ?)`,
      number,
      key,
      first,
      last,
      scans,
      botScans,
      bytes,
    );
    this.parts.kv.put(versionKey, number);
  }

  /** Replaces a file in the list with a written one, or removes it. Call it in a transaction. */
  replace(number: number, file: NewFile | null): void {
    this.parts.sql.exec("DELETE FROM archives WHERE number = ?", number);
    if (file === null) this.bumpVersion();
    else this.add(file);
  }

  /** Makes exports reread the list. */
  bumpVersion(): void {
    this.parts.kv.put(versionKey, this.version + 1);
  }

  /** Returns the key of a new file. @param month its start, epoch milliseconds */
  keyOf(month: number, number: number): string {
    const name = `${isoTime(month).slice(0, 7)}/${String(number).padStart(6, "0")}`;
    return `archives/${this.parts.workspaceId}/${name}.ndjson.gz`;
  }

  /** Writes a file. @returns its size in bytes */
  async write(key: string, lines: readonly string[]): Promise<number> {
    const bytes = await gzipLines(lines);
    await inTime(this.#bucket.put(key, bytes));
    return bytes.length;
  }

  /** Deletes a file that is not in the list. */
  async discard(key: string): Promise<void> {
    await inTime(this.#bucket.delete(key));
  }

  /** Reads a file's scans. @param size how many to yield at a time @throws if the file is missing */
  async *read(key: string, size: number): AsyncGenerator<ArchivedScan[]> {
    const object = await inTime(this.#bucket.get(key));
    if (object === null) throw new Error(`the file ${key} is missing`);
    let scans: ArchivedScan[] = [];
    for await (const lines of gunzipLines(object.body)) {
      for (const line of lines) {
        scans.push(JSON.parse(line) as ArchivedScan);
        if (scans.length < size) continue;
        yield scans;
        scans = [];
      }
    }
    if (scans.length > 0) yield scans;
  }

  /**
   * Deletes some of the files whose scans are all older than a time: first the files, then their entries in the list.
   */
  async deleteBefore(time: number): Promise<void> {
    const files = this.#select("last_id < unhex(?) ORDER BY last_id LIMIT ?", idsFrom(time), deletedFiles);
    if (files.length === 0) return;
    await inTime(this.#bucket.delete(files.map(({ key }) => key)));
    this.parts.storage.transactionSync(() => {
      this.parts.sql.exec(
        "DELETE FROM archives WHERE number IN (SELECT value FROM json_each(?))",
        JSON.stringify(files.map(({ number }) => number)),
      );
      this.bumpVersion();
    });
  }

  /**
   * Runs an operation on R2. A failure is logged, and `retryAt` is set to an hour later. @param now epoch milliseconds
   */
  async attempt(now: number, work: () => Promise<void>): Promise<void> {
    const failure = this.#failure;
    try {
      await work();
      if (failure !== undefined) this.parts.kv.delete(failureKey);
    } catch (error) {
      const since = failure?.since ?? now;
      this.parts.kv.put(failureKey, { since, retryAt: now + hour } satisfies Failure);
      log("error", "scans not archived", {
        workspaceId: this.parts.workspaceId,
        error: describeError(error),
      });
    }
  }
}
