import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Unstable_RawConfig as RawConfig, unstable_readConfig } from "wrangler";
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
import { listSecrets, newestName, type RunWrangler, withSecretsFile } from "./stored-secrets.ts";
import { shareVisitorSecret, visitorSecret } from "./visitor-secret.ts";

interface Deployment {
  /** The folder of the installations' files. */
  readonly folder: string;
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

/** Migrates the database and deploys the Workers. @throws Failure that says what to do */
export async function deployInstallation(
  installation: Installation,
  { folder: ownFolder, scratch, wrangler, plan, secrets, stored, done }: Deployment,
): Promise<void> {
  const configs = renderConfigs(readBaseConfigs(), installation, { plan });
  const { prefix } = installation;
  const folder = join(scratch, prefix);
  const paths = await writeConfigs(folder, configs);
  requireDeployable(paths.service);
  const run = (args: string[]) => advised(installation, wrangler(args));
  // Migrations run first, because the new code may need the new tables.
  for (const { binding, database_name, migrations_dir = "" } of configs.service.d1_databases ?? []) {
    const imported = (name: string) => done(`${name} imported, which D1 refused as a query`);
    await migrateRemotely(run, { binding, config: paths.service }, migrations_dir, folder, imported);
    done(`D1 database ${database_name} migrated`);
  }
  if (paths.edge === undefined || configs.edge === undefined) {
    await deployWorkers(run, configs, folder, { stored, secrets }, done);
    return;
  }
  const edge = await listSecrets(run, paths.edge);
  const known = { service: stored, edge, values: secrets, folder: ownFolder, prefix };
  const shared = await shareVisitorSecret(known);
  await deployWorkers(run, configs, folder, { stored, secrets: { ...secrets, ...shared.service } }, done);
  await deployEdge(run, configs.edge, paths.edge, { stored: edge, secrets: shared.edge });
  done(`Worker ${configs.edge.name} deployed`);
  if (!shared.isReplaced) return;
  done(`New ${visitorSecret} stored in both, because the service's can't be read: people who scanned before count as new
    visitors once. In a week, remove the previous one: npm run rotate -- ${visitorSecret} --finish`);
}

/** Deploys the Worker for scans. @param secrets the names of the stored ones, and those to store now */
async function deployEdge(
  run: RunWrangler,
  edge: RawConfig,
  path: string,
  { stored, secrets }: Pick<Deployment, "stored" | "secrets">,
): Promise<void> {
  const required = [newestName(visitorSecret, [...stored, ...Object.keys(secrets)])];
  await writeFile(path, JSON.stringify({ ...edge, secrets: { required } }, null, 2));
  await deployWith(run, path, secrets);
}

/** Deploys a Worker, with secrets if there are any to store. */
async function deployWith(
  run: RunWrangler,
  path: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const deploy = ["deploy", "-c", path];
  if (Object.keys(secrets).length === 0) await run(deploy);
  else await withSecretsFile(secrets, (file) => run([...deploy, "--secrets-file", file]));
}

/**
 * Deploys the service: first the images Worker, which it calls.
 * @param folder for the configurations that wrangler reads
 * @param secrets the names of the stored ones, and those to store now
 */
export async function deployWorkers(
  run: RunWrangler,
  { service: rendered, images, edge }: Configs,
  folder: string,
  { stored, secrets = {} }: Pick<Deployment, "stored"> & Partial<Pick<Deployment, "secrets">>,
  done: Deployment["done"],
): Promise<void> {
  const names = [...stored, ...Object.keys(secrets)];
  // A secret that has been rotated is stored under another name.
  const required = (rendered.secrets?.required ?? []).map((name) => newestName(name, names));
  const service = { ...rendered, secrets: { required } };
  const paths = await writeConfigs(folder, { service, images, edge });
  try {
    await run(["deploy", "-c", paths.images]);
  } catch (error) {
    const { limits, ...unlimited } = images;
    if (limits === undefined || !(error instanceof Failure && refusesLimits(error))) throw error;
    await writeConfigs(folder, { service, images: unlimited, edge });
    await run(["deploy", "-c", paths.images]);
  }
  done(`Worker ${images.name} deployed`);
  await deployWith(run, paths.service, secrets);
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
