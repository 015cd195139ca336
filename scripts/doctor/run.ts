import { readZones, type Zone, zoneOf } from "../lib/account/reads.ts";
import { type Means, openApi } from "../lib/account/token.ts";
import { Failure } from "../lib/failure.ts";
import { readSecretFile } from "../lib/files.ts";
import {
  hostsOf,
  type Installation,
  isWorkersDev,
  listInstallations,
  readBaseConfigs,
  readInstallation,
  renderConfigs,
} from "../lib/installation/installation.ts";
import type { Deployed } from "../setup/proof.ts";
import { operatorFile } from "../setup/secrets.ts";
import { checkAccount, findSubject } from "./account.ts";
import { checkExpiry } from "./domain-expiry.ts";
import { type Finding, unknown } from "./findings.ts";
import { checkLocal } from "./local.ts";
import type { DoctorOptions } from "./options.ts";
import { checkOrigin, type Outside } from "./outside.ts";
import { printable, reportLines } from "./report.ts";
import { checkReadiness, checkScan, scanDeployed } from "./service.ts";
import { deploy, type Subject, setup } from "./subject.ts";

/** The means of the doctor. */
export interface World extends Outside, Pick<Means, "env" | "wrangler" | "say"> {
  /** The folder of the installations' files. */
  readonly folder: string;
  readonly pause: () => Promise<void>;
}

/**
 * Checks an installation, or what runs on this machine, and prints what it finds.
 * @returns whether nothing has failed
 * @throws Failure if it isn't clear what to check
 */
export async function doctor(options: DoctorOptions, world: World): Promise<boolean> {
  const installation = options.local ? undefined : await chooseInstallation(options.prefix, world.folder);
  const { facts, findings } =
    installation === undefined
      ? { facts: [], findings: await checkLocal(options, world) }
      : await checkInstallation(installation, options, world);
  const place = installation === undefined ? `http://localhost:${options.port}` : installation.prefix;
  for (const line of [`Checked ${place}`, ...facts.map((fact) => `  ${printable(fact)}`), ""])
    world.say(line);
  for (const line of reportLines(findings, options.all)) world.say(line);
  return findings.every(({ status }) => status !== "failed");
}

async function chooseInstallation(
  named: string | undefined,
  folder: string,
): Promise<Installation | undefined> {
  const prefixes = await listInstallations(folder);
  if (named === undefined && prefixes.length > 1) {
    throw new Failure(`Say which installation: npm run doctor -- ${prefixes.join(" or ")}`);
  }
  const prefix = named ?? prefixes[0];
  if (prefix === undefined) return undefined;
  const installation = await readInstallation(folder, prefix);
  if (installation === undefined) {
    throw new Failure(`There is no installation ${prefix} in installations/. Install it: npm run setup`);
  }
  return installation;
}

async function checkInstallation(
  installation: Installation,
  options: DoctorOptions,
  world: World,
): Promise<{ facts: string[]; findings: Finding[] }> {
  const { prefix, vars } = installation;
  const configs = renderConfigs(readBaseConfigs(), installation);
  const api = await openApi(world);
  const found = api && (await findSubject(api, installation, configs, world.now));
  const subject = found?.subject;
  const unread =
    "Not checked: Worker, stores, queues, domains, quotas and backup in the account, and a scan.";
  const inAccount = [
    found?.finding ?? unknown("account", `${unread} Nobody is signed in.`, "npx wrangler login"),
    ...(subject === undefined ? [] : await checkAccount(subject)),
  ];
  const [scanHost = "", appHost = scanHost] = hostsOf(vars);
  const deployed: Deployed = {
    scanOrigin: `https://${scanHost}`,
    appOrigin: `https://${appHost}`,
    operatorSecret:
      world.env.OPERATOR_SECRET ?? (await readSecretFile(operatorFile(world.folder, prefix))).trim(),
    fetch: world.fetch,
    pause: world.pause,
    signal: world.signal,
  };
  const zones = subject === undefined ? [] : await zonesOf(subject);
  const [origins, registrations] = await Promise.all([
    Promise.all(hostsOf(vars).map((host) => checkHost(host, installation, zones, world))),
    Promise.all(registrationsOf(hostsOf(vars), zones, world)),
  ]);
  const outside = [...distinct(origins.flat()), ...registrations];
  const readiness = origins.every(answers)
    ? await checkReadiness(deployed, setup({ installation }))
    : undefined;
  const within =
    readiness === undefined
      ? [unknown("service", "Not checked: readiness and a scan, because it doesn't answer.")]
      : [...readiness.findings, await checkDeployedScan(subject, deployed, options)];
  const findings = [...inAccount, ...outside, ...within].map((finding) =>
    ofInstallation(finding, prefix, configs.service.name),
  );
  const backup = readiness?.findings.find(({ name, status }) => name === "backup" && status === "ok");
  const facts = factsOf(found?.finding, deployed, readiness?.service);
  return { facts: [...facts, ...(backup === undefined ? [] : [`Backup   ${backup.what}`])], findings };
}

