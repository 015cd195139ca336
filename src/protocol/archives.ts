/** A raw scan in a file of archived scans: one line of JSON. Unknown values are null. */
export interface ArchivedScan {
  /** UUIDv7. First in the line. */
  readonly id: string;
  readonly qrId: string;
  readonly hash: string;
  readonly country: string | null;
  readonly city: string | null;
  readonly device: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly userAgent: string | null;
  readonly referrer: string | null;
  /** The address by which it came, other than the short link at the scan origin. */
  readonly via?: string;
  /** 16 hex digits. */
  readonly visitor: string | null;
  /** Whether it is the visitor's first scan of the code. */
  readonly first: boolean;
  /** Whether it is by a bot or a prefetch. */
  readonly bot: boolean;
  /** The rule by which it is a bot's. 1.1.0 and earlier don't store it. */
  readonly botRule?: string;
}

/** A file of archived scans in R2: NDJSON by ascending id, compressed with gzip. */
export interface ArchiveFile {
  readonly key: string;
  /** Its first and last scan: 32 hex digits. */
  readonly first: string;
  readonly last: string;
}

/** Raw scans of a ledger that are in R2. */
export interface ArchiveSummary {
  readonly files: number;
  /** By humans. */
  readonly scans: number;
  readonly bytes: number;
  /** When writing or deleting files first failed, as ISO 8601; null while it works. */
  readonly failingSince: string | null;
}
