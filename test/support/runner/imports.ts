// The modules that queue consumers import lazily, and the files of the API reference, which its page loads in parallel.
// Two requests that load a module for the first time would share its promise, too.
import "jose";
import "../../../src/api/docs/files.ts";
import "../../../src/lib/text/phone.ts";
import "../../../src/queues/consume.ts";

interface LoadedModule {
  readonly evaluated: boolean;
  readonly meta: unknown;
}

/** The part of Vite's module runner that loads modules in tests. */
interface ModuleRunner {
  readonly evaluatedModules: { getModuleByUrl(url: string): LoadedModule | undefined };
  readonly transport: { invoke(name: string, data: unknown): Promise<unknown> };
  cachedModule(url: string, importer?: string): Promise<LoadedModule>;
}

/** Loads the modules of tests and of the service. */
export const { moduleRunner } = (
  globalThis as unknown as { __vitest_mocker__: { moduleRunner: ModuleRunner } }
).__vitest_mocker__;
const load = moduleRunner.cachedModule.bind(moduleRunner);

// The runner asks Vite at every `import()`, even for a loaded module, and requests that import the module at the same
// time share the response's promise. In the tests' runtime, such a request may continue in the other's context and
// never end: "Cannot perform I/O on behalf of a different request". In production, importing a loaded module takes no
// I/O.
moduleRunner.cachedModule = async (url, importer) => {
  const loaded = moduleRunner.evaluatedModules.getModuleByUrl(url);
  return loaded?.evaluated === true && loaded.meta !== undefined ? loaded : load(url, importer);
};
