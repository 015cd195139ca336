import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runWrangler } from "../../../scripts/lib/wrangler.ts";
import { token } from "../support/cloudflare.ts";
import { DeployedService } from "../support/deployed-service.ts";
import {
  cloudflare,
  complete,
  expectResources,
  folder,
  install,
  said,
  useAccount,
} from "../support/setup.ts";

useAccount();

it("wrangler itself installs the service, twice, and the service itself counts the scans", async () => {
  const signal = new AbortController().signal;
  const config = join(folder, "scratch/qr/service.json");
  await using service = new DeployedService(cloudflare, "qr-code-management-service", config);
  const world = { wrangler: (args: string[]) => runWrangler(args, signal), fetch: service.fetch };
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.base);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", token);
  try {
    await install(complete, world);
    await expectResources();
    expect(said()).toContain("was created, scanned, counted and deleted");
    const before = cloudflare.inventory;
    await install(["--yes"], world);
    expect(cloudflare.inventory).toEqual(before);
  } finally {
    vi.unstubAllEnvs();
  }
});
