import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importRules, importRulesTable } from "./lib/import-rules.ts";

// A script of our own, because Biome has no allow-list of folders, and dependency-cruiser doesn't read TypeScript 7.
// Biome checks for cycles.

const src = fileURLToPath(new URL("../src", import.meta.url));

interface Import {
  readonly from: string;
  /** Relative to src/ for our own files, otherwise the package's name. */
  readonly to: string;
  readonly isPackage: boolean;
}

/** Returns every import of a file, including types and lazily loaded modules. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:^|\s)(?:from|import)\s*\(?\s*"([^"\s]+)"/g)].map(([, specifier = ""]) => {
    const isPackage = !specifier.startsWith(".");
    const to = isPackage ? specifier : relative(src, resolve(src, dirname(file), specifier));
    return { from: file, to, isPackage };
  });
}

/** Files outside src/ that the Worker is built with, and the module that reads each. */
const outside: ReadonlyMap<string, string> = new Map([
  ["../package.json", "lib/version.ts"],
  ["../migrations/meta/_journal.json", "store/operations/readiness.ts"],
]);

/** Explains why an import is not allowed; undefined if it is. */
function violation({ from, to, isPackage }: Import): string | undefined {
  const folder = from.split("/")[0] ?? "";
  const rule = importRules.find((candidate) => candidate.folder === folder);
  // Files directly in src/ compose the rest and may import anything.
  if (rule === undefined) return from.includes("/") ? `${from}: the folder ${folder} has no rule` : undefined;
  if (isPackage) {
    const name = to
      .split("/")
      .slice(0, to.startsWith("@") ? 2 : 1)
      .join("/");
    const { only, except = [] } = rule.packages ?? {};
    const allowed =
      name.startsWith("cloudflare:") || (!except.includes(name) && (only?.includes(name) ?? true));
    return allowed ? undefined : `${from}: ${folder} must not import the package ${name}`;
  }
  if (outside.get(to) === from) return undefined;
  const target = to.includes("/") ? (to.split("/")[0] ?? "") : "(src)";
  const allowed = target === folder || rule.may.includes(target);
  return allowed ? undefined : `${from}: ${folder} must not import ${to}`;
}

/** The documentation that shows the rules. */
const documentation = fileURLToPath(new URL("../docs/architecture.md", import.meta.url));
const block = /(<!-- import-rules:begin -->).*?(<!-- import-rules:end -->)/s;

function documentationProblem(): string | undefined {
  const text = readFileSync(documentation, "utf8");
  const current = text.replace(block, `$1\n\n${importRulesTable()}\n\n$2`);
  if (process.argv.includes("--write")) writeFileSync(documentation, current);
  else if (text !== current) return "docs/architecture.md: out of date; run npm run imports -- --write";
  return undefined;
}

// Wrangler builds in a folder `.wrangler` next to a Worker's configuration.
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !/(^|[\\/])\./.test(file),
);
const problems = files.flatMap(importsOf).flatMap((each) => violation(each) ?? []);
const outdated = documentationProblem();
if (outdated !== undefined) problems.push(outdated);
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} problems with the rules of scripts/lib/import-rules.ts`);
  process.exitCode = 1;
}
