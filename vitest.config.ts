import { availableParallelism } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { Response as MiniflareResponse } from "miniflare";
import { defineConfig } from "vitest/config";

/** `TEST_RUNS=long` repeats the files below with more seeds, designs, schedules and rows: see `npm run test:all`. */
const longRuns = process.env.TEST_RUNS === "long";

/** The files whose loops are longer in long runs, by the sizes they take from `test/support/runs.ts`. */
const longFiles = {
  worker: [
    "test/images/logo-readable.test.ts",
    "test/images/readable.test.ts",
    "test/lib/destination.test.ts",
    "test/objects/workspace-ledger.test.ts",
    "test/redirect/guarantee.test.ts",
    "test/webhooks/faults.test.ts",
  ],
  e2e: ["test/e2e/export.test.ts", "test/e2e/lossless.test.ts"],
};

// Wrangler would print a line for every runtime it configures. Its warnings and errors stay.
process.env.WRANGLER_LOG ??= "warn";

/** Two projects: what runs inside the Workers runtime on real local bindings, and what drives it from outside. */
export default defineConfig({
  test: {
    silent: "passed-only",
    // Prints failures in full, and nothing of what passed. The last line is for CI.
    reporters: ["minimal", "./test/support/summary-reporter.ts"],
    provide: { longRuns },
    // Generous: a busy machine can be ten times slower, and only a test that fails uses it up.
    testTimeout: longRuns ? 900_000 : 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // End-to-end files mostly wait for other processes: one more than the cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        logLevel: "error",
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            verbose: false,
            miniflare: {
              // Alarms and queues that outlive a test reach nobody outside.
              outboundService: () => new MiniflareResponse("no network in tests", { status: 502 }),
              bindings: {
                VISITOR_SECRET: "a secret for tests",
                WEBHOOK_SECRET: "another secret for tests",
                OIDC_ISSUER: "https://id.example",
                OIDC_CLIENT_ID: "qr-codes",
                OIDC_CLIENT_SECRET: "the provider's word for tests",
                SESSION_SECRET: "a secret of more than 32 characters, for tests",
                OPERATOR_SECRET: "the-operators-secret-for-tests",
                MIGRATIONS: await readD1Migrations("./migrations"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: longRuns ? longFiles.worker : ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          setupFiles: ["./test/support/reset.ts"],
          // A runtime serves one file after another and the setup empties its storage in between: starting a
          // runtime per file would take longer than most files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: longRuns ? longFiles.e2e : ["test/e2e/**/*.test.ts"],
          globalSetup: ["./test/e2e/support/shared-stack.ts"],
        },
      },
    ],
  },
});
