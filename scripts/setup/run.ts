import { relative } from "node:path";
import type { Unstable_RawConfig as RawConfig } from "wrangler";
import { Api, ApiError, apiBase, explain } from "../lib/account/api.ts";
import { type Account, readWorkerDomains, readZones } from "../lib/account/reads.ts";
import { type Means, readToken } from "../lib/account/token.ts";
import { Failure } from "../lib/failure.ts";
import { advise } from "../lib/installation/advice.ts";
import { deployProblem, deployWarning, whoGetsIn } from "../lib/installation/deploy-check.ts";
import { deployInstallation } from "../lib/installation/deploy-installation.ts";
import { leadToService, scanHostsOf, tryLeadToEdge } from "../lib/installation/edge-hosts.ts";
import {
  attachFurtherHosts,
  attachHosts,
  checkHosts,
  type Hosts,
  missingHosts,
} from "../lib/installation/hosts.ts";
import {
  addressesOf,
  type Configs,
  hostsOf,
  type Installation,
  installationFile,
  installationText,
  isWorkersDev,
  readBaseConfigs,
  readInstallation,
  renderConfigs,
  workersOf,
  writeInstallation,
} from "../lib/installation/installation.ts";
import { newestName } from "../lib/installation/stored-secrets.ts";
import { askUntilValid } from "../lib/terminal.ts";
import { decideAlertUrl } from "./alerts.ts";
import { changedSettings, checkIssuer, keepPasskeys } from "./issuer.ts";
import type { SetupOptions } from "./options.ts";
import { ownersWay } from "./owner.ts";
import { accountLines, type Found, findAccount, probe, readSubdomain } from "./probe.ts";
import { type Deployed, prove, waitUntilReady } from "./proof.ts";
import { type RecordWorld, waitForRecords } from "./records.ts";
import { keepMessages, linesOf, type Resource, resourcesOf } from "./resources.ts";
import { decideSecrets, operatorFile, type Secrets, writeOperatorSecret } from "./secrets.ts";
import { decideSettings } from "./settings.ts";

