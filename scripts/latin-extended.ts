import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "./lib/wrangler.ts";

/**
 * Writes src/ui/styles/fonts/inter-latin-extended.woff2, the letters U+0100 to U+017F of Inter (for Polish,
 * Czech or Turkish), in all weights: `node scripts/latin-extended.ts`. The font as shipped takes 85 KB, mostly for
 * letters that hardly any name needs. Inter is under the SIL Open Font License.
 */
const font = "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2";
const letters = String.fromCodePoint(...Array.from({ length: 0x80 }, (_, i) => 0x100 + i));

const whole = await readFile(createRequire(import.meta.url).resolve(font));
const subset = await subsetFont(whole, letters, { targetFormat: "woff2" });
await writeFile(join(root, "src/ui/styles/fonts/inter-latin-extended.woff2"), subset);
console.log(`${subset.length} bytes`);
