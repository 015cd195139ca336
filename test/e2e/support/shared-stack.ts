import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { DevServer } from "./dev-server.ts";
import type { ServiceAddress } from "./running-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The service that end-to-end tests share: see `workspaces.ts`. */
    sharedStack: ServiceAddress;
  }
}

/** Starts the one `npm run dev` that end-to-end tests share, and unpacks the browser before two files do so at once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = await mkdtemp(join(tmpdir(), "qr-shared-"));
  const [server] = await Promise.all([
    DevServer.start(["--persist-to", data]),
    // The tests that need a browser fail of the same cause, and say so.
    chromium.executablePath().catch(() => undefined),
  ]);
  const { origin, issuer, dashboard, key } = server;
  project.provide("sharedStack", { origin, issuer, dashboard, key });
  return async () => {
    await server.interrupt();
    await rm(data, { recursive: true });
  };
}
