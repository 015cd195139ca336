/** A folder in src/, and which of the project's folders it may import. */
export interface ImportRule {
  readonly folder: string;
  /** Its contents, for the documentation. */
  readonly holds: string;
  /** Folders it may import, besides itself. */
  readonly may: readonly string[];
  /** Limits on packages that would slow down start-up or couple a layer to a tool. */
  readonly packages?: { readonly only?: readonly string[]; readonly except?: readonly string[] };
}

const domainAndBelow = ["contract", "protocol", "edge", "domain", "lib"] as const;

/** Which folders may import which. Imports that are not listed are forbidden. The documentation shows this table. */
export const importRules: readonly ImportRule[] = [
  { folder: "lib", holds: "pure helpers", may: [] },
  {
    folder: "contract",
    holds: "the public HTTP interface: resources, endpoints, errors, plans, limits",
    may: ["lib"],
    packages: { only: ["zod"] },
  },
  {
    folder: "protocol",
    holds: "what our own parts send each other: routes, messages, object methods, events",
    may: ["contract"],
    packages: { only: [] },
  },
  {
    folder: "objects",
    holds: "Durable Objects: ledger, meter, feed",
    may: ["contract", "protocol", "lib"],
    packages: { except: ["hono", "drizzle-orm"] },
  },
  {
    folder: "store",
    holds: "SQL, KV, R2; rows to resources",
    may: ["contract", "protocol", "lib"],
    packages: { except: ["hono"] },
  },
  {
    folder: "edge",
    holds: "the Worker for scans: the hot path, what it reads and records; no zod, no drizzle",
    may: ["contract", "protocol", "store", "ui", "lib"],
    packages: { only: [] },
  },
  {
    folder: "domain",
    holds: "what the service does besides, by feature",
    may: ["contract", "protocol", "edge", "store", "lib"],
    packages: { except: ["hono", "drizzle-orm"] },
  },
  {
    folder: "ui",
    holds: "what surfaces share: documents, forms, icons, charts, reports, texts for visitors",
    may: ["contract", "domain", "lib"],
    packages: { only: ["hono", "lucide"] },
  },
  { folder: "api", holds: "the REST API", may: domainAndBelow, packages: { except: ["drizzle-orm"] } },
  {
    folder: "mcp",
    holds: "the tools of AI agents, by the Model Context Protocol",
    may: domainAndBelow,
    packages: { except: ["drizzle-orm", "hono"] },
  },
  {
    folder: "hosted-pages",
    holds: "hosted pages and their forms",
    may: [...domainAndBelow, "ui"],
    packages: { except: ["drizzle-orm"] },
  },
  {
    folder: "dashboard",
    holds: "pages for people who are signed in",
    may: [...domainAndBelow, "ui", "hosted-pages"],
    packages: { except: ["drizzle-orm"] },
  },
  {
    folder: "public-pages",
    holds: "the welcome page, the form for abuse reports, public images, the icons",
    may: [...domainAndBelow, "ui"],
    packages: { except: ["drizzle-orm"] },
  },
  {
    folder: "shared-reports",
    holds: "reports that anyone with their link can read",
    may: [...domainAndBelow, "ui"],
    packages: { except: ["drizzle-orm"] },
  },
  { folder: "embed", holds: "the embed widget", may: domainAndBelow, packages: { except: ["drizzle-orm"] } },
  {
    folder: "images",
    holds: "the images Worker: what needs WebAssembly",
    may: ["contract", "protocol", "lib"],
    packages: { only: ["@cantoo/pdf-lib", "@resvg/resvg-wasm", "zxing-wasm"] },
  },
  { folder: "queues", holds: "queue consumers", may: domainAndBelow, packages: { only: [] } },
  { folder: "scheduled", holds: "the sweep each minute", may: domainAndBelow, packages: { only: [] } },
];

/** Formats the rules as a Markdown table. */
export function importRulesTable(): string {
  const list = (folders: readonly string[]) =>
    folders.map((folder) => `\`${folder}\``).join(", ") || "nothing";
  const rows = importRules.map(({ folder, holds, may }) => `| \`${folder}\` | ${holds} | ${list(may)} |`);
  return ["| folder | holds | may import |", "| --- | --- | --- |", ...rows].join("\n");
}
