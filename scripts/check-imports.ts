import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Feature, featureRules, featureRulesTables } from "./lib/feature-rules.ts";
import { outdatedBlocks } from "./lib/generated-blocks.ts";
import { importRules, importRulesTable } from "./lib/import-rules.ts";
import { importsIn } from "./lib/imports.ts";

// A script of our own, because Biome has no allow-list of folders, and dependency-cruiser doesn't read TypeScript 7.
// Biome checks for cycles of files.

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
  return importsIn(text).map((specifier) => {
    const isPackage = !specifier.startsWith(".");
    const to = isPackage ? specifier : relative(src, resolve(src, dirname(file), specifier));
    return { from: file, to, isPackage };
  });
}

/** Files outside src/ that the Worker is built with, besides the documentation, and the module that reads each. */
const outside: ReadonlyMap<string, string> = new Map([
  ["../package.json", "lib/version.ts"],
  ["../clients/typescript/package.json", "lib/client-package.ts"],
  // As a text, for browsers.
  ["../node_modules/uqr/dist/index.mjs", "public-pages/welcome/files.ts"],
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
  if (to.startsWith("../docs/img/") && from === "dashboard/overview/tour-pictures.ts") return undefined;
  if (outside.get(to) === from || (to.endsWith(".md") && from === "api/docs/pages.ts")) return undefined;
  const target = to.includes("/") ? (to.split("/")[0] ?? "") : "(src)";
  const allowed = target === folder || rule.may.includes(target);
  return allowed ? undefined : `${from}: ${folder} must not import ${to}`;
}

/** Explains what is wrong with an area's features: in their list, and in the imports between them. */
function problemsOfArea(area: string, features: readonly Feature[], imports: readonly Import[]): string[] {
  const problems: string[] = [];
  /** Returns the feature of a file in the area; undefined for other files. */
  const featureOf = (file: string): string | undefined => {
    if (!file.startsWith(`${area}/`)) return undefined;
    const top = file.slice(area.length + 1).split("/")[0] ?? "";
    return features.find(({ name, files }) => (files ?? [name]).includes(top))?.name ?? top;
  };
  const used = new Set<string>();
  for (const { from, to, isPackage } of imports) {
    const [feature, target] = [featureOf(from), isPackage ? undefined : featureOf(to)];
    if (feature === undefined || target === undefined || target === feature) continue;
    used.add(`${feature} ${target}`);
    const index = features.findIndex(({ name }) => name === feature);
    const may = features[index]?.may ?? [];
    const above = features.slice(0, index).map(({ name }) => name);
    if (!(may === "all above" ? above : may).includes(target)) {
      problems.push(`${from}: in ${area}, ${feature} must not import ${to}`);
    }
  }
  for (const [index, { name, may }] of features.entries()) {
    if (may === "all above") continue;
    const above = new Set(features.slice(0, index).map((each) => each.name));
    for (const other of may) {
      if (!above.has(other)) problems.push(`${area}: ${name} may import ${other}, which isn't above it`);
      else if (!used.has(`${name} ${other}`)) problems.push(`${area}: ${name} needn't import ${other}`);
    }
  }
  const entries = readdirSync(join(src, area));
  const listed = features.flatMap(({ name, files }) => files ?? [name]);
  for (const entry of entries) {
    if (!listed.includes(entry)) problems.push(`${area}/${entry}: belongs to no feature of ${area}`);
  }
  for (const entry of listed) {
    if (!entries.includes(entry)) problems.push(`${area}: has no ${entry}`);
  }
  return problems;
}

// Wrangler builds in a folder `.wrangler` next to a Worker's configuration.
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !/(^|[\\/])\./.test(file),
);
const imports = files.flatMap(importsOf);
const problems = imports.flatMap((each) => violation(each) ?? []);
for (const [area, features] of Object.entries(featureRules)) {
  problems.push(...problemsOfArea(area, features, imports));
}
const blocks = { "import-rules": importRulesTable(), "feature-rules": featureRulesTables() };
problems.push(...outdatedBlocks("docs/architecture.md", blocks, "imports"));
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `\n${problems.length} problems with the rules of scripts/lib/import-rules.ts and feature-rules.ts`,
  );
  process.exitCode = 1;
}
