import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { Response as MiniflareResponse } from "miniflare";
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from "vitest/config";
import { imagesWorker } from "./scripts/lib/images-worker.ts";
import { runKind, type TestProjectName, testFiles } from "./scripts/lib/tests/files.ts";
import { storeInMemory } from "./test/support/runner/memory-storage.ts";

const longRuns = runKind === "long";
const files = testFiles(runKind);

// Otherwise wrangler prints a line for every runtime it configures, and warns of secrets that are bindings below.
process.env.WRANGLER_LOG ??= "error";

/** Imports with the attribute `type: "text"`, which Vite does not know: all those of scripts and styles by these modules. */
const textImporters =
  /\/(api\/docs\/files|dashboard\/(assets\/files|page-scripts\/page-scripts)|embed\/script|public-pages\/welcome\/(files|styles))\.tsx?$/;

const textImports: Plugin = {
  name: "text-imports",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!textImporters.test(importer ?? "") || !/\.(css|m?js)$/.test(source)) return;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    return resolved === null ? null : `${resolved.id}?raw`;
  },
};

storeInMemory();

/** Tests inside the Workers runtime with real local bindings. @param edge whether the edge Worker is in front */
const workerProject = (
  name: TestProjectName,
  include: string[],
  edge: boolean,
): TestProjectInlineConfiguration => ({
  extends: true,
  logLevel: "error",
  plugins: [
    textImports,
    cloudflareTest(async () => ({
      wrangler: { configPath: "./wrangler.toml" },
      verbose: false,
      miniflare: {
        workers: [await imagesWorker()],
        // Alarms and queue consumers may run after their test: they must not reach the network.
        outboundService: () => new MiniflareResponse("no network in tests", { status: 502 }),
        bindings: {
          VISITOR_SECRET: "a secret for tests",
          WEBHOOK_SECRET: "another secret for tests",
          OIDC_ISSUER: "https://id.example",
          OIDC_CLIENT_ID: "qr-codes",
          OIDC_CLIENT_SECRET: "a client secret for tests",
          PASSKEYS: "on",
          OWNERS_CREATE_WORKSPACES: "on",
          SESSION_SECRET: "a secret of more than 32 characters, for tests",
          OPERATOR_SECRET: "the-operators-secret-of-32-characters-for-tests",
          MIGRATIONS: await readD1Migrations("./migrations"),
        },
      },
    })),
  ],
  test: {
    name,
    include,
    provide: { edge },
    setupFiles: ["./test/support/runner/reset.ts"],
    // Files share a runtime, whose storage the setup file empties in between, because starting a runtime takes longer
    // than most test files.
    isolate: false,
    // `reset.ts` collects what is logged. Vitest would wait for ever for a line that a queue's consumer or an alarm logs
    // while a file ends, because such a line can't be sent to it from another request.
    disableConsoleIntercept: true,
  },
});

/** The projects of tests inside the Workers runtime, and that of end-to-end tests in Node. */
export default defineConfig({
  test: {
    silent: "passed-only",
    // Stylesheets as they are. By default they are empty.
    css: true,
    reporters: ["./test/support/runner/reporter.ts"],
    provide: { longRuns },
    // Long, because a busy machine can be ten times slower. Only failing tests take this long.
    testTimeout: longRuns ? 900_000 : 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      workerProject("worker", files.worker, false),
      workerProject("edge", files.edge, true),
      {
        extends: true,
        test: {
          name: "e2e",
          include: files.e2e,
          // Files share their processes, because loading the contract and the tests' tools takes longer than many files.
          isolate: false,
          globalSetup: ["./test/e2e/support/shared-stack.ts"],
        },
      },
    ],
  },
});
