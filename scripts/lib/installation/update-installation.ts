import { join, relative } from "node:path";
import * as z from "zod";
import release from "../../../package.json" with { type: "json" };
import { type Deployed, request } from "../../setup/proof.ts";
import { ApiError, explain } from "../account/api.ts";
import { readPlan } from "../account/reads.ts";
import { openApi } from "../account/token.ts";
import { Failure } from "../failure.ts";
import { readSchema, requireKnownSchema } from "../schema.ts";
import { deployWarning } from "./deploy-check.ts";
import { advised, deployInstallation, requireDeployable } from "./deploy-installation.ts";
import { tryLeadToEdge } from "./edge-hosts.ts";
import { attachFurtherHosts, attachMissingHosts } from "./hosts.ts";
import {
  addressesOf,
  type ConfigPaths,
  hostsOf,
  type Installation,
  isWorkersDev,
  readBaseConfigs,
  renderConfigs,
  requireInstallation,
  workersOf,
  writeConfigs,
} from "./installation.ts";
import { queryRemotely } from "./remote-migrations.ts";
import { listSecrets, type RunWrangler } from "./stored-secrets.ts";

export interface UpdateWorld {
  readonly env: NodeJS.Dict<string>;
  /** The folder of the installations' files. */
  readonly folder: string;
  /** A folder for the configurations that wrangler reads. */
  readonly scratch: string;
  readonly wrangler: RunWrangler;
  readonly say: (line: string) => void;
  /** Reaches the deployed service. */
  readonly fetch: typeof fetch;
  /** Checks everything and prints what it finds. @returns whether nothing has failed */
  readonly doctor: (prefix: string) => Promise<boolean>;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** How long a deployed version may take to answer everywhere. */
const waitMinutes = 2;

/**
 * Brings an installation to this version, checks that it answers, and says how to go back.
 * @param named its prefix, if there are several
 * @throws Failure that says what to do
 */
export async function updateInstallation(named: string | undefined, world: UpdateWorld): Promise<void> {
  const { folder, scratch, wrangler, say } = world;
  const installation = await requireInstallation(folder, named);
  const warning = deployWarning(installation);
  if (warning !== undefined) say(warning);
  const configs = renderConfigs(readBaseConfigs(), installation);
  const paths = await writeConfigs(join(scratch, installation.prefix), configs);
  const run: RunWrangler = (args) => advised(installation, wrangler(args));
  const done = (line: string) => say(`  ✓ ${line}`);

  const [catalogue] = configs.service.d1_databases ?? [];
  const binding = catalogue?.binding ?? "DB";
  const query = queryRemotely(run, { binding, config: paths.service });
  requireKnownSchema(await readSchema(query), catalogue?.database_name ?? binding);
  const { bookmark } = Bookmark.parse(
    JSON.parse(await run(["d1", "time-travel", "info", binding, "--json", "-c", paths.service])),
  );
  const before = {
    service: await versionOf(wrangler, paths.service),
    edge: paths.edge === undefined ? undefined : await versionOf(wrangler, paths.edge),
    images: await versionOf(wrangler, paths.images),
  };
  const back = wayBack(paths, before, binding, bookmark);
  done(`Noted the present state: bookmark ${bookmark}`);
  requireDeployable(paths.service);
  const plan = await prepareAccount(installation, world);
  try {
    await deployInstallation(installation, {
      folder,
      scratch,
      wrangler,
      plan,
      secrets: {},
      stored: await listSecrets(run, paths.service),
      done,
    });
    await leadHosts(installation, world);
    await verify(installation, world);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`${error.message}\n\n${back}`);
  }
  say(`\n${back}`);
}

/** Writes the complete configurations of an installation, as a fresh clone lacks them, and says where they are. */
export async function writeOnly(
  named: string | undefined,
  { folder, scratch, say }: Pick<UpdateWorld, "folder" | "scratch" | "say">,
): Promise<void> {
  const installation = await requireInstallation(folder, named);
  const configs = renderConfigs(readBaseConfigs(), installation);
  const paths = await writeConfigs(join(scratch, installation.prefix), configs);
  for (const path of Object.values(paths)) say(`  ✓ ${relative(process.cwd(), path)} written`);
}

/**
 * Attaches the installation's hosts that don't lead to its service yet, before the service knows them, so that nothing
 * has changed if one of its origins is refused.
 * @returns the account's Workers plan, if it is known
 */
