import { join } from "node:path";
import { deployWarning } from "./lib/deploy-check.ts";
import { deployInstallation } from "./lib/deploy-installation.ts";
import { Failure } from "./lib/failure.ts";
import { installationsFolder, listInstallations, readInstallation } from "./lib/installation.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { root, runWrangler } from "./lib/wrangler.ts";

/**
 * Deploys an installation to its account. Usage: npm run deploy [-- PREFIX]
 * @throws Failure if it isn't clear which, or it can't be deployed
 */
async function deploy(named: string | undefined, signal: AbortSignal): Promise<void> {
  const prefixes = await listInstallations(installationsFolder);
  if (named === undefined && prefixes.length > 1) {
    throw new Failure(`Say which installation: npm run deploy -- ${prefixes.join(" or ")}`);
  }
  const prefix = named ?? prefixes[0];
  const installation = prefix && (await readInstallation(installationsFolder, prefix));
  if (!installation)
    throw new Failure("There is no such installation yet. Install the service: npm run setup");
  const warning = deployWarning(installation);
  if (warning !== undefined) console.warn(warning);
  await deployInstallation(installation, {
    scratch: join(root, ".wrangler/installations"),
    wrangler: (args) => runWrangler(args, signal),
    secrets: {},
    done: (line) => console.log(`  ✓ ${line}`),
  });
}

async function main(signal: AbortSignal): Promise<number> {
  try {
    await deploy(process.argv[2], signal);
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
