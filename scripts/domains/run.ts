import { relative } from "node:path";
import { Api, ApiError, apiBase, explain } from "../lib/account/api.ts";
import { type Account, readScripts, readWorkerDomains, readZones } from "../lib/account/reads.ts";
import { type Means, readToken } from "../lib/account/token.ts";
import { Failure } from "../lib/failure.ts";
import { readSecretFile } from "../lib/files.ts";
import { leadToEdge, leadToService } from "../lib/installation/edge-hosts.ts";
import { attachHosts, checkHosts, detachHost, howToAttachLater, isOurs } from "../lib/installation/hosts.ts";
import {
  addressesOf,
  type Installation,
  installationFile,
  isWorkersDev,
  requireInstallation,
  type Workers,
  workersOf,
  writeInstallation,
} from "../lib/installation/installation.ts";
import { type Reach, waitUntilAnswering } from "../setup/proof.ts";
import { type RecordWorld, waitForRecords } from "../setup/records.ts";
import { operatorFile } from "../setup/secrets.ts";
import type { AddOptions, DomainsOptions, RemoveOptions } from "./options.ts";
import { type OperatedService, registerDomain, unregisterDomain } from "./registration.ts";

/** The means of the command, besides the account's API. */
export interface World extends Means, Reach, Pick<RecordWorld, "lookUpAt"> {
  /** The folder of the installations' files. */
  readonly folder: string;
}

/** An installation in its account, and the means to change its hosts. */
interface Context {
  readonly api: Api;
  readonly account: Account;
  readonly installation: Installation;
  readonly workers: Workers;
  /** Names the installation in commands, if there are several. */
  readonly prefixOption: string;
  readonly world: World;
}

/**
 * Lists, adds or removes hosts of an installation besides those of its origins. What is attached is asked of the account
 * each time, so that it can be interrupted anywhere and run again.
 * @throws Failure that says what to do
 */
export async function domains(
  options: Exclude<DomainsOptions, { action: "help" }>,
  world: World,
): Promise<void> {
  const installation = await requireInstallation(world.folder, options.prefix);
  const { accountId } = installation;
  if ("host" in options) requireFurtherHost(installation, options.host, options.action);
  const workers = workersOf(installation.prefix);
  const api = new Api(apiBase(world.env), await readToken(world), world.signal);
  const account = { id: accountId, name: "" };
  const prefixOption = options.prefix === undefined ? "" : ` --prefix ${options.prefix}`;
  const context = { api, account, installation, workers, prefixOption, world };
  try {
    if (options.action === "add") await add(options, context);
    else if (options.action === "remove") await remove(options, context);
    else if (options.action === "to-edge") await toEdge(context);
    else if (options.action === "to-main") await toMain(context);
    else await list(context);
  } catch (error) {
    if (error instanceof ApiError) throw new Failure(explain(error, accountId));
    throw error;
  }
}

/** Returns what the installation uses its own hosts for. */
function usesOf({ vars }: Installation): Map<string, string> {
  const { scanOrigin, appOrigin } = addressesOf(vars);
  return new Map([
    [new URL(appOrigin).host, "app"],
    [new URL(scanOrigin).host, scanOrigin === appOrigin ? "scans, app" : "scans"],
  ]);
}

/** @throws Failure for a host of the installation's origins, which only setup changes */
function requireFurtherHost(installation: Installation, host: string, action: "add" | "remove"): void {
  const use = usesOf(installation).get(host);
  if (use === undefined) return;
  const option = use === "app" ? "--app-domain HOST" : "--scan-domain HOST --move-scans";
  throw new Failure(
    `${host} is the installation's own host, for ${use === "app" ? "dashboard and API" : "scans"}. ${
      action === "add"
        ? `It points to the service already; if not: npm run setup -- --prefix ${installation.prefix}`
        : `Give it another one instead: npm run setup -- --prefix ${installation.prefix} ${option}`
    }`,
  );
}

/** Returns a path for display. */
const shown = (path: string) => relative(process.cwd(), path);

/** Returns a command for the same installation. */
const commandOf = ({ prefixOption }: Context, rest: string): string =>
  `npm run domains -- ${rest}${prefixOption}`;

