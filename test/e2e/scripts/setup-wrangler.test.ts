import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { runWrangler } from "../../../scripts/lib/wrangler.ts";
import { token } from "../support/cloudflare.ts";
import { DeployedService } from "../support/deployed-service.ts";
import { examine, fetchAnything, replace, useDoctor } from "../support/doctor.ts";
import { cloudflare, complete, expectResources, folder, install, said } from "../support/setup.ts";

useDoctor();

it("wrangler itself installs the service, twice; the service itself counts the scans, and the doctor finds it well", async () => {
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
    replace({
      fetch: (input, init) =>
        new URL(String(input)).host.endsWith(".example.com")
          ? service.fetch(input, init)
          : fetchAnything(input, init),
    });
    // Nothing runs cron triggers here.
    expect((await examine()).report).toMatch(
      /^Checked qr\n\n\? sweep: It hasn't run yet, on a new installation\.\n\n1 not checked, \d\d in order$/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});
