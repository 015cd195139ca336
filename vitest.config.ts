import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { Response as MiniflareResponse } from "miniflare";
import { defineConfig, type Plugin } from "vitest/config";
import { storeInMemory } from "./test/support/runner/memory-storage.ts";

/** `npm run test:all` sets `TEST_RUNS=long`, which runs only the files below, with more seeds, designs and rows. */
const longRuns = process.env.TEST_RUNS === "long";

/** The files whose loop sizes come from `test/support/runner/runs.ts`, and so depend on the kind of run. */
const longFiles = {
  worker: [
    "test/api/scans/analytics-sums.test.ts",
    "test/api/scans/live.test.ts",
    "test/api/scans/filters.test.ts",
    "test/dashboard/rows-read.test.ts",
    "test/images/logo-readable.test.ts",
    "test/images/readable.test.ts",
    "test/lib/destination.test.ts",
    "test/lib/distinct.test.ts",
    "test/lib/json-list.test.ts",
    "test/lib/zone.test.ts",
    "test/limits/catalogue.test.ts",
    "test/limits/scans.test.ts",
    "test/objects/ledger/archive/raw-scan-history.test.ts",
    "test/objects/ledger/analytics/reports.test.ts",
    "test/objects/ledger/workspace-ledger.test.ts",
    "test/redirect/guarantee.test.ts",
    "test/webhooks/faults.test.ts",
  ],
  e2e: [
    "test/e2e/benchmarks.test.ts",
    "test/e2e/bulk-update.test.ts",
    "test/e2e/export.test.ts",
    "test/e2e/lossless.test.ts",
  ],
};

/** The files that only `npm run test:all` runs. */
const onlyLong = ["test/e2e/benchmarks.test.ts"];

// By default wrangler prints a line for every runtime it configures.
process.env.WRANGLER_LOG ??= "warn";

/** Imports with the attribute `type: "text"`, which Vite does not know: all those of scripts and styles by these modules. */
const textImporters = /\/(dashboard\/assets\/files|embed\/script)\.ts$/;

const textImports: Plugin = {
  name: "text-imports",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!textImporters.test(importer ?? "") || !/\.(css|js)$/.test(source)) return;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved === null ? null : `${resolved.id}?raw`;
  },
};

storeInMemory();

/** Two projects: tests inside the Workers runtime with real local bindings, and end-to-end tests in Node. */
export default defineConfig({
  test: {
    silent: "passed-only",
    // Prints failures in full and nothing for passed tests, then one line of totals for CI.
    reporters: ["minimal", "./test/support/runner/summary-reporter.ts"],
    provide: { longRuns },
    // Long, because a busy machine can be ten times slower. Only failing tests take this long.
    testTimeout: longRuns ? 900_000 : 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // One more worker than cores, because end-to-end tests mostly wait for other processes.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        logLevel: "error",
        plugins: [
          textImports,
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            verbose: false,
            miniflare: {
              // Alarms and queue consumers may run after their test: they must not reach the network.
              outboundService: () => new MiniflareResponse("no network in tests", { status: 502 }),
              bindings: {
                VISITOR_SECRET: "a secret for tests",
                WEBHOOK_SECRET: "another secret for tests",
                OIDC_ISSUER: "https://id.example",
                OIDC_CLIENT_ID: "qr-codes",
                OIDC_CLIENT_SECRET: "a client secret for tests",
                SESSION_SECRET: "a secret of more than 32 characters, for tests",
                OPERATOR_SECRET: "the-operators-secret-of-32-characters-for-tests",
                MIGRATIONS: await readD1Migrations("./migrations"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: longRuns ? longFiles.worker : ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          setupFiles: ["./test/support/runner/reset.ts"],
          // Files share a runtime, whose storage the setup file empties in between, because starting a runtime takes
          // longer than most test files.
          isolate: false,
          // `reset.ts` collects what is logged. Vitest would wait for ever for a line that a queue's consumer or an alarm
          // logs while a file ends, because such a line can't be sent to it from another request.
          disableConsoleIntercept: true,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: longRuns ? longFiles.e2e : ["test/e2e/**/*.test.ts"],
          exclude: longRuns ? [] : onlyLong,
          globalSetup: ["./test/e2e/support/shared-stack.ts"],
        },
      },
    ],
  },
});
