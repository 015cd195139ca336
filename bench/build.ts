import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Builds a Worker as it would be deployed. @returns the path of its script */
export function build(entry: string, outdir: string): string {
  rmSync(outdir, { recursive: true, force: true });
  execFileSync("wrangler", ["deploy", entry, "--dry-run", "--outdir", outdir], { stdio: "pipe" });
  return `${outdir}/${entry.replace(/^.*\//, "").replace(/\.ts$/, ".js")}`;
}

/** Bytes of a script, as it is and gzipped. */
export function sizes(script: string): { plain: number; gzip: number } {
  const bytes = readFileSync(script);
  return { plain: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}
