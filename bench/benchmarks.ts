import { api } from "./api.ts";
import { bulk } from "./bulk.ts";
import { elimination } from "./elimination.ts";
import { scanExport } from "./export.ts";
import { redirect } from "./redirect.ts";
import { startup } from "./startup.ts";
import { webhooks } from "./webhooks.ts";

export interface Benchmark {
  /** Of its section in results.md. */
  readonly title: string;
  /**
   * Runs it and ends whatever it started.
   * @param smoke whether to run for seconds only, to show that it works; its figures then mean nothing
   * @returns its section's Markdown
   */
  run(options: { readonly smoke: boolean }): Promise<string>;
}

/** All benchmarks, by the names that `npm run bench:NAME` runs them under. */
export const benchmarks = {
  startup,
  redirect,
  elimination,
  api,
  bulk,
  export: scanExport,
  webhooks,
} satisfies Record<string, Benchmark>;
