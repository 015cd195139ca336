import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { DevServer } from "./dev-server.ts";
import type { ServiceAddress } from "./running-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service that end-to-end tests share, or why it did not start: see `workspaces.ts`. */
    sharedStack: ServiceAddress | { readonly failure: string };
  }
}

/** Starts the one `npm run dev` that end-to-end tests share, and unpacks the browser before two files do so at once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "qr-shared-"));
  // What fails here fails the tests that need it, with its cause; all others run.
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
