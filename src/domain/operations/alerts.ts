import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { bounds } from "../../protocol/bounds.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import * as store from "../../store/operations/alerts.ts";
import type { Deps } from "../deps.ts";
import { logProblemOnce } from "../log-problem.ts";
import { readReceiver } from "../webhooks/receiver.ts";
import { alertConditions, type Condition } from "./alert-conditions.ts";

const minute = 60_000;

/** When alerts are sent. All times are milliseconds. */
export const alertRules = {
  /** Between two checks. */
  every: 5 * minute,
  /** How long a condition must hold before its alert, so that two checks find it. */
  confirmed: 4 * minute,
  /** How long until a condition that still holds alerts again. */
  quiet: 24 * 60 * minute,
  /** How long a condition must stay clear before its alert is resolved, so that one that flaps alerts once. */
  resolved: 14 * minute,
} as const;

/** The body of an alert. Receivers like Slack's show `text`. */
export interface Alert {
  readonly text: string;
  readonly alert: string;
  readonly status: "firing" | "resolved";
  /** ISO 8601. */
  readonly since: string;
  /** The operator's page about it. */
  readonly url: string;
}

/**
 * Checks the alert conditions and sends alerts: once when a condition begins, again while it lasts, and once when it is
 * over. If the receiver can't be reached, the next check tries again. Does nothing without a receiver.
 */
export async function sendAlerts(deps: Deps): Promise<void> {
  const { alertUrl } = deps.settings;
  if (alertUrl === "") return;
  const receiver = readReceiver(deps, alertUrl);
  if (!receiver.ok) {
    logProblemOnce(deps, "alerts are off", `ALERT_URL ${receiver.problem}`);
    return;
  }
  const now = deps.now();
  if (!(await store.claimAlertCheck(deps.db, now, now - alertRules.every))) return;
  const known = await store.listAlerts(deps.db);
  const conditions = await alertConditions(
    deps,
    known.map(({ name }) => name),
  );
  const changed: store.AlertRow[] = [];
  const ended: string[] = [];
  let messages = 0;
  const alert = async (row: store.AlertRow, status: Alert["status"]): Promise<boolean> => {
    messages += 1;
    return messages <= bounds.alertsPerCheck && (await send(deps, receiver.url, row, status));
  };
  for (const row of withConditions(known, conditions, now)) {
    if (row.clearSince === null) {
      const isDue =
        row.sentAt === null ? now - row.since >= alertRules.confirmed : isQuietOver(row.sentAt, now);
      const isSent = isDue && (await alert(row, "firing"));
      changed.push(isSent ? { ...row, sentAt: now } : row);
    } else if (row.sentAt === null) ended.push(row.name);
    else if (now - row.clearSince >= alertRules.resolved && (await alert(row, "resolved")))
      ended.push(row.name);
    else changed.push(row);
  }
  await store.saveAlerts(deps.db, changed, ended);
}

const isQuietOver = (sentAt: number, now: number): boolean => now - sentAt >= alertRules.quiet;

/** Returns the known conditions as they are now, and the new ones. */
function withConditions(
  known: readonly store.AlertRow[],
  { found, unknown }: { found: readonly Condition[]; unknown: ReadonlySet<string> },
  now: number,
): store.AlertRow[] {
  const texts = new Map(found.map(({ name, text }) => [name, text]));
  const before = new Set(known.map(({ name }) => name));
  return [
    ...known.map((row) => {
      const text = texts.get(row.name);
      if (text !== undefined) return { ...row, text, clearSince: null };
      return unknown.has(row.name) ? row : { ...row, clearSince: row.clearSince ?? now };
    }),
    ...found
      .filter(({ name }) => !before.has(name))
      .map(({ name, text }) => ({ name, text, since: now, sentAt: null, clearSince: null })),
  ];
}

/** Sends a message. @returns whether the receiver took it */
async function send(
  deps: Deps,
  url: string,
  { name, text, since, sentAt }: store.AlertRow,
  status: Alert["status"],
): Promise<boolean> {
  const { appOrigin } = deps.settings;
  const lead = status === "resolved" ? "Resolved" : sentAt === null ? "Alert" : "Still";
  const page = `${appOrigin}/operator/${name === "dead letters" ? "dead-letters" : "health"}`;
  const alert: Alert = {
    text: `${lead}: ${name}. ${text}\n${page}`,
    alert: name,
    status,
    since: new Date(since).toISOString(),
    url: page,
  };
  try {
    return await withTimeout(deps, webhookRules.timeout, async (signal) => {
      const response = await deps.fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "qr-service-alerts/1" },
        body: JSON.stringify(alert),
        redirect: "manual",
        signal,
      });
      // The status decides, even if the body is already known to be broken.
      await response.body?.cancel().catch(() => {});
      if (!response.ok) log("warn", "alert not sent", { alert: name, status: response.status });
      return response.ok;
    });
  } catch (error) {
    log("warn", "alert not sent", { alert: name, error: describeError(error) });
    return false;
  }
}
