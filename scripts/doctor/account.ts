import { globSync } from "node:fs";
import { basename, join } from "node:path";
import type { Api } from "../lib/account/api.ts";
import {
  type Account,
  type Binding,
  type Queue,
  readBindings,
  readBuckets,
  readDatabases,
  readNamespaces,
  readPlan,
  readQueues,
  readScripts,
  readWorkerDomains,
  readZones,
  zoneOf,
} from "../lib/account/reads.ts";
import {
  type Configs,
  hostsOf,
  type Installation,
  isWorkersDev,
  queuesOf,
} from "../lib/installation/installation.ts";
import { newestName } from "../lib/installation/stored-secrets.ts";
import { root } from "../lib/wrangler.ts";
import { queueRetentionSeconds } from "../setup/resources.ts";
import { checkBindings } from "./bindings.ts";
import { checkEdge, ofOwnWorker } from "./edge.ts";
import { type Finding, failed, ofError, ok, unknown, warning } from "./findings.ts";
import { checkQuotas } from "./quotas.ts";
import { addDomain, deploy, pageOf, pathOf, type Subject, setup } from "./subject.ts";

/** The checks that the account's API answers, by what they are about. */
const checks: Readonly<Record<string, (subject: Subject) => Promise<Finding | Finding[]>>> = {
  Worker: checkWorker,
  "images Worker": checkImagesWorker,
  database: checkDatabase,
  "KV namespace": checkNamespaces,
  "R2 bucket": checkBuckets,
  queues: checkQueues,
  "Worker for scans": checkEdge,
  domains: checkDomains,
  quotas: checkQuotas,
  backup: checkBackup,
};

/** Finds the installation's account. @returns a finding, and the account if it was found */
export async function findSubject(
  api: Api,
  installation: Installation,
  configs: Configs,
  now: () => number,
): Promise<{ finding: Finding; subject?: Subject }> {
  const { accountId } = installation;
  try {
    const account = (await api.list<Account>("/accounts")).find(({ id }) => id === accountId);
    if (account === undefined) {
      const what = `The token can't see the account ${accountId} of the installation's file.`;
      return { finding: failed("account", what, "npx wrangler login") };
    }
    const plan = await readPlan(api, account);
    const plans = { free: "Workers Free", paid: "Workers Paid" };
    const shown =
      plan === undefined ? `a plan that the token can't read without "Account: Billing: Read"` : plans[plan];
    return {
      finding: ok("account", `${account.name}, on ${shown}.`),
      subject: { api, account, plan, installation, configs, now },
    };
  } catch (error) {
    return { finding: ofError("account", error, accountId) };
  }
}

/** Checks that the account has everything of the installation, as its file and the configurations say. */
export async function checkAccount(subject: Subject): Promise<Finding[]> {
  const findings = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return await check(subject);
      } catch (error) {
        return ofError(name, error, subject.account.id);
      }
    }),
  );
  return findings.flat();
}

async function checkWorker(subject: Subject): Promise<Finding[]> {
  const { service } = subject.configs;
  const { name = "" } = service;
  if (!(await readScripts(subject.api, subject.account)).has(name)) {
    return [failed("Worker", `${name} isn't deployed.`, deploy(subject))];
  }
  const bindings = await readBindings(subject.api, subject.account, name);
  const deployed = new Map(bindings.map((binding) => [binding.name, binding]));
  return [
    ok("Worker", `${name} is deployed.`),
    checkBindings(subject, service, deployed),
    checkSettings(subject, deployed),
    checkSecrets(subject, deployed),
    await checkCron(subject),
  ];
}

function checkSettings(subject: Subject, deployed: ReadonlyMap<string, Binding>): Finding {
  const settings = Object.entries(subject.configs.service.vars ?? {});
  const different = settings.filter(([name, value]) => (deployed.get(name)?.text ?? "") !== String(value));
  if (different.length === 0) return ok("settings", "The Worker has those of the installation's file.");
  const names = different.map(([name]) => name).join(", ");
  return warning("settings", `Not deployed since they were changed: ${names}.`, deploy(subject));
}

function checkSecrets(subject: Subject, deployed: ReadonlyMap<string, Binding>): Finding {
  const required = subject.configs.service.secrets?.required ?? [];
  // A secret that has been rotated is stored under another name.
  const newest = required.map((name) => newestName(name, deployed.keys()));
  const missing = newest.filter((name) => deployed.get(name)?.type !== "secret_text");
  return missing.length === 0
    ? ok("Worker's secrets", `All ${required.length} are there.`)
    : failed("Worker's secrets", `Not set: ${missing.join(", ")}.`, setup(subject));
}

async function checkImagesWorker(subject: Subject): Promise<Finding> {
  const { name = "" } = subject.configs.images;
  return (await readScripts(subject.api, subject.account)).has(name)
    ? ok("images Worker", `${name} is deployed.`)
    : failed("images Worker", `${name} isn't deployed.`, deploy(subject));
}

