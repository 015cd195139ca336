import type { Finding } from "../../contract/resources/operations/operations.ts";
import { describeError, log } from "../../lib/log.ts";
import { isLoopback } from "../../lib/web/origin.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { regions } from "../../protocol/regions.ts";
import { hasAlertAddresses } from "../../store/alert-addresses.ts";
import { readBackupRecords } from "../../store/backup/records.ts";
import { countCustomHostnames } from "../../store/domains/domains.ts";
import { oldestWaiting } from "../../store/events.ts";
import { countDeadLettersByQueue } from "../../store/operations/dead-letters.ts";
import {
  readCatalogue,
  readClock,
  readMigrations,
  readRouteCache,
  readRuns,
} from "../../store/operations/readiness.ts";
import { findRefusal } from "../../store/routing/route-cache-refusals.ts";
import type { CustomHostnameSettings, Deps } from "../deps.ts";
import { readProviderMetadata } from "../identity/provider.ts";
import { minSecretLength, waysToSignIn } from "../identity/ways.ts";
import { findLostRoutes } from "../routing/cache-check.ts";
import { backlogOf, queuesOf } from "./queues.ts";
import { sweepRuns } from "./sweep-runs.ts";

/** The result of a check, and the command or page that fixes it. */
export type Verdict = Pick<Finding, "status" | "what" | "mend">;

export interface Check {
  /** The binding that it reads from; skipped without. */
  readonly binding?: string;
  /** Skipped while the catalogue is down. */
  readonly inCatalogue?: boolean;
  readonly run: () => Promise<Verdict>;
}

const ok = (what: string): Verdict => ({ status: "ok", what, mend: null });
const warning = (what: string, mend: string): Verdict => ({ status: "warning", what, mend });
export const failed = (what: string, mend: string): Verdict => ({ status: "failed", what, mend });
export const unknown = (what: string): Verdict => ({ status: "unknown", what, mend: null });

export const statusPage = "https://www.cloudflarestatus.com";
const deploy = "npm run deploy";
/** A page of Cloudflare's dashboard, which asks for the account. */
const dashboardPage = (path: string) => `https://dash.cloudflare.com/?to=/:account/${path}`;

/** The name of the ledger and meter that are read. No workspace or key has this name. */
const probe = "readiness";

/** The size of the catalogue that calls for attention: 80 % of what a database can hold. */
const largeCatalogueBytes = 8_000_000_000;

/** The share of the custom hostnames in use that calls for attention. */
const highShare = 0.8;

/** Dead letters are counted up to this many, because counting reads each. */
const countedDeadLetters = 1000;

/** How long a change may wait for its workspace's ledger. The sweep tries every minute. */
const outboxMilliseconds = 10 * 60_000;

/** How long BACKUP_SECRET may stay set after a backup began: its command removes it. */
const accessMilliseconds = 24 * 60 * 60_000;

/** The difference between the clocks of this isolate and the catalogue that calls for attention. */
const clockMilliseconds = 10_000;

/** How long the identity provider may take: less than a check, so that its own verdict is heard. */
const providerMilliseconds = 2500;

/** Returns all checks by name. Queues are asked for their metrics; nothing is sent. @param sizes gets the catalogue's */
export function checksOf(deps: Deps, sizes: { catalogue: number | null }): Record<string, Check> {
  const answers = async (reading: Promise<unknown>) => {
    await reading;
    return ok("It answers.");
  };
  const inCatalogue = (run: () => Promise<Verdict>): Check => ({ binding: "DB", inCatalogue: true, run });
  const feeds = regions.map((region): [string, Check] => [
    `feed ${region}`,
    { binding: "FEEDS", run: () => answers(deps.feed(region).changes(Number.MAX_SAFE_INTEGER)) },
  ]);
  const queues = Object.entries(queuesOf(deps)).map(([name, queue]): [string, Check] => [
    `queue ${name}`,
    { binding: name.toUpperCase().replaceAll("-", "_"), run: () => checkQueue(deps, queue) },
  ]);
  const { customHostnames } = deps.settings;
  return {
    bindings: { run: async () => checkBindings(deps) },
    secrets: { run: async () => checkSecrets(deps) },
    catalogue: { binding: "DB", run: () => checkCatalogue(deps, sizes) },
    schema: inCatalogue(() => checkSchema(deps)),
    "route cache": { binding: "ROUTES", run: () => answers(readRouteCache(deps.routeCache)) },
    "cached routes": { binding: "ROUTES", inCatalogue: true, run: () => checkCachedRoutes(deps) },
    "route cache writes": inCatalogue(() => checkCacheWrites(deps)),
    ledger: { binding: "LEDGERS", run: () => answers(deps.ledger(probe).countScans()) },
    meter: { binding: "METERS", run: () => answers(deps.meter(probe).used(deps.now())) },
    ...Object.fromEntries([...feeds, ...queues]),
    "dead letters": inCatalogue(() => checkDeadLetters(deps)),
    outbox: inCatalogue(() => checkOutbox(deps)),
    sweep: inCatalogue(() => checkSweep(deps)),
    clock: inCatalogue(() => checkClock(deps)),
    alerts: inCatalogue(() => checkAlerts(deps)),
    backup: inCatalogue(() => checkBackup(deps)),
    ...(customHostnames !== null && {
      "custom hostnames": inCatalogue(() => checkCustomHostnames(deps, customHostnames)),
    }),
    "sign-in": { run: () => checkSignIn(deps) },
  };
}