async function prepareAccount(installation: Installation, world: UpdateWorld) {
  const { accountId, prefix, vars } = installation;
  const api = await openApi(world);
  if (api === undefined) return undefined;
  const hosts = hostsOf(vars).filter((host) => !isWorkersDev(host));
  try {
    const attachment = { api, account: { id: accountId, name: "" }, workers: workersOf(prefix) };
    const attached = await attachMissingHosts(attachment, hosts);
    if (attached.length > 0) world.say(`  ✓ ${attached.join(", ")} attached`);
    await attachFurtherHosts(attachment, installation, world.say);
    return await readPlan(api, { id: accountId });
  } catch (error) {
    if (error instanceof ApiError) throw new Failure(explain(error, accountId));
    throw error;
  }
}

/** Leads hosts for scans to their Worker, now that it is deployed, if the installation has one. */
async function leadHosts(installation: Installation, world: UpdateWorld): Promise<void> {
  const { accountId, edge, prefix } = installation;
  const api = edge ? await openApi(world) : undefined;
  if (api === undefined) return;
  const account = { id: accountId, name: "" };
  await tryLeadToEdge({ api, account, workers: workersOf(prefix), say: world.say }, installation);
}

const Bookmark = z.object({ bookmark: z.string() });
const Deployment = z.object({ versions: z.array(z.object({ version_id: z.string() })) });

/** Returns the id of the deployed version of a Worker; undefined if there is none. */
async function versionOf(wrangler: RunWrangler, config: string): Promise<string | undefined> {
  const output = await wrangler(["deployments", "status", "--json", "-c", config]).catch((error: unknown) => {
    if (error instanceof Failure) return "null";
    throw error;
  });
  return Deployment.safeParse(JSON.parse(output)).data?.versions[0]?.version_id;
}

/** Has Durable Objects take another version at once, also where a configuration doesn't say so. */
const immediately = ["--durable-objects-code-update-mode", "immediate"];

/** Returns the commands that take back a deployment. */
function wayBack(
  paths: ConfigPaths,
  before: Readonly<Record<"service" | "edge" | "images", string | undefined>>,
  binding: string,
  bookmark: string,
): string {
  const rollback = (version: string | undefined, config: string | undefined, ...flags: string[]) =>
    version === undefined || config === undefined
      ? []
      : [
          `  ${["npx wrangler rollback", version, "-c", relative(process.cwd(), config), ...flags].join(" ")}`,
        ];
  return [
    "To go back to the version before:",
    ...rollback(before.service, paths.service, ...immediately),
    ...rollback(before.edge, paths.edge),
    ...rollback(before.images, paths.images),
    "It works with the migrated database. To take the database back, too, which loses what was changed since:",
    `  npx wrangler d1 time-travel restore ${binding} --bookmark=${bookmark} -c ${relative(process.cwd(), paths.service)}`,
    "Then follow docs/operating/runbooks.md, Restore the database.",
  ].join("\n");
}

/** Waits until the service answers with this version, then has everything checked. */
async function verify(installation: Installation, world: UpdateWorld): Promise<void> {
  await waitForVersion(installation, release.version, world);
  if (await world.doctor(installation.prefix)) return;
  throw new Failure("The new version is deployed, but something is wrong: see above.");
}

/** Waits until the service answers with a version. @throws Failure with its last answer, if it doesn't in time */
export async function waitForVersion(
  { vars }: Installation,
  version: string,
  world: UpdateWorld,
): Promise<void> {
  const deployed: Deployed = { ...addressesOf(vars), ...world, operatorSecret: "" };
  const url = `${deployed.appOrigin}/healthz`;
  const deadline = Date.now() + waitMinutes * 60_000;
  for (;;) {
    const answer = await request(deployed, url).then(
      (response) => response.text(),
      (error: unknown) => {
        world.signal.throwIfAborted();
        return error instanceof Error ? error.message : String(error);
      },
    );
    if (answer === JSON.stringify({ version })) break;
    if (Date.now() >= deadline) {
      throw new Failure(`${url} doesn't answer with version ${version}: ${answer.slice(0, 200)}`);
    }
    await world.pause();
  }
  world.say(`  ✓ ${deployed.appOrigin} answers with version ${version}`);
}