const migrationFiles = () =>
  globSync("*.sql", { cwd: join(root, "migrations") })
    .map((file) => basename(file, ".sql"))
    .sort();

async function checkDatabase(subject: Subject): Promise<Finding[]> {
  const [catalogue] = subject.configs.service.d1_databases ?? [];
  const path = `${pathOf(subject)}/d1/database`;
  const databases = await readDatabases(subject.api, subject.account);
  const { database_id: id = "", database_name: name = "" } = catalogue ?? {};
  if (!databases.some(({ uuid }) => uuid === id)) {
    return [failed("database", `The account has no D1 database ${name} with the id ${id}.`, setup(subject))];
  }
  const query = (sql: string) =>
    subject.api.post<{ results: { name: string }[] }[]>(`${path}/${id}/query`, { sql });
  const [tables] = await query("SELECT name FROM sqlite_master WHERE name = 'd1_migrations'");
  const [rows] = tables?.results.length === 0 ? [] : await query("SELECT name FROM d1_migrations");
  const applied = (rows?.results ?? []).map((row) => row.name.replace(/\.sql$/, ""));
  const own = migrationFiles();
  const missing = own.filter((migration) => !applied.includes(migration));
  const newer = applied.filter((migration) => !own.includes(migration));
  const { file_size: bytes = 0 } = await subject.api.get<{ file_size?: number }>(`${path}/${id}`);
  return [checkSize(subject, name, bytes), checkMigrations(subject, own.length, missing, newer)];
}

/** The bytes that a database can hold. The paid plan's are assumed where the plan isn't readable. */
const databaseBytes = { free: 500_000_000, paid: 10_000_000_000 };

function checkSize(subject: Subject, name: string, bytes: number): Finding {
  const share = bytes / databaseBytes[subject.plan ?? "paid"];
  const what = `${name} has ${Math.ceil(bytes / 1_000_000)} MB, ${Math.round(share * 100)} % of what it can hold.`;
  return share < 0.8 ? ok("database", what) : warning("database", what, pageOf(subject, "workers/d1"));
}

function checkMigrations(
  subject: Subject,
  count: number,
  missing: readonly string[],
  newer: readonly string[],
): Finding {
  if (missing.length > 0) return failed("migrations", `Not applied: ${missing.join(", ")}.`, deploy(subject));
  if (newer.length === 0) return ok("migrations", `All ${count} of this checkout are applied.`);
  const what = `A newer version has migrated the database, which this checkout doesn't know: ${newer.join(", ")}.`;
  return warning("migrations", what, "git pull && npm ci");
}

async function checkNamespaces(subject: Subject): Promise<Finding[]> {
  const namespaces = await readNamespaces(subject.api, subject.account);
  return (subject.configs.service.kv_namespaces ?? []).map(({ binding, id = "" }) =>
    namespaces.some((namespace) => namespace.id === id)
      ? ok("KV namespace", `${binding} is there.`)
      : failed(
          "KV namespace",
          `The account has no namespace with the id ${id} of ${binding}.`,
          setup(subject),
        ),
  );
}

async function checkBuckets(subject: Subject): Promise<Finding[]> {
  const wanted = subject.configs.service.r2_buckets ?? [];
  if (wanted.length === 0) return [ok("R2 bucket", "The installation has none.")];
  const buckets = await readBuckets(subject.api, subject.account, subject.configs.service);
  if (buckets === undefined) {
    return [failed("R2 bucket", "R2 isn't enabled in this account.", pageOf(subject, "r2/overview"))];
  }
  return wanted.map(({ bucket_name: name = "" }) =>
    buckets.has(name)
      ? ok("R2 bucket", `${name} is there.`)
      : failed("R2 bucket", `${name} isn't there.`, setup(subject)),
  );
}

async function checkQueues(subject: Subject): Promise<Finding[]> {
  const { service } = subject.configs;
  const queues = await readQueues(subject.api, subject.account);
  const found = new Map(queues.map((queue) => [queue.queue_name, queue]));
  const names = queuesOf(service);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) {
    return [failed("queues", `Not there: ${missing.join(", ")}.`, setup(subject))];
  }
  const own = queues.filter(({ queue_name }) => names.includes(queue_name));
  return [
    ok("queues", `All ${names.length} are there.`),
    checkConsumers(subject, own),
    checkDelivery(own),
    checkRetention(subject, own),
  ];
}

