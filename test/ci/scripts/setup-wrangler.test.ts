import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { root, runWrangler } from "../../../scripts/lib/wrangler.ts";
import { token } from "../../e2e/support/installation/cloudflare.ts";
import { DeployedService } from "../../e2e/support/installation/deployed-service.ts";
import { examine, fetchAnything, replace, useDoctor } from "../../e2e/support/installation/doctor.ts";
import {
  cloudflare,
  complete,
  deploy,
  expectResources,
  folder,
  install,
  rotateAt,
  said,
  secretNames,
} from "../../e2e/support/installation/setup.ts";

useDoctor();

/** Runs the commands of a section of the documents, as an operator pastes them, in the test's folders. */
async function runDocumented(document: string, title: string): Promise<void> {
  const text = await readFile(join(root, document), "utf8");
  const [, section = ""] = text.split(`## ${title}\n`);
  const blocks = [...(section.split("\n## ")[0] ?? "").matchAll(/```sh\n(.*?)```/gs)].map(
    ([, block]) => block,
  );
  expect(blocks.length).toBeGreaterThan(0);
  const commands = blocks
    .join("\n")
    .replaceAll(".wrangler/installations", join(folder, "scratch"))
    .replaceAll("BOOKMARK", cloudflare.bookmark)
    // The configurations are in the test's folder, and so is the installation's file.
    .replace("npm run deploy -- qr --configs\n", "")
    .replaceAll(" installations/", ` ${join(folder, "installations")}/`);
  const run = promisify(execFile)("bash", ["-e", "-c", commands], { cwd: root });
  const { stderr = "" } = await run.catch((error: { stderr?: string }) => ({
    stderr: `failed: ${error.stderr}`,
  }));
  expect(stderr).not.toContain("failed: ");
}

it("wrangler itself installs the service, twice; the service itself counts the scans, and the doctor finds it well", async () => {
  const signal = new AbortController().signal;
  const config = join(folder, "scratch/qr/service.json");
  const name = "qr-code-management-service";
  await using service = new DeployedService(cloudflare, name, config);
  const world = { wrangler: (args: string[]) => runWrangler(args, signal), fetch: service.fetch };
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.base);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", token);
  const none = { enabled: false, previews_enabled: false };
  const expectSettings = () => {
    expect(Object.fromEntries(cloudflare.subdomains)).toEqual({
      [name]: none,
      "qr-code-images": none,
      "qr-code-edge": none,
    });
    expect(cloudflare.limits.get("qr-code-images")).toEqual({ cpu_ms: 20_000 });
    expect(cloudflare.codeUpdates.get(name)).toBe("immediate");
    expect(cloudflare.writes.join("\n")).not.toContain("/domains/");
  };
  try {
    cloudflare.refusesTriggers = true;
    cloudflare.refusesLimits = true;
    await install(complete, world);
    await expectResources();
    expect(said()).toContain("0001_triggers.sql imported");
    expect(said()).toContain("was created, scanned, counted and deleted");
    expect(cloudflare.limits.get("qr-code-images")).toBeUndefined();
    cloudflare.refusesLimits = false;
    const before = cloudflare.inventory;
    await install(["--yes"], world);
    expect(cloudflare.inventory).toEqual(before);
    expectSettings();

    await deploy(world);
    expectSettings();
    expect(said()).toContain(`--bookmark=${cloudflare.bookmark}`);
    expect(said()).toContain("npx wrangler rollback ");
    const now = Date.now();
    await rotateAt(now, "WEBHOOK_SECRET", {}, {}, world);
    await deploy(world);
    await rotateAt(now + 60 * 60_000, "WEBHOOK_SECRET", { finish: true }, {}, world);
    expect(secretNames().filter((name) => name.startsWith("WEBHOOK_SECRET"))).toEqual([
      expect.stringMatching(/^WEBHOOK_SECRET_\d{12}$/),
    ]);
    await install(["--yes"], world);
    expect(cloudflare.inventory).toEqual(before);
    replace({
      fetch: (input, init) =>
        new URL(String(input)).host.endsWith(".example.com")
          ? service.fetch(input, init)
          : fetchAnything(input, init),
    });
    await runDocumented("docs/operating/runbooks.md", "Restore the database");
    // Nothing runs cron triggers here, and this installation has no address for alerts.
    const { report } = await examine();
    expect(report).toMatch(/^Checked qr\n(?: {2}.*\n)+\n! alerts: Nobody is told .*\n {4}npm run setup -- /);
    expect(report).toMatch(/\n\? sweep: It hasn't run yet, on a new installation\.\n\n/);
    expect(report).toMatch(/\n1 to look after, 1 not checked, \d\d in order$/);
    await runDocumented("docs/operating/install.md", "Uninstall");
    const nothing = { databases: [], namespaces: [], buckets: [], queues: [], scripts: [], domains: [] };
    expect(cloudflare.inventory).toEqual(nothing);
    expect(await readdir(join(folder, "installations"))).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
