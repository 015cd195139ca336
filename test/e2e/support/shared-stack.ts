import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { DevServer } from "./dev-server.ts";
import type { ServiceAddress } from "./running-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service that end-to-end tests share through `workspaces.ts`, or why it did not start. */
    sharedStack: ServiceAddress | { readonly failure: string };
  }
}

/** Starts the `npm run dev` that end-to-end tests share, and unpacks Chromium before test files do so concurrently. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "qr-shared-"));
  // A failure here must fail only the tests that need the service, hence it is provided instead of thrown.
  const [started] = await Promise.allSettled([
    DevServer.start(["--persist-to", data]),
    chromium.executablePath(),
  ]);
  if (started.status === "fulfilled") {
    const { origin, issuer, dashboard, key } = started.value;
    project.provide("sharedStack", { origin, issuer, dashboard, key });
  } else {
    project.provide("sharedStack", { failure: String(started.reason) });
  }
  return async () => {
    if (started.status === "fulfilled") await started.value.interrupt();
    await rm(data, { recursive: true });
  };
}