/** The means of setup, besides the account's API. */
export interface World extends Means, Pick<RecordWorld, "lookUpAt"> {
  /** The folder of the installations' files. */
  readonly folder: string;
  /** A folder for the configurations that wrangler reads. */
  readonly scratch: string;
  /** Reaches the deployed service. */
  readonly fetch: typeof fetch;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Everything that is going to be done. */
interface Plan {
  readonly account: Account;
  readonly found: Found;
  readonly installation: Installation;
  /** Whether the installation's file says the same already. */
  readonly isWritten: boolean;
  readonly resources: readonly Resource[];
  /** The settings that differ from the deployed ones. */
  readonly changes: readonly string[];
  readonly secrets: Secrets;
  readonly configs: Configs;
  readonly hosts: Hosts;
  /** Further hosts of the installation's file that don't lead to the service. */
  readonly furtherHosts: readonly string[];
}

/**
 * Installs the service, or completes an installation. What exists is asked of the account each time, so that it can be
 * interrupted anywhere and run again.
 * @throws Failure that says what to do
 */
export async function setup(options: SetupOptions, world: World): Promise<void> {
  const api = new Api(apiBase(world.env), await readToken(world), world.signal);
  let accountId = "";
  try {
    const plan = await makePlan(api, options, world, (id) => {
      accountId = id;
    });
    for (const line of describePlan(plan, world.folder)) world.say(line);
    if (options.dryRun) return;
    await confirm(options, world);
    await carryOut(api, options, world, plan);
  } catch (error) {
    if (error instanceof ApiError) throw new Failure(explain(error, accountId));
    throw error;
  }
}

async function makePlan(
  api: Api,
  options: SetupOptions,
  world: World,
  onAccount: (id: string) => void,
): Promise<Plan> {
  const { prefix } = options;
  const file = await readInstallation(world.folder, prefix);
  const account = await chooseAccount(api, options, world, file);
  onAccount(account.id);
  const base = readBaseConfigs();
  const named = renderConfigs(base, {
    prefix,
    accountId: account.id,
    withoutR2: options.withoutR2,
    edge: true,
    ids: {},
    vars: {},
    hosts: [],
    wrangler: {},
  });
  const workers = workersOf(prefix);
  const found = await probe(api, account, named.service, workers.edge, prefix);
  const withoutR2 = await decideWithoutR2(options, world, { account, file, found });
  const zones = options.workersDev ? [] : await readZones(api, account);
  const defaults = textsOf(base.service.vars);
  const decided = await decideSettings({
    options,
    defaults,
    written: file?.vars,
    deployed: found.service?.vars,
    account,
    zones,
    workersDevHost: async () => `${workers.service}.${await readSubdomain(api, account)}.workers.dev`,
    ask: world.ask,
    say: world.say,
  });
  const catalogue = found.ids[named.service.d1_databases?.[0]?.binding ?? ""];
  const database = `/accounts/${account.id}/d1/database/${catalogue}`;
  const vars = await keepPasskeys(api, decided, found.service?.vars, database);
  const own = hostsOf(vars).filter((host) => !isWorkersDev(host));
  const hosts =
    own.length > 0 ? await checkHosts(api, account, zones, own, workers) : { missing: [], unread: [] };
  const { hosts: further = [], wrangler = {} } = file ?? {};
  const furtherHosts =
    further.length === 0 ? [] : missingHosts(further, await readWorkerDomains(api, account), workers);
  const hasDomain = scanHostsOf({ vars, hosts: further }).length > 0;
  // One that exists keeps its one Worker: the secret of a second one would count all visitors as new.
  const edge = options.edge ?? (file === undefined ? hasDomain : file.edge);
  if (edge && !hasDomain) {
    throw new Failure("The Worker for scans has no workers.dev address. Use a domain, or add --no-edge.");
  }
  const installation = {
    prefix,
    accountId: account.id,
    withoutR2,
    edge,
    ids: found.ids,
    vars,
    hosts: further,
    wrangler,
  };
  const configs = renderConfigs(base, installation);
  // The ids don't exist yet; everything else has to be right before anything is created.
  const { secrets: required = {}, workers_dev = true, preview_urls = true } = configs.service;
  const rest = { vars: textsOf(configs.service.vars), secrets: required, workers_dev, preview_urls };
  const problem = deployProblem({ d1_databases: [], kv_namespaces: [], ...rest });
  if (problem !== undefined) throw new Failure(problem);
  const { OIDC_ISSUER: issuer = "", DEFAULT_PLAN: plan } = rest.vars;
  if (issuer !== "" && issuer !== found.service?.vars.OIDC_ISSUER) {
    await checkIssuer(issuer, options.publicIssuer, plan || "free", world);
  }
  // The plan names the origins of a new service anyway.
  const { SCAN_ORIGIN = "", APP_ORIGIN = "" } = rest.vars;
  const before = { ...defaults, ...(found.service?.vars ?? { SCAN_ORIGIN, APP_ORIGIN }) };
  const changes = changedSettings(rest.vars, before);
  const stored = found.service?.secrets ?? new Set<string>();
  const alertUrl = await decideAlertUrl({
    given: options.alertUrl ?? (world.env.ALERT_URL || undefined),
    stored,
    ownHosts: hostsOf(vars),
    ask: options.yes || options.dryRun ? undefined : world.ask,
    say: world.say,
  });
  const secrets = await decideSecrets(
    base.service.secrets?.required ?? [],
    stored,
    operatorFile(world.folder, prefix),
    world.env,
    alertUrl,
  );
  const resources = resourcesOf(api, account, configs.service, prefix, found);
  const isWritten = file !== undefined && installationText(file) === installationText(installation);
  return {
    account,
    found,
    installation,
    isWritten,
    resources,
    changes,
    secrets,
    configs,
    hosts,
    furtherHosts,
  };
}

/** Decides whether to continue without R2, which not every account has. @throws Failure that says how to enable it */
async function decideWithoutR2(
  options: SetupOptions,
  { ask, say }: World,
  { account, file, found }: { account: Account; file: Installation | undefined; found: Found },
): Promise<boolean> {
  const isLeftOut = options.withoutR2 || found.buckets === undefined;
  if (isLeftOut && found.service?.hasBucket === true) {
    throw new Failure(`The installation has files in R2, which it wouldn't find any more.
Continue with R2: https://dash.cloudflare.com/${account.id}/r2/overview`);
  }
  if (!isLeftOut || options.withoutR2 || file?.withoutR2 === true) return isLeftOut;
  const advice = advise({ codes: [10042], accountId: account.id });
  if (ask === undefined) throw new Failure(advice ?? "");
  say(`R2 isn't enabled in this account. Without it, ${withoutR2Limits}.`);
  const answer = (await ask("Continue without R2? You can add it later. [Y/n] ")).trim().toLowerCase();
  if (!["", "y", "yes"].includes(answer)) throw new Failure(advice ?? "");
  return true;
}

const withoutR2Limits =
  "logos can have 64 KiB, prints 100 codes at once, and old scans stay in Durable Objects";

async function chooseAccount(
  api: Api,
  options: SetupOptions,
  { env, ask, say }: World,
  file: Installation | undefined,
): Promise<Account> {
  const accounts = await api.list<Account>("/accounts");
  const named = options.account ?? env.CLOUDFLARE_ACCOUNT_ID ?? file?.accountId;
  const account = findAccount(accounts, named);
  if (account !== undefined) return account;
  if (ask === undefined) {
    throw new Failure(`You have several accounts. Choose one with --account:\n${accountLines(accounts)}`);
  }
  say(`Your accounts:\n${accountLines(accounts)}`);
  return askUntilValid(ask, say, "Account (id or name): ", (answer) => requireAccount(accounts, answer));
}

function requireAccount(accounts: readonly Account[], named: string): Account {
  const account = findAccount(accounts, named);
  if (account === undefined) throw new Failure("Choose one of them.");
  return account;
}

const textsOf = (vars: RawConfig["vars"]): Record<string, string> =>
  Object.fromEntries(Object.entries(vars ?? {}).map(([name, value]) => [name, String(value)]));

const planNames = { free: "Workers Free", paid: "Workers Paid" };

/** The figures are those of docs/operating/plans.md. */
const freeCpuTime = `A request on Workers Free may take 10 ms of CPU time. Scans need less than 1. The first page of the dashboard that an
isolate loads has taken 120–300 ms, and the first request of the API 100–310: on Free, they can fail, and work when they
are repeated. For daily use of the dashboard, choose Workers Paid (docs/operating/plans.md).`;

const namesOf = ({ missing }: Hosts) => missing.map(({ host }) => host).join(", ");

/** Returns a path for display. */
const shown = (path: string) => relative(process.cwd(), path);

function describePlan(plan: Plan, folder: string): string[] {
  const { account, found, installation, resources, secrets, configs, hosts } = plan;
  const { vars, prefix } = installation;
  const [scans, app = scans] = hostsOf(vars);
  const attached = [...hosts.missing.map(({ host }) => host), ...plan.furtherHosts].join(", ");
  const list = (verb: string, lines: string[]) => lines.map((line) => `  ${verb.padEnd(7)} ${line}`);
  const stored = found.service?.secrets ?? new Set<string>();
  const isNew = (name: string) => !stored.has(name);
  const operator = newestName("OPERATOR_SECRET", stored);
  const made = Object.keys(secrets.values).filter(isNew);
  const replaced = Object.keys(secrets.values).filter((name) => !isNew(name) && name !== operator);
  if (!made.includes(operator) && secrets.operatorFrom !== "file") replaced.push(operator);
  const file = shown(installationFile(folder, prefix));
  const secretFile = `${shown(operatorFile(folder, prefix))}, the operator's secret`;
  const files = (isNew: boolean) => [
    ...(plan.isWritten === isNew ? [] : [file]),
    ...(secrets.operatorFrom === (isNew ? "new" : "file") ? [secretFile] : []),
  ];
  const warning = deployWarning({ vars });
  return [
    `Account  ${account.name} (${account.id})`,
    `Plan     ${found.plan === undefined ? 'not readable without the permission "Account: Billing: Read"' : planNames[found.plan]}`,
    `Scans    https://${scans}, in every code you print`,
    `App      https://${app}`,
    `Entry    ${whoGetsIn({ vars })}`,
    ...(found.plan === "paid" ? [] : ["", freeCpuTime]),
    ...(warning === undefined ? [] : ["", warning.trim()]),
    "",
    "This will",
    ...list("keep", [...linesOf(resources.filter(({ exists }) => exists)), ...files(false)]),
    ...list("skip", installation.withoutR2 ? [`R2: ${withoutR2Limits}`] : []),
    ...list("create", linesOf(resources.filter(({ exists }) => !exists))),
    ...list("write", files(true)),
    ...list("set", [...plan.changes]),
    ...list("migrate", [`D1 database ${configs.service.d1_databases?.[0]?.database_name}`]),
    ...list("deploy", [
      `Workers ${[configs.images, configs.service, configs.edge].flatMap((each) => each?.name ?? []).join(", ")}`,
    ]),
    ...list(
      "attach",
      attached === "" ? [] : [`${attached} to ${configs.service.name}, unless something else has them`],
    ),
    ...list("point", configs.edge ? [`${scanHostsOf(installation).join(", ")} to ${configs.edge.name}`] : []),
    ...list("store", made.length === 0 ? [] : [`new secrets ${made.join(", ")}`]),
    ...list("replace", replaced.length === 0 ? [] : [`secrets ${replaced.join(", ")}`]),
    ...list("check", ['by a code in the workspace "Installation check": create, scan, count, delete']),
    ...(hosts.unread.length === 0
      ? []
      : [
          "",
          `Not readable with this sign-in: ${hosts.unread.join(", ")}.`,
          "They may show that something else has a host. It keeps it then: setup stops and says so.",
        ]),
    "",
  ];
}

async function confirm({ yes }: SetupOptions, { ask }: World): Promise<void> {
  if (yes) return;
  if (ask === undefined) throw new Failure("Nothing is changed yet. To go ahead, add --yes");
  const answer = (await ask("Continue? [Y/n] ")).trim().toLowerCase();
  if (!["", "y", "yes"].includes(answer)) throw new Failure("Nothing is changed.");
}

async function carryOut(api: Api, options: SetupOptions, world: World, plan: Plan): Promise<void> {
  const { prefix } = options;
  const { account, resources, secrets, configs, hosts } = plan;
  const done = (line: string) => world.say(`  ✓ ${line}`);

  const ids: Record<string, string> = { ...plan.installation.ids };
  const missing = resources.filter(({ exists }) => !exists);
  for (const [index, resource] of missing.entries()) {
    const created = await resource.create();
    if (created !== undefined) ids[created.binding] = created.id;
    // One line for all of a kind, because there are many queues.
    const { kind } = resource;
    if (missing[index + 1]?.kind !== kind) {
      for (const line of linesOf(missing.filter((each) => each.kind === kind))) done(`${line} created`);
    }
  }

  const installation = { ...plan.installation, ids };
  const kept = await keepMessages(api, account, configs.service);
  if (kept.days === undefined) done("Queues keep messages for 14 days");
  else world.say(`  · Queues keep messages for ${kept.days}, because ${kept.reason}`);
  const secretFile = operatorFile(world.folder, prefix);
  // Before it is stored: an interruption must not leave a secret that nobody knows.
  if (secrets.operatorFrom === "new") {
    await writeOperatorSecret(secretFile, secrets.operator);
    done(`${shown(secretFile)} written`);
  }

  const attach = async () => {
    await attachHosts(api, account, hosts, configs.service.name ?? "");
    if (hosts.missing.length > 0) done(`${namesOf(hosts)} attached`);
  };
  const { service, plan: workersPlan } = plan.found;
  const stored = service?.secrets ?? new Set<string>();
  const deployment = { ...world, plan: workersPlan, secrets: secrets.values, stored, done };
  // A deployed service gets its hosts before it knows them, so that nothing has changed if one is refused.
  if (service !== undefined) await attach();
  await deployInstallation(installation, deployment);
  // Only now: what could not be deployed is no installation.
  if (!plan.isWritten) {
    await writeInstallation(world.folder, installation);
    done(`${shown(installationFile(world.folder, prefix))} written`);
  }
  if (service === undefined) await attach();
  const means = { api, account, workers: workersOf(prefix), say: world.say };
  await attachFurtherHosts(means, installation, world.say);
  if (installation.edge) await tryLeadToEdge(means, installation);
  else if (options.edge === false) await leadToService(means, installation);

  const deployed: Deployed = {
    ...addressesOf(installation.vars),
    operatorSecret: secrets.operator,
    fetch: world.fetch,
    say: world.say,
    pause: world.pause,
    signal: world.signal,
  };
  await waitForRecords(hosts, world);
  world.say("  … waiting for the addresses to answer; a new certificate takes minutes");
  await waitUntilReady(deployed, options.waitMinutes);
  done(`${deployed.appOrigin} answers, with every store and queue`);
  const [catalogue] = configs.service.d1_databases ?? [];
  const database = `/accounts/${account.id}/d1/database/${ids[catalogue?.binding ?? ""]}`;
  const { scanUrl } = await prove(api, database, deployed);
  done(`${scanUrl} was created, scanned, counted and deleted`);
  world.say("");
  const way = await ownersWay(api, database, deployed, installation.vars.OIDC_ISSUER ?? "");
  const r2 = installation.withoutR2
    ? [`To add R2 later: https://dash.cloudflare.com/${account.id}/r2/overview, then npm run setup`]
    : [];
  const later = [
    `To check it later: npm run doctor -- ${prefix}`,
    `To update later: git pull && npm ci && npm run deploy -- ${prefix}`,
  ];
  for (const line of [...way, ...r2, ...later]) world.say(line);
}
