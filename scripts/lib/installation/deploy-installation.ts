import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { Failure } from "../failure.ts";
import { adviseForOutput } from "./advice.ts";
import { deployProblem } from "./deploy-check.ts";
import {
  type Configs,
  type Installation,
  readBaseConfigs,
  renderConfigs,
  writeConfigs,
} from "./installation.ts";
import { migrateRemotely } from "./remote-migrations.ts";
import { newestName, type RunWrangler, withSecretsFile } from "./stored-secrets.ts";

interface Deployment {
  /** A folder for the configurations that wrangler reads. */
  readonly scratch: string;
  readonly wrangler: RunWrangler;
  /** The account's Workers plan, if it is known. */
  readonly plan: "free" | "paid" | undefined;
  /** Secrets to store with the service. Those it has are kept. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The names of the secrets that the service has. */
  readonly stored: ReadonlySet<string>;
  /** Called after each step. */
  readonly done: (line: string) => void;
}

/** Migrates the database and deploys both Workers. @throws Failure that says what to do */
export async function deployInstallation(
  installation: Installation,
  { scratch, wrangler, plan, secrets, stored, done }: Deployment,
): Promise<void> {
  const configs = renderConfigs(readBaseConfigs(), installation, { plan });
  const folder = join(scratch, installation.prefix);
  const paths = await writeConfigs(folder, configs);
  requireDeployable(paths.service);
  const run = (args: string[]) => advised(installation, wrangler(args));
  // Migrations run first, because the new code may need the new tables.
  for (const { binding, database_name, migrations_dir = "" } of configs.service.d1_databases ?? []) {
    const imported = (name: string) => done(`${name} imported, which D1 refused as a query`);
    await migrateRemotely(run, { binding, config: paths.service }, migrations_dir, folder, imported);
    done(`D1 database ${database_name} migrated`);
  }
  await deployWorkers(run, configs, folder, { stored, secrets }, done);
}

/**
 * Deploys both Workers: first the images Worker, which the service calls.
 * @param folder for the configurations that wrangler reads
 * @param secrets the names of the stored ones, and those to store now
 */
export async function deployWorkers(
  run: RunWrangler,
  { service: rendered, images }: Configs,
  folder: string,
  { stored, secrets = {} }: Pick<Deployment, "stored"> & Partial<Pick<Deployment, "secrets">>,
  done: Deployment["done"],
): Promise<void> {
  const names = [...stored, ...Object.keys(secrets)];
  // A secret that has been rotated is stored under another name.
  const required = (rendered.secrets?.required ?? []).map((name) => newestName(name, names));
  const service = { ...rendered, secrets: { required } };
  const paths = await writeConfigs(folder, { service, images });
  try {
    await run(["deploy", "-c", paths.images]);
  } catch (error) {
    const { limits, ...unlimited } = images;
    if (limits === undefined || !(error instanceof Failure && refusesLimits(error))) throw error;
    await writeConfigs(folder, { service, images: unlimited });
    await run(["deploy", "-c", paths.images]);
  }
  done(`Worker ${images.name} deployed`);
  const deploy = ["deploy", "-c", paths.service];
  if (Object.keys(secrets).length === 0) await run(deploy);
  else await withSecretsFile(secrets, (file) => run([...deploy, "--secrets-file", file]));
  done(`Worker ${service.name} deployed`);
}

/** Returns whether Cloudflare refused CPU limits, which Workers Free doesn't have. */
const refusesLimits = ({ message }: Failure): boolean => message.includes("[code: 100328]");

/** @param config the path of the service's configuration @throws Failure if it can't be deployed */
export function requireDeployable(config: string): void {
  const problem = deployProblem(unstable_readConfig({ config }));
  if (problem !== undefined) throw new Failure(problem);
}

/** Adds to a failure of wrangler how to fix it, if that is known. */
export async function advised<Result>({ accountId }: Installation, run: Promise<Result>): Promise<Result> {
  try {
    return await run;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const advice = adviseForOutput(error.message, accountId);
    throw advice === undefined ? error : new Failure(`${advice}\n\n${error.message}`);
  }
}
