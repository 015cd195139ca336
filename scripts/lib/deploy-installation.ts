import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { adviseForOutput } from "./advice.ts";
import { deployProblem } from "./deploy-check.ts";
import { Failure } from "./failure.ts";
import { type Installation, readBaseConfigs, renderConfigs, writeConfigs } from "./installation.ts";

interface Deployment {
  /** A folder for the configurations that wrangler reads. */
  readonly scratch: string;
  /** Runs wrangler. @throws Failure with its output */
  readonly wrangler: (args: string[]) => Promise<string>;
  /** Secrets to store with the service. Those it has are kept. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Told after each step. */
  readonly done: (line: string) => void;
}

/** Migrates the database and deploys both Workers. @throws Failure that says what to do */
export async function deployInstallation(
  installation: Installation,
  { scratch, wrangler, secrets, done }: Deployment,
): Promise<void> {
  const { service, images } = renderConfigs(readBaseConfigs(), installation);
  const paths = await writeConfigs(join(scratch, installation.prefix), { service, images });
  const problem = deployProblem(unstable_readConfig({ config: paths.service }));
  if (problem !== undefined) throw new Failure(problem);
  const run = async (args: string[]) => {
    try {
      await wrangler(args);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const advice = adviseForOutput(error.message, installation.accountId);
      throw advice === undefined ? error : new Failure(`${advice}\n\n${error.message}`);
    }
  };
  // Migrations run first, because the new code may need the new tables. So does the images Worker, which the new code
  // calls.
  for (const { binding, database_name } of service.d1_databases ?? []) {
    await run(["d1", "migrations", "apply", binding, "--remote", "-c", paths.service]);
    done(`D1 database ${database_name} migrated`);
  }
  await run(["deploy", "-c", paths.images]);
  done(`Worker ${images.name} deployed`);
  await withSecretsFile(secrets, (args) => run(["deploy", "-c", paths.service, ...args]));
  done(`Worker ${service.name} deployed`);
}

/** Hands secrets to wrangler in a file that only this user can read, and that is gone when it ends. */
async function withSecretsFile(
  secrets: Readonly<Record<string, string>>,
  use: (args: string[]) => Promise<void>,
): Promise<void> {
  if (Object.keys(secrets).length === 0) return use([]);
  const folder = await mkdtemp(join(tmpdir(), "qr-secrets-"));
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    await use(["--secrets-file", file]);
  } finally {
    await rm(folder, { recursive: true });
  }
}
