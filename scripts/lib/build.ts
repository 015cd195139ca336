import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { runWrangler } from "./wrangler.ts";

/** Time allowed for a build, in milliseconds. */
const timeout = 60_000;

const builds = new Map<string, Promise<string>>();

/**
 * Builds a Worker as for deployment. Repeated calls in one process share a build.
 * @param readable whether functions keep their names, for a profile
 * @returns the path of its script
 */
export function build(entry: string, { readable = false } = {}): Promise<string> {
  const name = basename(entry, ".ts");
  const outdir = `dist/bench/${name}${readable ? "-readable" : ""}`;
  const args = ["deploy", entry, "--dry-run", "--outdir", outdir, ...(readable ? ["--no-minify"] : [])];
  const existing = builds.get(outdir);
  const script =
    existing ?? runWrangler(args, AbortSignal.timeout(timeout)).then(() => `${outdir}/${name}.js`);
  builds.set(outdir, script);
  return script;
}

/** Builds the service. @returns the path of its script */
export const buildService = (): Promise<string> => build("src/index.ts");

/** The size of a script in bytes, plain and gzipped. */
export function sizes(script: string): { plain: number; gzip: number } {
  const bytes = readFileSync(script);
  return { plain: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}
