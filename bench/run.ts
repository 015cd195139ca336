import { parseArgs } from "node:util";
import { benchmarks } from "./lib/benchmarks.ts";
import { describeMachine, writeSection } from "./lib/results.ts";

// `run.ts [NAME…] [--record] [--smoke]` runs the named benchmarks, or all, and prints their figures. `--record` writes
// them to bench/results.md, `--smoke` runs each for a moment. After a failure, the others still run.
const { values, positionals } = parseArgs({
  options: { record: { type: "boolean", default: false }, smoke: { type: "boolean", default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark ${unknown.join(", ")}; the benchmarks are ${Object.keys(benchmarks).join(", ")}`,
  );
  process.exit(2);
}

console.log(describeMachine());
for (const [name, { title, run }] of Object.entries(benchmarks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n${title}`);
  try {
    const body = await run({ smoke: values.smoke });
    console.log(`\n${body}`);
    if (values.record && !values.smoke) writeSection(title, body);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} failed:`, error);
  }
}
