import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SourceTextModule, SyntheticModule } from "node:vm";

// Compiles and evaluates the built Worker at the given path, and prints how many milliseconds that took.
const source = readFileSync(process.argv[2] ?? "", "utf8");
const compiled = (name: string) =>
  new WebAssembly.Module(readFileSync(join(dirname(process.argv[2] ?? ""), name)));
const began = performance.now();
const worker = new SourceTextModule(source);
await worker.link((specifier) => {
  const platform = { DurableObject: class {}, env: {}, WorkerEntrypoint: class {} };
  // The platform passes fonts, outlines and documents as they are, already loaded.
  const bytes = /\.(woff2|bin|png|md)$/.test(specifier) ? { default: new ArrayBuffer(0) } : undefined;
  const exports = specifier.endsWith(".wasm") ? { default: compiled(specifier) } : (bytes ?? platform);
  return new SyntheticModule(Object.keys(exports), function () {
    for (const [name, value] of Object.entries(exports)) this.setExport(name, value);
  });
});
await worker.evaluate();
process.stdout.write(String(performance.now() - began));