function checkBindings({ settings: { missingBindings } }: Deps): Verdict {
  if (missingBindings.length === 0) return ok("All are there.");
  return failed(`The deployed Worker lacks ${missingBindings.join(", ")}.`, deploy);
}

function checkSecrets({ settings }: Deps): Verdict {
  const keyrings = Object.entries({
    VISITOR_SECRET: settings.visitorSecrets,
    WEBHOOK_SECRET: settings.webhookSecrets,
    SESSION_SECRET: settings.provider.sessionSecrets,
    OIDC_CLIENT_SECRET: settings.provider.clientSecrets,
    OPERATOR_SECRET: settings.operatorSecrets,
  });
  const required = ["VISITOR_SECRET", "WEBHOOK_SECRET", "SESSION_SECRET"];
  const secrets = keyrings
    .filter(([name]) => required.includes(name))
    .map(([name, [newest]]) => [name, newest?.secret ?? ""] as const);
  const missing = secrets.filter(([, secret]) => secret === "").map(([name]) => name);
  if (missing.length > 0) return failed(`Not set: ${missing.join(", ")}.`, "npm run setup");
  const short = secrets.filter(([, secret]) => secret.length < minSecretLength).map(([name]) => name);
  const [first] = short;
  if (first === undefined) {
    const rotating = keyrings.filter(([, secrets]) => secrets.length > 1).map(([name]) => name);
    const rest = rotating.length === 0 ? "" : ` Still accepted: a previous ${rotating.join(", ")}.`;
    return ok(`All are there, with at least ${minSecretLength} characters.${rest}`);
  }
  const what = `Shorter than ${minSecretLength} characters: ${short.join(", ")}.`;
  const mend = `npm run rotate -- ${first}`;
  return short.includes("SESSION_SECRET") ? failed(what, mend) : warning(what, mend);
}

async function checkCatalogue(deps: Deps, sizes: { catalogue: number | null }): Promise<Verdict> {
  const bytes = await readCatalogue(deps.db);
  sizes.catalogue = bytes;
  const size = `It answers, and takes up ${Math.ceil(bytes / 1_000_000)} MB.`;
  return bytes < largeCatalogueBytes
    ? ok(size)
    : warning(`${size} A database holds 10 GB.`, `${deps.settings.appOrigin}/operator/workspaces`);
}

async function checkSchema({ db }: Deps): Promise<Verdict> {
  const { missing, unknown: newer, newest } = await readMigrations(db);
  if (missing.length > 0) return failed(`Migrations that aren't applied: ${missing.join(", ")}.`, deploy);
  if (newer.length > 0) {
    const what = `A newer version has migrated the database: ${newer.join(", ")}.`;
    return warning(what, "git pull && npm ci && npm run deploy");
  }
  return ok(`Migrated up to ${newest}.`);
}

async function checkCacheWrites({ db }: Deps): Promise<Verdict> {
  const refusal = await findRefusal(db);
  if (refusal === null) return ok("It takes writes.");
  const what = `It has refused writes since ${timeOf(refusal.since)}. Scans follow changes through the feeds.`;
  return refusal.cause === "quota"
    ? warning(`${what} The day's writes are used up.`, dashboardPage("workers/plans"))
    : warning(what, statusPage);
}

async function checkCachedRoutes(deps: Deps): Promise<Verdict> {
  const lost = await findLostRoutes(deps);
  if (lost.length === 0) return ok("Domains and suspensions are in the route cache.");
  const keys = lost.map(({ key }) => key).join(", ");
  return failed(
    `The route cache lacks ${keys}. Domains and suspensions come back within minutes, aliases by the runbook.`,
    `${deps.settings.appOrigin}/api/v1/docs/runbooks.md#the-route-cache-is-empty`,
  );
}

async function checkQueue(deps: Deps, queue: Queue): Promise<Verdict> {
  const { count, waiting, isLate } = await backlogOf(deps, queue);
  if (!isLate) return ok(`It answers, and ${count} wait.`);
  const what = `${count} messages wait, the oldest for ${minutesOf(waiting)} minutes.`;
  return warning(what, dashboardPage("workers/queues"));
}

