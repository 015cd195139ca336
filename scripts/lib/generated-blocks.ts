import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./wrangler.ts";

/**
 * Compares the generated blocks of a document with what they should be, or writes them if the command line has `--write`.
 * @param file relative to the project's folder
 * @param blocks by name: the text between `<!-- name:begin -->` and `<!-- name:end -->`
 * @param script the npm script that runs this
 * @returns the problem, if there is one
 */
export function outdatedBlocks(
  file: string,
  blocks: Readonly<Record<string, string>>,
  script: string,
): string[] {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  let current = text;
  for (const [name, content] of Object.entries(blocks)) {
    const block = new RegExp(`(<!-- ${name}:begin -->).*?(<!-- ${name}:end -->)`, "s");
    current = current.replace(block, `$1\n\n${content}\n\n$2`);
  }
  if (process.argv.includes("--write")) writeFileSync(path, current);
  else if (text !== current) return [`${file}: out of date; run npm run ${script} -- --write`];
  return [];
}
