import { readFileSync } from "node:fs";
import { SourceTextModule, SyntheticModule } from "node:vm";

// Compiles and evaluates a built Worker once, in a process of its own, and prints the milliseconds it took.
const source = readFileSync(process.argv[2] ?? "", "utf8");
const began = performance.now();
const worker = new SourceTextModule(source);
await worker.link(() => {
  const exports = { DurableObject: class {}, env: {}, WorkerEntrypoint: class {} };
  return new SyntheticModule(Object.keys(exports), function () {
    for (const [name, value] of Object.entries(exports)) this.setExport(name, value);
  });
});
await worker.evaluate();
process.stdout.write(String(performance.now() - began));
