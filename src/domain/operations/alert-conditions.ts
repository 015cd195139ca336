import { describeError, log } from "../../lib/log.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { readBackupRecords } from "../../store/backup/records.ts";
import * as store from "../../store/operations/alerts.ts";
import { readFigures } from "../../store/operations/figures.ts";
import type { Deps } from "../deps.ts";
import { sumOf } from "./figures.ts";
import { checkReadiness } from "./readiness.ts";

/** Something that the operator is alerted of. */
export interface Condition {
  readonly name: string;
  readonly text: string;
}

/** The conditions found now, and the names of those that could not be checked. */
export interface Conditions {
  readonly found: readonly Condition[];
  readonly unknown: ReadonlySet<string>;
}

/** When webhooks count as failing: the fewest attempts of an hour, and the share of them that failed. */
const failing = { attempts: 20, share: 0.5 };

/** The share of the day's requests from which on the operator is alerted. */
const usedShare = 0.8;

/** Ledgers read in one check, besides those that were nearly full, and how long one may take. */
const ledgers = { atOnce: 20, milliseconds: 2000 };

const ledgerName = (workspaceId: string): string => `ledger ${workspaceId}`;

/**
 * Returns the conditions that hold now: failing checks and webhooks, nearly full ledgers, and the day's requests nearly
 * used up.
 * @param known names of conditions that were found before
 */
export async function alertConditions(deps: Deps, known: readonly string[]): Promise<Conditions> {
  const [{ findings }, counted, full] = await Promise.all([
    checkReadiness(deps),
    countedConditions(deps),
    fullLedgers(deps, known),
  ]);
  const notOk = findings.filter(({ status }) => status === "failed" || status === "warning");
  const unknown = findings.filter(({ status }) => status === "unknown").map(({ name }) => name);
  return {
    found: [...notOk.map(({ name, what }) => ({ name, text: what })), ...counted, ...full.found],
    unknown: new Set([...unknown, ...full.unknown]),
  };
}

async function countedConditions({ db, now, settings }: Deps): Promise<Condition[]> {
  const at = now();
  const midnight = at - (at % dayLength);
  const hourAgo = at - 60 * 60_000;
  const rows = await readFigures(db, Math.min(midnight, hourAgo));
  const { deliveries, failedDeliveries } = sumOf(rows.filter((row) => row.at >= hourAgo));
  const { scans, requests } = sumOf(rows.filter((row) => row.at >= midnight));
  const conditions: Condition[] = [];
  const [backup] = (await readBackupRecords(db)).begun;
  if (backup !== undefined && backup >= hourAgo) {
    const text = `Somebody with BACKUP_SECRET began to copy everything at ${new Date(backup).toISOString()}.`;
    conditions.push({ name: "backup begun", text });
  }
  if (deliveries >= failing.attempts && failedDeliveries >= failing.share * deliveries) {
    const text = `${failedDeliveries} of ${deliveries} webhook attempts failed in the last hour.`;
    conditions.push({ name: "deliveries", text });
  }
  const { dailyRequests } = settings;
  if (dailyRequests !== null && scans + requests >= usedShare * dailyRequests) {
    const text = `${scans + requests} of the day's ${dailyRequests} requests are used, until midnight UTC.`;
    conditions.push({ name: "requests", text });
  }
  return conditions;
}

/** Checks the next few ledgers, and those that were nearly full. */
async function fullLedgers(deps: Deps, known: readonly string[]): Promise<Conditions> {
  const before = known
    .filter((name) => name.startsWith("ledger "))
    .map((name) => name.replace("ledger ", ""));
  const after = await store.readLedgerCursor(deps.db);
  const workspaces = await store.workspacesToCheck(deps.db, after, before, ledgers.atOnce);
  const unknown = new Set<string>();
  const checked = await Promise.all(
    workspaces.map(async ({ id, name }): Promise<Condition[]> => {
      try {
        const read = () => deps.ledger(id).storage();
        const { bytes, status } = await withTimeout(deps, ledgers.milliseconds, read);
        if (status === "ok") return [];
        const text = `The ledger of ${name} holds ${(bytes / 1e9).toFixed(1)} of 10 GB.`;
        return [{ name: ledgerName(id), text }];
      } catch (error) {
        log("warn", "ledger not read for alerts", { workspaceId: id, error: describeError(error) });
        unknown.add(ledgerName(id));
        return [];
      }
    }),
  );
  const next = workspaces.filter(({ id }) => id > after && !before.includes(id));
  await store.saveLedgerCursor(deps.db, next.length < ledgers.atOnce ? "" : (next.at(-1)?.id ?? ""));
  return { found: checked.flat(), unknown };
}
