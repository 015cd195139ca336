import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { Response as MiniflareResponse } from "miniflare";
import { defineConfig } from "vitest/config";

/** Two projects: what runs inside the Workers runtime on real local bindings, and what drives it from outside. */
export default defineConfig({
  test: {
    silent: "passed-only",
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
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
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          setupFiles: ["./test/support/migrate.ts"],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
