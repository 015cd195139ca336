import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { runWrangler } from "../scripts/lib/wrangler.ts";

/** Milliseconds a build may take. */
const timeout = 60_000;

const builds = new Map<string, Promise<string>>();

/**
 * Builds a Worker as it would be deployed, once a process.
 * @param readable whether functions keep their names, for a profile
 * @returns the path of its script
 */
export function build(entry: string, { readable = false } = {}): Promise<string> {
  const name = basename(entry, ".ts");
  const outdir = `dist/bench/${name}${readable ? "-readable" : ""}`;
  const args = ["deploy", entry, "--dry-run", "--outdir", outdir, ...(readable ? ["--no-minify"] : [])];
  const known = builds.get(outdir);
  const script = known ?? runWrangler(args, AbortSignal.timeout(timeout)).then(() => `${outdir}/${name}.js`);
  builds.set(outdir, script);
  return script;
}

/** The service itself, built. */
export const buildService = (): Promise<string> => build("src/index.ts");

/** Bytes of a script, as it is and gzipped. */
export function sizes(script: string): { plain: number; gzip: number } {
  const bytes = readFileSync(script);
  return { plain: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}
