import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outdatedBlocks } from "./lib/generated-blocks.ts";
import { type Count, counts, problemOf, structureTable } from "./lib/structure.ts";
import { root } from "./lib/wrangler.ts";

/** Texts alone: pictures, fonts and stored states have no lines. */
const pattern = "{src,test,migrations}/**/*.{ts,tsx,js,css,sql,json}";

const files = globSync(pattern, { cwd: root, exclude: ["**/.wrangler/**"] });
const sources = new Map(
  files.map((file): [string, string] => [file.replaceAll("\\", "/"), readFileSync(join(root, file), "utf8")]),
);

const problems = Object.values<Count>(counts).flatMap((count) => {
  const figure = count.of?.(sources);
  if (process.argv.includes("--figures") && figure !== undefined) console.log(`${figure} ${count.what}`);
  return figure === undefined ? [] : (problemOf(count, figure) ?? []);
});
problems.push(...outdatedBlocks("docs/developing.md", { structure: structureTable() }, "structure"));
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`\n${problems.length} problems with the counts of scripts/lib/structure.ts`);
  process.exitCode = 1;
}