async function list(context: Context): Promise<void> {
  const { api, account, installation, workers, world } = context;
  const { service } = workers;
  const attached = await readWorkerDomains(api, account);
  const own = usesOf(installation);
  const workerOf = (host: string) => attached.find(({ hostname }) => hostname === host)?.service;
  const others = attached
    .filter(({ hostname, service: worker }) => isOurs(worker, workers) && !own.has(hostname))
    .map(({ hostname }) => hostname)
    .filter((host) => !installation.hosts.includes(host));
  const file = shown(installationFile(world.folder, installation.prefix));
  const rows = [
    ...[...own].map(([host, use]) => [host, use, isWorkersDev(host) ? service : workerOf(host)] as const),
    ...installation.hosts.map((host) => [host, "further", workerOf(host)] as const),
    ...others.map((host) => [host, `not in ${file}`, workerOf(host)] as const),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  world.say(`Hosts of ${installation.prefix}`);
  for (const [host, use, worker] of rows) {
    const state = `points to ${destinationOf(worker, workers)}`;
    world.say(`  ${host.padEnd(widths[0] ?? 0)}  ${use.padEnd(widths[1] ?? 0)}  ${state}`);
  }
  const missing = rows.filter(([, , worker]) => !isOurs(worker, workers));
  const [lost] = missing.filter(([host]) => !own.has(host));
  const hints = [
    ...(missing.some(([host]) => own.has(host))
      ? [`To attach the installation's own: npm run setup -- --prefix ${installation.prefix}`]
      : []),
    ...(lost === undefined ? [] : [`To attach one: ${commandOf(context, `add ${lost[0]}`)}`]),
    ...(others[0] === undefined
      ? []
      : [`To have deployments keep ${others[0]}: ${commandOf(context, `add ${others[0]}`)}`]),
  ];
  for (const hint of hints) world.say(hint);
}

/** Says in words what a host leads to. */
function destinationOf(worker: string | undefined, { service, edge }: Workers): string {
  if (worker === service) return "the service";
  if (worker === edge) return "the service by its Worker for scans";
  return worker === undefined ? "nothing" : `the Worker ${worker}`;
}

/** @throws Failure if there is no Worker for scans */
async function toEdge(context: Context): Promise<void> {
  const { api, account, installation, workers, world } = context;
  if (!(await readScripts(api, account)).has(workers.edge)) {
    throw new Failure(
      `${workers.edge} isn't deployed. Deploy it, and point the hosts to it: npm run setup -- --edge`,
    );
  }
  await leadToEdge({ ...context, say: world.say }, installation);
  await noteEdge(true, context);
  world.say(`All hosts except the dashboard's point to ${workers.edge}.`);
}

async function toMain(context: Context): Promise<void> {
  const { installation, workers, world } = context;
  await leadToService({ ...context, say: world.say }, installation);
  await noteEdge(false, context);
  world.say(`All hosts point to ${workers.service}. ${workers.edge} gets no requests any more.`);
}

/** Writes whether hosts lead to the Worker for scans, so that deployments know. */
async function noteEdge(edge: boolean, { installation, world }: Context): Promise<void> {
  if (installation.edge === edge) return;
  await writeInstallation(world.folder, { ...installation, edge });
  world.say(`  ✓ ${shown(installationFile(world.folder, installation.prefix))} written. Commit it`);
}

async function add(options: AddOptions, context: Context): Promise<void> {
  const { api, account, installation, workers, world } = context;
  const { host, workspaceId, waitMinutes } = options;
  const { folder, say } = world;
  const workspaceOption = workspaceId === undefined ? "" : ` --workspace ${workspaceId}`;
  const command = commandOf(context, `add ${host}${workspaceOption}`);
  // Before anything changes: it is needed at the end.
  const operated = workspaceId === undefined ? undefined : await operatedService(context);
  const done = (line: string) => say(`  ✓ ${line}`);

  const hosts = await checkHosts(api, account, await readZones(api, account), [host], workers);
  const worker = installation.edge ? workers.edge : workers.service;
  await attachHosts(api, account, hosts, worker, howToAttachLater(command));
  done(
    hosts.missing.length > 0 ? `${host} attached to ${worker}` : `${host} was attached to ${worker} before`,
  );
  if (!installation.hosts.includes(host)) {
    await writeInstallation(folder, { ...installation, hosts: [...installation.hosts, host] });
    done(
      `${shown(installationFile(folder, installation.prefix))} written, so that deployments keep it. Commit it`,
    );
  }
  await waitForRecords(hosts, world, command);
  say("  … waiting for it to answer; a new certificate takes minutes");
  await waitUntilAnswering(world, host, waitMinutes, command);
  done(`https://${host} answers`);
  if (operated === undefined || workspaceId === undefined) {
    say(`
Every code answers at https://${host}, unless the host is a workspace's domain.
To make it one, where only its codes answer: ${commandOf(context, `add ${host} --workspace ID`)}`);
    return;
  }
  const state = `${host} points to the service.`;
  await registerDomain(operated, host, workspaceId, { command, state });
  done(`${host} is a domain of the workspace ${workspaceId}`);
  say(`
The workspace's codes answer there. Its admins choose in the dashboard which codes carry it.`);
}

async function remove({ host, yes }: RemoveOptions, context: Context): Promise<void> {
  const { api, account, installation, workers, world } = context;
  const { folder, say } = world;
  const operated = await operatedService(context);
  const done = (line: string) => say(`  ✓ ${line}`);
  const attached = (await readWorkerDomains(api, account)).find(({ hostname }) => hostname === host);
  const isAttached = isOurs(attached?.service, workers);
  const { scanOrigin } = addressesOf(installation.vars);
  for (const line of consequencesOf(host, scanOrigin, isAttached, attached?.service)) say(line);
  if (!yes) await confirm(host, world);
  const rest = { command: commandOf(context, `remove ${host}`), state: "Nothing is changed." };
  const wasDomain = await unregisterDomain(operated, host, rest);
  if (wasDomain) done(`${host} is no workspace's domain any more`);
  if (attached !== undefined && isAttached) {
    await detachHost(api, account, attached);
    done(`${host} detached from ${attached.service}`);
  }
  const isWritten = installation.hosts.includes(host);
  if (isWritten) {
    const hosts = installation.hosts.filter((each) => each !== host);
    await writeInstallation(folder, { ...installation, hosts });
    done(`${shown(installationFile(folder, installation.prefix))} written. Commit it`);
  }
  if (!wasDomain && !isAttached && !isWritten) say(`There is nothing of ${host} to remove.`);
}

/** Says what scans of a host will do once it is removed. @param worker the Worker that has the host */
function consequencesOf(
  host: string,
  scanOrigin: string,
  isAttached: boolean,
  worker: string | undefined,
): string[] {
  const isElsewhere = worker === undefined ? "is attached to no Worker" : `points to the Worker ${worker}`;
  return [
    isAttached
      ? `What is printed with https://${host} stops working: nothing answers there any more, and prints can't be changed.`
      : `${host} ${isElsewhere}, which stays as it is.`,
    `If it is a workspace's domain, it is taken from the workspace: codes with it get short links at ${scanOrigin}, where
they answer already, and no longer answer at ${host}.`,
  ];
}

/** @throws Failure if nobody agrees */
async function confirm(host: string, { ask }: World): Promise<void> {
  if (ask === undefined) throw new Failure("Nothing is changed yet. To go ahead, add --yes");
  const answer = (await ask(`To remove it, type ${host}: `)).trim().toLowerCase();
  if (answer !== host) throw new Failure("Nothing is changed.");
}

/** @throws Failure if the operator's secret isn't here */
async function operatedService({ installation, world }: Context): Promise<OperatedService> {
  const file = operatorFile(world.folder, installation.prefix);
  const operatorSecret = world.env.OPERATOR_SECRET ?? (await readSecretFile(file)).trim();
  if (operatorSecret !== "") {
    return { ...world, appOrigin: addressesOf(installation.vars).appOrigin, operatorSecret };
  }
  throw new Failure(`The operator's secret is neither in OPERATOR_SECRET nor in ${shown(file)}.
Nothing is changed. Get it from whoever installed the service, and run the same command again.`);
}
