import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../../scripts/lib/wrangler.ts";
import { launchBrowserServer } from "./chromium.ts";
import { DevServer } from "./dev-server.ts";
import type { ServiceAddress } from "./running-service.ts";

/** All that `npm run dev` had printed when it was ready, and the message that it should have printed. */
interface StartOutput {
  readonly output: string;
  readonly startMessage: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** The service that end-to-end tests share through `workspaces.ts`, or why it did not start. */
    sharedStack: (ServiceAddress & StartOutput) | { readonly failure: string };
    /** The Chromium that end-to-end tests share through `shared-browser.ts`, or why it did not start. */
    sharedBrowser: { readonly endpoint: string } | { readonly failure: string };
    /** Where `load-server.ts` builds its Worker, once for all tests. */
    buildFolder: string;
  }
}

/** Starts the `npm run dev` and the Chromium that end-to-end tests share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "qr-shared-"));
  // Inside the project, because workerd refuses modules whose path from there begins with `..`.
  const parent = join(root, ".wrangler");
  await mkdir(parent, { recursive: true });
  const buildFolder = await mkdtemp(join(parent, "tests-"));
  project.provide("buildFolder", buildFolder);
  // A failure here must fail only the tests that need what failed, hence it is provided instead of thrown.
  const [started, browser] = await Promise.allSettled([
    DevServer.start(["--persist-to", data]),
    launchBrowserServer(),
  ]);
  if (started.status === "fulfilled") {
    const { origin, issuer, dashboard, key, output, startMessage } = started.value;
    project.provide("sharedStack", { origin, issuer, dashboard, key, output, startMessage });
  } else {
    project.provide("sharedStack", { failure: String(started.reason) });
  }
  project.provide(
    "sharedBrowser",
    browser.status === "fulfilled"
      ? { endpoint: browser.value.wsEndpoint() }
      : { failure: String(browser.reason) },
  );
  return async () => {
    if (browser.status === "fulfilled") await browser.value.close();
    if (started.status === "fulfilled") await started.value.stop();
    await rm(data, { recursive: true });
    await rm(buildFolder, { recursive: true });
  };
}
