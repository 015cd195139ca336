import { globSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { edgeConfig, imagesConfig, root, runWrangler } from "./wrangler.ts";

/** The timeout of a build, in milliseconds. */
const timeout = 60_000;

const builds = new Map<string, Promise<string>>();

/**
 * Builds a Worker as for deployment. Repeated calls in one process share a build.
 * @param readable whether functions keep their names, for a profile
 * @param folder that of another version; by default this project's
 * @param config its configuration, relative to the folder; by default the main Worker's
 * @returns the path of its script
 */
export function build(
  entry: string,
  { readable = false, folder = "", config = "wrangler.toml" } = {},
): Promise<string> {
  const name = basename(entry, ".ts");
  const place = join(dirname(entry), name).replaceAll("/", "-");
  const outdir = join(folder, `dist/bench/${place}${readable ? "-readable" : ""}`);
  const source = [join(folder, entry), "-c", join(folder, config)];
  const options = ["--dry-run", "--outdir", outdir, "--metafile", ...(readable ? ["--no-minify"] : [])];
  const existing = builds.get(outdir);
  const script =
    existing ??
    runWrangler(["deploy", ...source, ...options], AbortSignal.timeout(timeout)).then(
      () => `${outdir}/${name}.js`,
    );
  builds.set(outdir, script);
  return script;
}

/** Builds the service. @returns the path of its script */
export const buildService = (): Promise<string> => build("src/index.ts");

/** Builds the Worker for scans. @returns the path of its script */
export const buildEdge = (): Promise<string> => build("src/edge/index.ts", { config: edgeConfig });

/** Everything that the images Worker is built from. */
const imageSources = ["src/{images,lib,protocol,contract}/**/*.*", "package-lock.json"];

let imagesBuild: Promise<string> | undefined;

/** Builds the images Worker, unless its last build is newer than its sources. @returns the folder of its modules */
export function buildImages(): Promise<string> {
  const outdir = join(root, "dist/images");
  imagesBuild ??= (async () => {
    const sources = globSync(imageSources, { cwd: root }).map((path) => join(root, path));
    const [built = 0] = globSync("index.js", { cwd: outdir }).map((path) => changedAt(join(outdir, path)));
    if (built < Math.max(...sources.map(changedAt))) {
      const args = ["deploy", "-c", imagesConfig, "--dry-run", "--outdir", outdir];
      await runWrangler(args, AbortSignal.timeout(timeout));
    }
    return outdir;
  })();
  return imagesBuild;
}

const changedAt = (path: string): number => statSync(path).mtimeMs;

/** The parts of esbuild's account of a build that say what is evaluated. */
interface Metafile {
  readonly inputs: Readonly<
    Record<string, { bytes: number; imports: readonly { path: string; kind: string; external?: boolean }[] }>
  >;
  readonly outputs: Readonly<
    Record<string, { entryPoint?: string; inputs: Readonly<Record<string, { bytesInOutput: number }>> }>
  >;
}

/**
 * Returns how many bytes of source a built script evaluates before its first request: all that its entry imports, other
 * than by `import()`.
 */
export function evaluatedBytes(script: string): number {
  const { inputs, outputs } = metafileOf(script);
  const output = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  const evaluated = new Set(output?.entryPoint === undefined ? [] : [output.entryPoint]);
  // A set's loop also reaches what is added while it runs.
  for (const file of evaluated) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "dynamic-import" && external !== true) evaluated.add(path);
    }
  }
  // Types alone leave nothing in the output.
  const kept = [...evaluated].filter((file) => (output?.inputs[file]?.bytesInOutput ?? 0) > 0);
  return kept.reduce((sum, file) => sum + (inputs[file]?.bytes ?? 0), 0);
}

/** Returns the packages that a built script has code of. */
export function packagesIn(script: string): Set<string> {
  const files = Object.values(metafileOf(script).outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
}

const metafileOf = (script: string): Metafile =>
  JSON.parse(readFileSync(join(dirname(script), "bundle-meta.json"), "utf8"));

/** Returns the size of a script in bytes, plain and gzipped, including the WebAssembly next to it. */
export function sizes(script: string): { plain: number; gzip: number } {
  const wasm = globSync("*.wasm", { cwd: dirname(script) }).map((name) => join(dirname(script), name));
  const files = [script, ...wasm].map((path) => readFileSync(path));
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  return {
    plain: sum(files.map(({ length }) => length)),
    gzip: sum(files.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
  };
}