function checkConsumers(subject: Subject, queues: readonly Queue[]): Finding {
  const { service } = subject.configs;
  const consumers = service.queues?.consumers ?? [];
  for (const { queue, dead_letter_queue: dead } of consumers) {
    const [actual] = queues.find(({ queue_name }) => queue_name === queue)?.consumers ?? [];
    const script = actual?.script ?? actual?.script_name;
    if (script === undefined) {
      return failed("queue consumers", `Nothing takes the messages of ${queue}.`, deploy(subject));
    }
    if (script !== service.name) {
      const what = `${queue} has another Worker as its consumer: ${script}.`;
      return failed("queue consumers", what, pageOf(subject, "workers/queues"));
    }
    const actualDead = actual?.dead_letter_queue;
    if (actualDead !== undefined && actualDead !== dead) {
      const what = `Messages of ${queue} that fail don't go to ${dead}.`;
      return failed("queue consumers", what, deploy(subject));
    }
  }
  return ok("queue consumers", `All ${consumers.length} queues have this service's.`);
}

function checkDelivery(queues: readonly Queue[]): Finding {
  const paused = queues.find(({ settings }) => settings?.delivery_paused === true)?.queue_name;
  if (paused === undefined) return ok("queue delivery", "None is paused.");
  return failed(
    "queue delivery",
    `The delivery of ${paused} is paused.`,
    `npx wrangler queues resume-delivery ${paused}`,
  );
}

/** Queues of the Free plan keep messages for a day, which can't be changed. */
function checkRetention(subject: Subject, queues: readonly Queue[]): Finding {
  const name = "queue retention";
  if (subject.plan === "free") return ok(name, "A day, which is all that Workers Free has.");
  const periods = queues.map(
    (queue) => [queue.queue_name, queue.settings?.message_retention_period] as const,
  );
  const short = periods.filter(([, seconds = queueRetentionSeconds]) => seconds < queueRetentionSeconds);
  if (short.length === 0) {
    return periods.every(([, seconds]) => seconds !== undefined)
      ? ok(name, "14 days.")
      : unknown(name, "Not checked, because the account doesn't say how long messages are kept.");
  }
  const days = (Math.min(...short.map(([, seconds = 0]) => seconds)) / 86_400).toFixed(1);
  const names = short.map(([queue]) => queue).join(", ");
  const what = `Messages are kept for ${days} days instead of 14 in ${names}.`;
  return subject.plan === "paid"
    ? warning(name, what, setup(subject))
    : unknown(name, `${what} Workers Paid allows 14, and the token can't read your plan.`, setup(subject));
}

async function checkCron(subject: Subject): Promise<Finding> {
  const { service } = subject.configs;
  const { schedules } = await subject.api.get<{ schedules: { cron: string }[] }>(
    `${pathOf(subject)}/workers/scripts/${service.name}/schedules`,
  );
  const wanted = service.triggers?.crons ?? [];
  return wanted.every((cron) => schedules.some((schedule) => schedule.cron === cron))
    ? ok("cron trigger", `Set to ${wanted.join(", ")}.`)
    : failed("cron trigger", "The Worker has none, so the sweep doesn't run.", deploy(subject));
}

async function checkDomains(subject: Subject): Promise<Finding[]> {
  const hosts = hostsOf(subject.installation.vars).filter((host) => !isWorkersDev(host));
  if (hosts.length === 0) {
    const what = "Codes carry a workers.dev address, which you can't take along.";
    return [warning("domains", what, `${setup(subject)} --move-scans --scan-domain qr.example.com`)];
  }
  const zones = await readZones(subject.api, subject.account);
  const domains = await readWorkerDomains(subject.api, subject.account);
  const furtherHosts = subject.installation.hosts;
  return [...hosts, ...furtherHosts].map((host) => {
    const zone = zoneOf(zones, host);
    if (zone === undefined) {
      return failed(
        `domain ${host}`,
        "Its domain isn't in the account any more.",
        pageOf(subject, "add-site"),
      );
    }
    if (zone.status !== "active") {
      const what = `${zone.name} is ${zone.status}: its name servers don't point to Cloudflare.`;
      return failed(`domain ${host}`, what, pageOf(subject, zone.name));
    }
    const worker = domains.find(({ hostname }) => hostname === host)?.service;
    const own = ofOwnWorker(subject, host, worker);
    if (own !== undefined) return own;
    const fix = hosts.includes(host) ? setup(subject) : addDomain(subject, host);
    return failed(`domain ${host}`, `It points to ${worker ?? "no Worker"}.`, fix);
  });
}

/** Cloudflare keeps each database's past, so that it can be restored to any minute. */
async function checkBackup(subject: Subject): Promise<Finding> {
  const [catalogue] = subject.configs.service.d1_databases ?? [];
  const { bookmark } = await subject.api.get<{ bookmark?: string }>(
    `${pathOf(subject)}/d1/database/${catalogue?.database_id}/time_travel/bookmark`,
  );
  if (bookmark === undefined) {
    const what = "The database has no bookmark to restore it to.";
    return warning("backup", what, pageOf(subject, "workers/d1"));
  }
  const days = subject.plan === "paid" ? "30 days" : "7 days";
  return ok("backup", `The database can be restored to any minute of the last ${days}, now at ${bookmark}.`);
}
