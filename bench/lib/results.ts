import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, release, totalmem } from "node:os";

const file = "bench/results.md";

/** Returns the median; NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Returns the value below which this fraction of the values lies; NaN without values. @param sorted ascending */
export const quantile = (sorted: readonly number[], fraction: number): number =>
  sorted[Math.ceil(sorted.length * fraction) - 1] ?? Number.NaN;

/** Formats a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Writes a section with the machine and versions to bench/results.md, replacing the one with the same title. */
export function writeSection(title: string, body: string): void {
  const before = existsSync(file) ? readFileSync(file, "utf8") : "# Measured\n";
  const sections = before.split(/^(?=## )/m);
  const section = `## ${title}\n\n${describeMachine()}\n\n${body.trim()}\n\n`;
  const at = sections.findIndex((existing) => existing.startsWith(`## ${title}\n`));
  if (at === -1) sections.push(section);
  else sections[at] = section;
  const text = sections.map((part) => part.trim()).join("\n\n");
  writeFileSync(file, `${text}\n`);
}

/** Returns a line with the date, machine and versions that the figures depend on. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return (
    `${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpu?.model.trim()} · ${memory} GiB · ` +
    `Linux ${release().split("-")[0]} · Node ${process.versions.node} · workerd ${workerdVersion()}`
  );
}

/**
 * Returns the version of workerd on which every target runs.
 * @throws if Miniflare, which runs the targets, and wrangler, which builds the service, have different ones
 */
function workerdVersion(): string {
  const from = createRequire(import.meta.url);
  const versionBeside = (path: string) =>
    (createRequire(path)("workerd/package.json") as { version: string }).version;
  const wrangler = from.resolve("wrangler/package.json");
  const ofMiniflare = versionBeside(from.resolve("miniflare"));
  const ofWrangler = versionBeside(createRequire(wrangler).resolve("miniflare"));
  if (ofMiniflare !== ofWrangler)
    throw new Error(`Miniflare has workerd ${ofMiniflare}, wrangler ${ofWrangler}`);
  return ofMiniflare;
}
