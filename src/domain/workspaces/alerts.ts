import type {
  AlertAddress,
  AlertAddressInput,
  NewAlertAddress,
} from "../../contract/resources/webhooks/alerts.ts";
import type { Delivery } from "../../contract/resources/webhooks/webhooks.ts";
import { waitingKinds } from "../../contract/waiting-kinds.ts";
import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { concurrently } from "../../lib/concurrently.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import type { AlertCommand, AlertResult, WaitingAlerts } from "../../protocol/alerts.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { WorkspaceActor } from "../../protocol/history.ts";
import { putAlertAddress, removeAlertAddress, takeDueAlertAddresses } from "../../store/alert-addresses.ts";
import { findKnownWaiting } from "../../store/waiting.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { isKey, requirePermission, requireScope } from "../context/permissions.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { requireFound, unavailable } from "../errors.ts";
import { callLedger, ifKnown } from "../ledger.ts";
import { listStillScanned } from "../scans/closed.ts";
import { encryptSecret, newSecret, readReceiverUrl } from "../webhooks/webhooks.ts";
import { countWaiting, describeWaiting, waitingTitles } from "./waiting.ts";

/** How often the sweep looks for what the catalogue doesn't know, milliseconds. It looks at once for what it knows. */
export const alertCheckMilliseconds = 15 * 60_000;

/** How many workspaces the sweep looks at at a time. */
const concurrency = 8;

/** Returns the address for alerts; null if there is none. @throws forbidden */
export async function findAlertAddress(deps: Deps, context: WorkspaceContext): Promise<AlertAddress | null> {
  requirePermission(context, "webhooks");
  return (await run(deps, context.workspaceId, { does: "read" })).address ?? null;
}

/** Returns the address for alerts. @throws not_found, forbidden */
export async function getAlertAddress(deps: Deps, context: WorkspaceContext): Promise<AlertAddress> {
  return requireFound((await findAlertAddress(deps, context)) ?? undefined, what);
}

const what = "Address for alerts";

/**
 * Sets the address for alerts, and resumes it if it was paused. There are no alerts of what waits already.
 * @returns it with its secret, if there was no address before
 * @throws invalid_input; forbidden, also in a suspended workspace
 */
export async function setAlertAddress(
  deps: Deps,
  context: WorkspaceContext,
  { url: given }: AlertAddressInput,
): Promise<NewAlertAddress> {
  requireAlertRights(context);
  const before = await findAlertAddress(deps, context);
  await requireNotSuspended(deps, context);
  const url = await readReceiverUrl(deps, given, async () => before?.url ?? "");
  const { workspaceId } = context;
  const now = deps.now();
  await putAlertAddress(deps.db, workspaceId, now + alertCheckMilliseconds);
  const secret = newSecret();
  const change = {
    ...{ id: newId(now), url, secret: await encryptSecret(deps, secret) },
    keyId: isKey(context) ? context.keyId : null,
    waiting: await waitingAlerts(deps, workspaceId),
  };
  const by = await actorOf(deps, context);
  const address = requireFound((await run(deps, workspaceId, { does: "set", change, by })).address, what);
  return { ...address, secret: before === null ? secret : null };
}

/** Removes the address for alerts, with its deliveries. @throws not_found, forbidden */
export async function deleteAlertAddress(deps: Deps, context: WorkspaceContext): Promise<{ success: true }> {
  requireAlertRights(context);
  await getAlertAddress(deps, context);
  await run(deps, context.workspaceId, { does: "remove", by: await actorOf(deps, context) });
  await removeAlertAddress(deps.db, context.workspaceId);
  return { success: true };
}

/** Replaces the secret. The previous one also signs for 24 hours. @throws not_found, forbidden */
export async function rotateAlertSecret(deps: Deps, context: WorkspaceContext): Promise<{ secret: string }> {
  requireAlertRights(context);
  await getAlertAddress(deps, context);
  const secret = newSecret();
  const encrypted = await encryptSecret(deps, secret);
  const by = await actorOf(deps, context);
  await run(deps, context.workspaceId, { does: "rotate", secret: encrypted, by });
  return { secret };
}

/** Sends a test alert, in one attempt. @throws not_found, forbidden */
export async function testAlerts(deps: Deps, context: WorkspaceContext): Promise<Delivery> {
  requireAlertRights(context);
  const text = "This is a test. Alerts of what waits for you arrive here.";
  const data = { kind: "test", text, link: waitingPage(deps) } as const;
  const { tested, due } = await run(deps, context.workspaceId, { does: "test", data });
  await enqueueDeliveries(deps, context.workspaceId, due);
  return requireFound(tested, what);
}

/** Refuses keys that can't read all that alerts are about. @throws forbidden */
function requireAlertRights(context: WorkspaceContext): void {
  requirePermission(context, "webhooks");
  for (const { scope } of Object.values(waitingKinds)) requireScope(context, scope);
}

/** @throws unavailable while the ledger still runs the release before */
async function run(deps: Deps, workspaceId: string, command: AlertCommand): Promise<AlertResult> {
  const result = await ifKnown(deps.ledger(workspaceId).alerts(command, deps.now()));
  if (result === undefined) throw unavailable();
  return result;
}

async function actorOf(deps: Deps, { workspaceId, actor }: WorkspaceContext): Promise<WorkspaceActor> {
  const { name: workspaceName } = requireFound(await findWorkspace(deps.db, workspaceId), "Workspace");
  return { actor, workspaceName };
}

/**
 * Sends the alerts of workspaces that are due: at once where the catalogue knows of a change, else every quarter of an
 * hour. If there are many, the others wait for the next sweeps.
 */
export async function sendWorkspaceAlerts(deps: Deps): Promise<void> {
  const now = deps.now();
  const due = await takeDueAlertAddresses(deps.db, now, now + alertCheckMilliseconds, bounds.alertChecks);
  await concurrently(due, concurrency, async (workspaceId) => {
    try {
      await sendAlertsOf(deps, workspaceId);
    } catch (error) {
      log("warn", "alerts of a workspace not sent", { workspaceId, error: describeError(error) });
    }
  });
}

async function sendAlertsOf(deps: Deps, workspaceId: string): Promise<void> {
  const waiting = await waitingAlerts(deps, workspaceId);
  const { address, due } = await callLedger(deps, workspaceId, (ledger) =>
    ledger.alerts({ does: "send", waiting }, deps.now()),
  );
  if (address === undefined) await removeAlertAddress(deps.db, workspaceId);
  await enqueueDeliveries(deps, workspaceId, due);
}

/** Returns what waits, once the catalogue has counted it, so that it knows of every change from then on. */
async function waitingAlerts(deps: Deps, workspaceId: string): Promise<WaitingAlerts> {
  if ((await findKnownWaiting(deps.db, workspaceId, deps.now())) === null) {
    await countWaiting(deps, workspaceId);
  }
  const described = await describeWaiting(
    deps,
    workspaceId,
    callLedger(deps, workspaceId, (ledger) => ledger.notices(0)),
    listStillScanned(deps, { workspaceId }).then((list) => list ?? Promise.reject(unavailable())),
  );
  return {
    items: described.map(({ kind, id, title, text, link }) => ({
      ...{ kind, id, link },
      text: `${waitingTitles[kind]}: ${title}. ${text}`,
    })),
    list: waitingPage(deps),
  };
}

const waitingPage = ({ settings }: Deps): string => `${settings.appOrigin}/dashboard/waiting`;
