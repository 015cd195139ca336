/** A part of an area: a folder, or some of the files directly in the area's folder. */
export interface Feature {
  /** The name of its folder, or what its files are together. */
  readonly name: string;
  /** Its contents, for the documentation. */
  readonly holds: string;
  /** Its files, if it has no folder of its own. */
  readonly files?: readonly string[];
  /** Features it may import, besides itself. They stand above it, so there can be no cycle. */
  readonly may: readonly string[] | "all above";
}

/** Which features of an area, a folder in src/, may import which. The documentation shows these tables. */
export const featureRules: Readonly<Record<string, readonly Feature[]>> = {
  "objects/ledger": [
    {
      name: "part",
      holds: "what every part builds on",
      files: ["part.ts", "times.ts"],
      may: [],
    },
    {
      name: "storage",
      holds: "the object's tables, size and alarm",
      files: ["alarm.ts", "capacity.ts", "migrations"],
      may: ["part"],
    },
    { name: "scans", holds: "rows of scans and the values they share", may: ["part"] },
    { name: "archive", holds: "files of scans in R2", may: ["part", "scans"] },
    { name: "analytics", holds: "sums by code and day, reports", may: ["part", "scans", "archive"] },
    { name: "reading", holds: "lists of scans, exports, live scans", may: ["part", "scans", "archive"] },
    { name: "history", holds: "the workspace's history", may: ["part"] },
    { name: "webhooks", holds: "webhooks, their events and deliveries", may: ["part", "history"] },
    { name: "submissions", holds: "submissions of forms", may: ["part", "webhooks"] },
    {
      name: "maintenance",
      holds: "background work: archiving, retention, erasure, unused values",
      may: ["part", "scans", "archive", "analytics", "reading", "history"],
    },
    {
      name: "recording",
      holds: "new scans and all that follows from them",
      files: ["recording.ts"],
      may: ["part", "storage", "scans", "analytics", "reading", "webhooks", "maintenance"],
    },
    {
      name: "schedule",
      holds: "transactions, and the work of the alarm",
      files: ["schedule.ts", "transactions.ts"],
      may: ["part", "storage", "analytics", "webhooks", "maintenance"],
    },
    {
      name: "ledger",
      holds: "the object, which has all parts",
      files: ["parts.ts", "workspace-ledger.ts"],
      may: "all above",
    },
  ],
};

/** Formats the rules of all areas as Markdown. */
export const featureRulesTables = (): string =>
  Object.entries(featureRules)
    .map(([area, features]) => `### In \`src/${area}\`\n\n${table(features)}`)
    .join("\n\n");

function table(features: readonly Feature[]): string {
  const list = (names: Feature["may"]) =>
    names === "all above" ? names : names.map((name) => `\`${name}\``).join(", ") || "nothing";
  const rows = features.map(({ name, files, holds, may }) => {
    const where = files === undefined ? "" : ` (${files.map((file) => `\`${file}\``).join(", ")})`;
    return `| \`${name}\`${where} | ${holds} | ${list(may)} |`;
  });
  return ["| feature | holds | may import |", "| --- | --- | --- |", ...rows].join("\n");
}
