import { limits } from "../../../contract/limits.ts";
import type { WaitingKind } from "../../../contract/resources/waiting.ts";
import type { AlertAddress, AlertData } from "../../../contract/resources/webhooks/alerts.ts";
import type { Delivery } from "../../../contract/resources/webhooks/webhooks.ts";
import { waitingKindNames } from "../../../contract/waiting-kinds.ts";
import { newId } from "../../../lib/text/ids.ts";
import type {
  AlertAddressChange,
  AlertCommand,
  AlertResult,
  WaitingAlert,
  WaitingAlerts,
} from "../../../protocol/alerts.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { WorkspaceActor } from "../../../protocol/history.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import type { LedgerHistory } from "../history/history.ts";
import { LedgerPart } from "../part.ts";
import { isoTime } from "../times.ts";
import type { LedgerDeliveries } from "./deliveries.ts";
import { eventBody } from "./events.ts";
import { type LedgerWebhooks, originOf, type WebhookRow } from "./webhooks.ts";

/** The storage key of what was waiting when alerts were last sent. */
const seenKey = "alerts_seen";

/** The known things of a kind, by their ids, and when the last alert of the kind was sent, epoch milliseconds. */
interface Seen {
  readonly sentAt: number;
  readonly ids: readonly string[];
}
type SeenByKind = Readonly<Partial<Record<WaitingKind, Seen>>>;

/** How many deliveries an address shows. */
const shownDeliveries = 5;

/**
 * The address for alerts: a receiver that subscribes to no events, and gets one delivery when things of a kind begin to
 * wait. What was seen and the delivery are stored in one transaction, so that nothing is told twice or missed.
 */
export class LedgerAlerts extends LedgerPart<{
  kv: SyncKvStorage;
  workspaceId: string;
  webhooks: LedgerWebhooks;
  deliveries: LedgerDeliveries;
  history: LedgerHistory;
}> {
  /** Does a command. Without an address, all but the first setting changes nothing, and the result has none. */
  run(command: AlertCommand, now: number): AlertResult {
    const row = this.parts.webhooks.alertAddress();
    let due: string[] = [];
    let tested: Delivery | undefined;
    if (command.does === "set") this.#set(row, command.change, command.by, now);
    else if (row === undefined || command.does === "read")
      return { address: this.#present(row), due, tested };
    else if (command.does === "rotate") {
      this.parts.webhooks.rotate(row.ref, command.secret, now + webhookRules.secretGracePeriod);
      this.#record({ alertSecret: [null, "replaced"] }, command.by, now);
    } else if (command.does === "remove") {
      this.parts.webhooks.remove(row.ref);
      this.parts.kv.delete(seenKey);
      this.#record({ alertUrl: [originOf(row.url), null] }, command.by, now);
    } else if (command.does === "send") due = this.#send(row, command.waiting, now);
    else {
      tested = this.parts.deliveries.summary(row, this.#deliver(row, command.data, now, true));
      due = this.parts.webhooks.markEnqueued([row], now);
    }
    return { address: this.#present(this.parts.webhooks.alertAddress()), due, tested };
  }

  #present(row: WebhookRow | undefined): AlertAddress | undefined {
    if (row === undefined) return undefined;
    const { url, status, paused_reason, key_id, created_at } = row;
    const all = { status: null, after: null, since: null, events: null };
    const deliveries = this.parts.deliveries.list(row, all, shownDeliveries);
    const createdAt = isoTime(created_at);
    return { url, status, pausedReason: paused_reason, keyId: key_id, createdAt, deliveries };
  }

  #set(
    before: WebhookRow | undefined,
    { id, url, secret, keyId, waiting }: AlertAddressChange,
    by: WorkspaceActor,
    now: number,
  ): void {
    const { webhooks, kv } = this.parts;
    if (before === undefined) {
      const scopes = { scopeQrId: null, scopePageId: null };
      webhooks.insert({ id, url, events: [], ...scopes, mode: "realtime", secret, keyId, createdAt: now });
      kv.put(seenKey, seenIn(waiting.items));
    } else {
      webhooks.change(before, { url, keyId });
      if (before.status === "paused") webhooks.setStatus(before.ref, "active", null);
    }
    if (before?.url === url) return;
    this.#record({ alertUrl: [before === undefined ? null : originOf(before.url), originOf(url)] }, by, now);
  }

  /**
   * Sends an alert of each kind with something new, at most one of a kind within an hour: what is new meanwhile stays
   * so until then. @returns the receiver to enqueue, if any
   */
  #send(row: WebhookRow, { items, list }: WaitingAlerts, now: number): string[] {
    if (row.status === "paused") return [];
    const before = this.parts.kv.get<SeenByKind>(seenKey) ?? {};
    const after: Partial<Record<WaitingKind, Seen>> = {};
    let isSent = false;
    for (const kind of waitingKindNames) {
      const { sentAt, ids } = before[kind] ?? { sentAt: 0, ids: [] };
      const found = items.filter((item) => item.kind === kind);
      const [first, ...others] = newOf(found, ids);
      const isDue = first !== undefined && now - sentAt >= bounds.alertMilliseconds;
      if (isDue) {
        const more = others.length === 0 ? "" : ` And ${others.length.toLocaleString("en")} more.`;
        const link = others.length === 0 ? first.link : list;
        this.#deliver(row, { kind, text: first.text + more, link }, now);
        isSent = true;
      }
      const waiting = found.map(({ id }) => id);
      const known = isDue || first === undefined ? waiting : waiting.filter((id) => ids.includes(id));
      if (known.length > 0 || sentAt > 0 || isDue) after[kind] = { sentAt: isDue ? now : sentAt, ids: known };
    }
    if (JSON.stringify(after) !== JSON.stringify(before)) this.parts.kv.put(seenKey, after);
    return isSent && row.backoff_until <= now ? this.parts.webhooks.markEnqueued([row], now) : [];
  }

  /** @returns the delivery's id */
  #deliver(row: WebhookRow, data: AlertData, now: number, isTest = false): string {
    const id = newId(now);
    const body = eventBody(id, { kind: "alert", at: now, data });
    const attempts = isTest ? { singleAttempt: true as const } : { eventId: newId(now) };
    this.parts.deliveries.insert(row, { id, event: "alert", body, ...attempts }, now);
    return id;
  }

  #record(
    changes: Readonly<Record<string, readonly [unknown, unknown]>>,
    { actor, workspaceName }: WorkspaceActor,
    now: number,
  ): void {
    const object = { kind: "workspace", id: this.parts.workspaceId, name: workspaceName } as const;
    this.parts.history.record({ action: "workspace.updated", actor, object, changes }, now);
  }
}

const seenIn = (items: readonly WaitingAlert[]): SeenByKind =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(items, ({ kind }) => kind),
      ([kind, own]) => [kind, { sentAt: 0, ids: own.map(({ id }) => id) }],
    ),
  );

/** Returns the new things of a kind. In a list that was full, older ones move up and aren't new. */
function newOf(found: readonly WaitingAlert[], known: readonly string[]): WaitingAlert[] {
  const isKnown = ({ id }: WaitingAlert) => known.includes(id);
  const last = known.length < limits.waiting.counted ? found.length : found.findLastIndex(isKnown);
  return found.filter((item, i) => i <= last && !isKnown(item));
}
