import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { network } from "./doctor/network.ts";
import { parseDoctorOptions } from "./doctor/options.ts";
import { doctor } from "./doctor/run.ts";
import { parseCommandLine } from "./lib/command-line.ts";
import { Failure } from "./lib/failure.ts";
import { goBack } from "./lib/installation/go-back.ts";
import { installationsFolder, listInstallations } from "./lib/installation/installation.ts";
import { updateInstallation, writeOnly } from "./lib/installation/update-installation.ts";
import { checkOutRelease } from "./lib/release.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { terminalOf } from "./lib/terminal.ts";
import { root, runWrangler } from "./lib/wrangler.ts";

const usage = `Usage: npm run deploy [-- PREFIX] [options]

Brings an installation to the version of this checkout, or back to a released one.

  PREFIX           the installation (default: the only one in installations/)
  --configs        only write the complete configurations, for wrangler's own commands
  --to VERSION     go back to a release, such as 1.0.0, on the data of this version
  --yes            with --to: don't ask; end sessions and revoke keys that the release would give more rights
  --help           show this`;

/** @throws Failure, with the usage, for an invalid command line */
function parse(args: string[]) {
  const { values, positionals } = parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        configs: { type: "boolean", default: false },
        to: { type: "string" },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
  if (positionals.length > 1) {
    throw new Failure(`Only one installation at a time, not ${positionals.join(", ")}\n\n${usage}`);
  }
  return { ...values, prefix: positionals[0] };
}

/** Returns whether this is Cloudflare's build of a button, which knows no installation of setup. */
const isButton = async (): Promise<boolean> =>
  process.env.WORKERS_CI === "1" && (await listInstallations(installationsFolder)).length === 0;

/** @throws Failure if the button's command fails */
function runButton(): void {
  const { status } = spawnSync("npm", ["run", "deploy:button"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Failure("npm run deploy:button failed.");
}

async function main(signal: AbortSignal): Promise<number> {
  const means = {
    env: process.env,
    folder: installationsFolder,
    wrangler: (args: string[]) => runWrangler(args, signal),
    say: (line: string) => console.log(line),
    fetch,
    pause: () => delay(2000, undefined, { signal }),
    signal,
  };
  const world = {
    ...means,
    scratch: join(root, ".wrangler/installations"),
    doctor: (prefix: string) =>
      doctor(parseDoctorOptions([prefix], {}), { ...means, ...network, now: Date.now }),
  };
  try {
    const { prefix, configs, to, yes, help } = parse(process.argv.slice(2));
    if (help) console.log(usage);
    else if (configs) await writeOnly(prefix, world);
    else if (await isButton()) runButton();
    else if (to === undefined) await updateInstallation(prefix, world);
    else {
      const ask = terminalOf(signal);
      const more = { ask, checkOut: checkOutRelease, time: Date.now };
      await goBack({ prefix, version: to, yes }, { ...world, ...more });
    }
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