/** Returns the facts about an installation, a line each: its account and plan, its addresses, its version and readiness. */
function factsOf(
  account: Finding | undefined,
  { scanOrigin, appOrigin }: Deployed,
  service: { readonly ready: boolean; readonly version: string } | undefined,
): string[] {
  return [
    ...(account?.status === "ok" ? [`Account  ${account.what}`] : []),
    `Scans    ${scanOrigin}`,
    `App      ${appOrigin}`,
    ...(service === undefined
      ? []
      : [`Service  version ${service.version}, ${service.ready ? "ready" : "not ready"}`]),
  ];
}

/** Reaches a host of an installation from here. */
function checkHost(
  host: string,
  installation: Installation,
  zones: readonly Zone[],
  world: World,
): Promise<Finding[]> {
  const zone = zoneOf(zones, host)?.name;
  // Cloudflare's dashboard asks for a domain that isn't known here. A host at workers.dev has none.
  const pageOf = (path: string) => {
    if (isWorkersDev(host)) return "https://dash.cloudflare.com/?to=/:account/workers-and-pages";
    if (zone === undefined) return `https://dash.cloudflare.com/?to=/:account/:zone/${path}`;
    return `https://dash.cloudflare.com/${installation.accountId}/${zone}/${path}`;
  };
  const fixes = {
    dns: pageOf("dns/records"),
    certificates: pageOf("ssl-tls/edge-certificates"),
    security: pageOf("security"),
    deploy: deploy({ installation }),
  };
  return checkOrigin(`https://${host}`, fixes, world);
}

/** Returns whether a host answered, be it with a warning. */
const answers = (findings: readonly Finding[]): boolean =>
  findings.every(({ status }) => status === "ok" || status === "warning");

/** Returns the account's domains; none if the token can't read them, which another finding says. */
const zonesOf = ({ api, account }: Subject): Promise<Zone[]> => readZones(api, account).catch(() => []);

/** Checks the registration of each domain of ours that the account has. */
function registrationsOf(hosts: readonly string[], zones: readonly Zone[], world: World): Promise<Finding>[] {
  const own = hosts.filter((host) => !isWorkersDev(host));
  const names = new Set(own.flatMap((host) => zoneOf(zones, host)?.name ?? []));
  if (own.length > 0 && names.size === 0) {
    const what = "Not checked, because the account's domains aren't readable.";
    return [Promise.resolve(unknown("registration of the domains", what))];
  }
  return [...names].map((name) => checkExpiry(name, world));
}

async function checkDeployedScan(
  subject: Subject | undefined,
  deployed: Deployed,
  { scan }: DoctorOptions,
): Promise<Finding> {
  if (!scan) return unknown("scan", "Not checked, by --no-scan.");
  if (subject === undefined) return unknown("scan", "Not checked, because the account isn't readable.");
  const [catalogue] = subject.configs.service.d1_databases ?? [];
  const database = `/accounts/${subject.account.id}/d1/database/${catalogue?.database_id}`;
  return checkScan(scanDeployed(subject.api, database, deployed), "npx wrangler tail");
}

/** Both origins compare the same clock. */
const distinct = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [finding.name, finding])).values(),
];

/** The service doesn't know the names of its installation, which its commands need. */
function ofInstallation(finding: Finding, prefix: string, worker = ""): Finding {
  const mend = finding.mend
    ?.replace(/^npm run deploy$/, `npm run deploy -- ${prefix}`)
    .replace(/^npm run setup$/, `npm run setup -- --prefix ${prefix}`)
    .replace(/^npx wrangler tail$/, `npx wrangler tail ${worker}`);
  return { ...finding, mend: mend ?? null };
}
