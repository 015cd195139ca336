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
  domain: [
    {
      name: "base",
      holds: "dependencies, errors, pages of results, calls of objects",
      files: [
        "counter.ts",
        "credential-throttle.ts",
        "deps.ts",
        "errors.ts",
        "files.ts",
        "images-worker.ts",
        "ledger.ts",
        "log-problem.ts",
        "conflicts.ts",
        "paging.ts",
        "public-work.ts",
        "partial-updates.ts",
        "restorable.ts",
        "service-name.ts",
        "yielding.ts",
      ],
      may: [],
    },
    { name: "context", holds: "caller, permission, plan, suspension", may: ["base"] },
    {
      name: "requests",
      holds: "bounds of costly work, one answer for repeated requests",
      files: ["export-lease.ts", "heavy-work.ts", "idempotency.ts"],
      may: ["base", "context"],
    },
    {
      name: "events",
      holds: "events and history from the outbox to the ledger, deliveries to their queue",
      may: ["base"],
    },
    { name: "routing", holds: "the publication of routes, what answers at an address", may: ["base"] },
    {
      name: "destinations",
      holds: "addresses in codes, hosts that are not allowed, circles",
      may: ["base", "routing"],
    },
    {
      name: "webhooks",
      holds: "webhooks, attempts, replays, samples",
      may: ["base", "context", "events", "destinations"],
    },
    { name: "jobs", holds: "the lease, the attempts and the queue of a job", may: ["base"] },
    { name: "history", holds: "entries and lists of them", may: ["base", "context", "requests", "events"] },
    {
      name: "resources",
      holds: "the one path of creations, changes, restorations and undoing",
      may: ["base", "context"],
    },
    {
      name: "domains",
      holds: "hosts of workspaces: claims, their proof, custom hostnames at Cloudflare",
      may: ["base", "context", "routing", "destinations", "resources"],
    },
    {
      name: "logos",
      holds: "files of logos and what they look like",
      may: ["base", "context", "requests", "resources"],
    },
    { name: "brand", holds: "colors and logos of a brand", may: ["base", "context", "resources", "logos"] },
    {
      name: "images",
      holds: "rules of designs, drawings, measurements",
      may: ["base", "context", "requests", "logos"],
    },
    {
      name: "identity",
      holds: "sign-in, sessions, members, keys",
      may: ["base", "context", "webhooks", "history", "resources", "logos"],
    },
    { name: "folders", holds: "folders and tags", may: ["base", "context", "resources"] },
    {
      name: "templates",
      holds: "templates and the styles they give",
      may: ["base", "context", "resources", "logos", "images"],
    },
    {
      name: "codes",
      holds: "QR codes: creation, changes, lists, export",
      may: [
        "base",
        "context",
        "requests",
        "routing",
        "destinations",
        "history",
        "resources",
        "images",
        "identity",
        "folders",
        "templates",
      ],
    },
    {
      name: "designing",
      holds: "unsaved designs, drawn and measured",
      may: ["base", "context", "logos", "images", "templates", "codes"],
    },
    {
      name: "pages",
      holds: "hosted pages and their forms",
      may: ["base", "context", "requests", "routing", "destinations", "resources", "codes"],
    },
    {
      name: "bulk",
      holds: "jobs that create, change and undo codes",
      may: [
        "base",
        "context",
        "requests",
        "jobs",
        "routing",
        "destinations",
        "history",
        "resources",
        "images",
        "folders",
        "templates",
        "codes",
      ],
    },
    {
      name: "scans",
      holds: "recording, lists, exports, erasure",
      may: ["base", "context", "requests", "domains", "codes"],
    },
    {
      name: "analytics",
      holds: "reports and shared links to them",
      may: ["base", "context", "resources", "folders", "codes"],
    },
    {
      name: "print",
      holds: "sheets of labels, archives, jobs that draw them, proofs",
      may: ["base", "context", "requests", "jobs", "images", "codes", "bulk"],
    },
    {
      name: "link-previews",
      holds: "pictures of pages and reports for link previews",
      files: ["link-previews.ts"],
      may: ["base", "images", "pages", "analytics"],
    },
    {
      name: "workspaces",
      holds: "settings, plan, notices, what waits for people, deletion, also of accounts",
      may: [
        "base",
        "context",
        "events",
        "routing",
        "webhooks",
        "history",
        "resources",
        "domains",
        "logos",
        "identity",
        "codes",
        "bulk",
        "scans",
      ],
    },
    {
      name: "undo",
      holds: "undoing a change or a job",
      files: ["undo.ts"],
      may: [
        "base",
        "context",
        "history",
        "resources",
        "domains",
        "folders",
        "templates",
        "codes",
        "pages",
        "bulk",
      ],
    },
    {
      name: "proposals",
      holds: "changes that keys propose: dry runs, their tokens, confirmation by people",
      may: ["base", "context", "requests", "history", "resources", "codes", "bulk", "undo"],
    },
    {
      name: "bin",
      holds: "what was deleted and can be restored",
      files: ["bin.ts"],
      may: ["base", "context", "history"],
    },
    {
      name: "suspensions",
      holds: "suspensions by the operator",
      files: ["suspensions.ts"],
      may: ["base", "context", "events", "routing", "history", "resources", "domains", "codes", "pages"],
    },
    {
      name: "abuse-reports",
      holds: "reports of abuse and decisions",
      may: ["base", "context", "routing", "suspensions"],
    },
    {
      name: "backup",
      holds: "reading and restoring everything, for the operator's commands",
      may: ["base", "identity"],
    },
    {
      name: "operations",
      holds: "checks, alerts, sweeps, dead letters, figures for the operator",
      may: "all above",
    },
  ],
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
    { name: "submissions", holds: "submissions of forms", may: ["part", "history", "webhooks"] },
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
    { name: "backup", holds: "copies of all tables, and their restoration", may: ["part", "analytics"] },
    {
      name: "schedule",
      holds: "transactions, and the work of the alarm",
      files: ["schedule.ts", "transactions.ts"],
      may: ["part", "storage", "analytics", "webhooks", "maintenance", "backup"],
    },
    {
      name: "ledger",
      holds: "the object, which has all parts",
      files: ["parts.ts", "ledger-object.ts", "workspace-ledger.ts"],
      may: "all above",
    },
  ],
  dashboard: [
    { name: "frame", holds: "the page around every page: navigation, notices, forms, refusals", may: [] },
    { name: "page-scripts", holds: "the scripts of single pages", may: [] },
    { name: "choices", holds: "searched lists of folders, pages and tags in forms", may: ["frame"] },
    { name: "filters", holds: "the days and filters of lists and reports", may: [] },
    { name: "brand", holds: "logos and colours", may: ["frame"] },
    {
      name: "design",
      holds: "the designer of codes, its looks, preview and score",
      may: ["frame", "page-scripts", "brand"],
    },
    { name: "analytics", holds: "reports, and links that share them", may: ["frame", "choices", "filters"] },
    {
      name: "codes",
      holds: "codes: lists, forms, pages",
      may: ["frame", "page-scripts", "choices", "filters", "brand", "design", "analytics"],
    },
    { name: "domains", holds: "domains: their steps, settings and removal", may: ["frame", "codes"] },
    { name: "folders", holds: "folders", may: ["frame", "codes"] },
    { name: "lists", holds: "saved lists of codes", may: ["frame", "codes"] },
    { name: "tags", holds: "tags", may: ["frame", "codes"] },
    { name: "templates", holds: "templates", may: ["frame", "brand", "design"] },
    { name: "pages", holds: "hosted pages and their submissions", may: ["frame", "page-scripts"] },
    { name: "bulk", holds: "changes of many codes", may: ["frame", "choices", "design", "codes"] },
    { name: "imports", holds: "codes from a table", may: ["frame", "choices", "codes"] },
    { name: "labels", holds: "labels and images for print", may: ["frame", "bulk"] },
    { name: "jobs", holds: "jobs and their results", may: ["frame", "bulk", "imports", "labels"] },
    { name: "history", holds: "the history, undo", may: ["frame", "filters", "codes", "bulk"] },
    { name: "proposals", holds: "changes that keys propose", may: ["frame", "bulk", "history"] },
    { name: "waiting", holds: "what waits for a person", may: ["frame"] },
    { name: "bin", holds: "what was deleted", may: ["frame"] },
    { name: "overview", holds: "the first page, first steps", may: ["frame", "analytics", "jobs"] },
    { name: "palette", holds: "search and go to", may: ["frame", "codes"] },
    { name: "developer", holds: "keys, webhooks, deliveries", may: ["frame", "filters"] },
    { name: "workspaces", holds: "a person's workspaces", may: ["frame"] },
    { name: "account", holds: "signing in and up, invitations", may: ["frame"] },
    {
      name: "settings",
      holds: "settings of workspace and account",
      may: ["frame", "brand", "codes", "account"],
    },
    { name: "operator", holds: "the operator's pages", may: ["frame", "domains"] },
    { name: "assets", holds: "stylesheet, scripts, fonts", may: "all above" },
    {
      name: "app",
      holds: "routes, and the answer to a request",
      files: ["app.tsx", "routes.ts"],
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
