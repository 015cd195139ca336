import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

// Writes the module that holds htmx as text. As code, it is bundled alike for the Worker, its tests and the benchmarks.

const source = createRequire(import.meta.url).resolve("htmx.org/dist/htmx.min.js");
const target = fileURLToPath(new URL("../src/dashboard/assets/htmx.ts", import.meta.url));
const text = JSON.stringify(readFileSync(source, "utf8"));
writeFileSync(
  target,
  `// Written by npm run vendor:htmx, from the package htmx.org.\nexport const htmx = ${text};\n`,
);
