/** A folder's files, by their paths relative to the project's folder, with their texts. */
export type Sources = ReadonlyMap<string, string>;

/** Something of the code's structure that is counted, so that it doesn't grow unnoticed. */
export interface Count {
  readonly what: string;
  /** The most that it may be. The check fails above it, and also more than a tenth below it, so that gains are kept. */
  readonly bound: number;
  readonly why: string;
  /** Absent for what a test measures: `test/ci/load/bundle.test.ts` or `test/limits/plan-figures.test.ts`. */
  readonly of?: (sources: Sources) => number;
}

/** Counts the files below a path whose text matches. */
const filesWith =
  (folder: string, pattern: RegExp) =>
  (sources: Sources): number =>
    [...sources].filter(([path, text]) => path.startsWith(folder) && pattern.test(text)).length;

/** Counts the matches in the files below a path, without files whose path contains one of `except`. */
const matches =
  (folder: string, pattern: RegExp, except: readonly string[] = []) =>
  (sources: Sources): number =>
    [...sources]
      .filter(([path]) => path.startsWith(folder) && !except.some((part) => path.includes(part)))
      .reduce((sum, [, text]) => sum + [...text.matchAll(pattern)].length, 0);

/** Counts the lines of the files below a path. */
const lines = (folder: string) => matches(folder, /\n/g);

/** The counts of the structure check, by their names. */
export const counts = {
  retries: {
    what: "calls of `retryOnConflict` outside the kernel",
    bound: 2,
    why: "A change locks by the version that it read, in `changeResource`",
    of: matches("src/", /\bretryOnConflict\(/g, ["/conflicts.ts", "/resources/"]),
  },
  historyStatements: {
    what: "calls of `historyStatement`",
    bound: 9,
    why: "The kernel writes the history with the change",
    of: matches("src/store/", /(?<!function )\bhistoryStatement\(/g),
  },
  historyEntries: {
    what: "calls of `newEntry`",
    bound: 9,
    why: "The kernel makes the entry of a change from both versions",
    of: matches("src/domain/", /(?<!function )\bnewEntry\(/g),
  },
  snapshots: {
    what: "snapshots of the schema in `migrations/meta/`",
    bound: 1,
    why: "A new migration is made from the newest alone",
    of: filesWith("migrations/meta/", /"prevId"/),
  },
  fallbackFiles: {
    what: "files of `src/` that name `fallbackUrl`",
    bound: 13,
    why: "A field is described in two places, from which the others follow",
    of: filesWith("src/", /\bfallbackUrl\b/),
  },
  startFiles: {
    what: "files of `src/` that name `startsAt`",
    bound: 16,
    why: "As above",
    of: filesWith("src/", /\bstartsAt\b/),
  },
  sourceLines: {
    what: "lines of `src/`",
    bound: 131_450,
    why: "Every line costs its readers time",
    of: lines("src/"),
  },
  testLines: { what: "lines of `test/`", bound: 98_050, why: "As above", of: lines("test/") },
  migrationLines: {
    what: "lines of `migrations/`",
    bound: 6_100,
    why: "As above",
    of: lines("migrations/"),
  },
  creationRows: {
    what: "rows of D1 that the creation of a code writes",
    bound: 14,
    why: "D1 writes for all workspaces on one thread, and bills each row",
  },
  changeRows: { what: "rows of D1 that a change of where a code leads writes", bound: 12, why: "As above" },
  changeObjectRows: {
    what: "rows of Durable Objects that such a change writes",
    bound: 23,
    why: "Each row that a feed writes counts ninefold",
  },
  evaluatedBytes: {
    what: "bytes of source evaluated before the first request",
    bound: 860_000,
    why: "A request that is the first of its isolate waits for them",
  },
  mainGzip: {
    what: "KiB of the main Worker, gzipped",
    bound: 1_090,
    why: "A request that is the first of its isolate waits until all of them are parsed",
  },
  edgeGzip: {
    what: "KiB of the Worker for scans, gzipped",
    bound: 47,
    why: "A scan that is the first of its isolate waits until all of them are parsed",
  },
  imagesGzip: {
    what: "KiB of the images Worker, gzipped",
    bound: 1_700,
    why: "The Free plan allows 3 MiB",
  },
} as const satisfies Record<string, Count>;

/** Explains what is wrong with a figure; undefined if nothing is. */
export function problemOf({ what, bound, why }: Count, figure: number): string | undefined {
  const found = `${figure} ${what}, and the bound is ${bound}`;
  if (figure > bound) return `${found}. ${why}.`;
  if (figure < bound * 0.9) return `${found}. Lower it, so that this stays so.`;
  return undefined;
}

/** Formats the bounds as a Markdown table. */
export function structureTable(): string {
  const rows = Object.values<Count>(counts).map(
    ({ what, bound, why }) => `| ${what} | ${bound.toLocaleString("en")} | ${why} |`,
  );
  return ["| Counted | At most | Why |", "| --- | --- | --- |", ...rows].join("\n");
}