async function checkDeadLetters({ db, now, settings }: Deps): Promise<Verdict> {
  const counts = await countDeadLettersByQueue(db, now(), countedDeadLetters);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return ok("There are none.");
  const queues = counts.map(({ queue, count }) => `${count} of ${queue}`).join(", ");
  const what = total < countedDeadLetters ? queues : `${countedDeadLetters} or more`;
  return warning(`Messages failed every retry: ${what}.`, `${settings.appOrigin}/operator/dead-letters`);
}

async function checkOutbox({ db, now, settings }: Deps): Promise<Verdict> {
  const oldest = await oldestWaiting(db);
  const waiting = now() - (oldest?.at ?? now());
  if (oldest === null || waiting < outboxMilliseconds) return ok("Changes reach their workspaces' ledgers.");
  const what = `The oldest change has waited ${minutesOf(waiting)} minutes for its workspace's ledger.`;
  return warning(what, `${settings.appOrigin}/operator/workspaces/${oldest.workspaceId}`);
}

async function checkSweep({ db, now }: Deps): Promise<Verdict> {
  const runs = await readRuns(db);
  const { sweep: last, "failed sweep": lastFailed } = runs;
  if (last === undefined) {
    const isNew = now() - runs.installed < sweepRuns.lateMilliseconds;
    return isNew ? unknown("It hasn't run yet, on a new installation.") : failed("It has never run.", deploy);
  }
  if (now() - last >= sweepRuns.lateMilliseconds) {
    return failed(`It last ran at ${timeOf(last)}, and should run each minute.`, deploy);
  }
  if (lastFailed !== undefined && now() - lastFailed < sweepRuns.lateMilliseconds) {
    return warning(`One of its tasks failed at ${timeOf(lastFailed)}.`, "npx wrangler tail");
  }
  return ok(`It ran in the last ${minutesOf(sweepRuns.lateMilliseconds)} minutes.`);
}

async function checkClock({ db, now }: Deps): Promise<Verdict> {
  const difference = Math.round(Math.abs(now() - (await readClock(db))));
  if (difference < clockMilliseconds) return ok("The Worker and the database agree.");
  return warning(`The Worker and the database differ by ${Math.round(difference / 1000)} s.`, statusPage);
}

/** On one's own machine, nobody needs to be told. */
async function checkAlerts({ db, settings: { alertUrl, appOrigin } }: Deps): Promise<Verdict> {
  const ofWorkspaces = (await hasAlertAddresses(db))
    ? "Workspaces have addresses for alerts."
    : "No workspace has an address for alerts.";
  if (alertUrl === "" && !isLoopback(appOrigin)) {
    const what = `Nobody is told what needs the operator: ALERT_URL isn't set. ${ofWorkspaces}`;
    return warning(what, "npm run setup -- --alert-url URL");
  }
  return ok(ofWorkspaces);
}

async function checkBackup({ db, now, settings }: Deps): Promise<Verdict> {
  const { begun, endedAt } = await readBackupRecords(db);
  const [last] = begun;
  const ended =
    endedAt === null ? "None is complete yet." : `The last one was complete at ${timeOf(endedAt)}.`;
  if (
    settings.backupSecret !== "" &&
    !isLoopback(settings.appOrigin) &&
    now() - (last ?? 0) >= accessMilliseconds
  ) {
    const what = `${ended} BACKUP_SECRET is still set, though no backup began within a day.`;
    return warning(what, "npx wrangler secret delete BACKUP_SECRET");
  }
  const isUnfinished = last !== undefined && last > (endedAt ?? 0);
  return ok(isUnfinished ? `${ended} One began at ${timeOf(last)}.` : ended);
}

async function checkCustomHostnames(
  { db }: Deps,
  { max }: Pick<CustomHostnameSettings, "max">,
): Promise<Verdict> {
  const used = await countCustomHostnames(db);
  const what = `${used} of ${max} are in use.`;
  if (used < highShare * max) return ok(what);
  return warning(
    `${what} At ${max}, customers can't add hosts.`,
    dashboardPage(":zone/ssl-tls/custom-hostnames"),
  );
}

async function checkSignIn(deps: Deps): Promise<Verdict> {
  const { issuer } = deps.settings.provider;
  const { provider, passkeys } = waysToSignIn(deps);
  if (!provider && !passkeys) return failed("Nobody can sign in: no way is configured.", "npm run setup");
  if (issuer === "") return ok("By passkey.");
  if (!provider) return warning("The provider's settings aren't complete.", "npm run setup");
  const judge = passkeys ? warning : failed;
  const page = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  return withTimeout(deps, providerMilliseconds, () => readProviderMetadata(deps)).then(
    () =>
      ok(`${new URL(issuer).host} answers with its metadata${passkeys ? ", and there are passkeys" : ""}.`),
    (error: unknown) => {
      log("warn", "identity provider unavailable", { error: describeError(error) });
      return judge(`${new URL(issuer).host} doesn't answer with usable metadata.`, page);
    },
  );
}

const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} (UTC)`;
const minutesOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);
