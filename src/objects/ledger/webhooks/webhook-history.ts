import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { changesBetween } from "../../../lib/changes.ts";
import type { Actor } from "../../../protocol/history.ts";
import type { LedgerHistory } from "../history/history.ts";
import { LedgerPart } from "../part.ts";
import { headersOf, type LedgerWebhooks, originOf, subscriptionsOf, type WebhookRow } from "./webhooks.ts";

/**
 * The history of webhooks, which are stored here. Of a receiver's address it has only the origin, because the rest of it
 * may be secret; of its headers, the names.
 */
export class WebhookHistory extends LedgerPart<{ history: LedgerHistory; webhooks: LedgerWebhooks }> {
  created(
    { id, url, events, mode, scopeQrId, scopePageId, headers }: Webhook,
    actor: Actor,
    now: number,
  ): void {
    const name = originOf(url);
    const names = headers.length === 0 ? null : headers.map((header) => header.name);
    const values = { url: name, events, mode, scopeQrId, scopePageId, headers: names };
    const changes = Object.fromEntries(
      Object.entries(values).flatMap(([field, value]) =>
        value === null ? [] : [[field, [null, value] as const]],
      ),
    );
    const object = { kind: "webhook", id, name } as const;
    this.parts.history.record({ action: "webhook.created", actor, object, changes }, now);
  }

  /** Records how a webhook differs from `before`, if it does. */
  changed(before: WebhookRow, actor: Actor, now: number): void {
    const after = this.parts.webhooks.find(before.id);
    if (after === undefined) return;
    const changes = changesBetween(fieldsOf(before), fieldsOf(after));
    // Another path on the same host is a change, too.
    const address =
      before.url === after.url ? {} : { url: [originOf(before.url), originOf(after.url)] as const };
    // Another value of the same header is a change, too.
    const headers =
      before.headers === after.headers ? {} : { headers: [namesOf(before), namesOf(after)] as const };
    const all = { ...address, ...changes, ...headers };
    if (Object.keys(all).length === 0) return;
    const object = { kind: "webhook", id: after.id, name: originOf(after.url) } as const;
    this.parts.history.record({ action: "webhook.updated", actor, object, changes: all }, now);
  }

  record(
    action: "webhook.rotated" | "webhook.deleted",
    { id, url }: WebhookRow,
    actor: Actor,
    now: number,
  ): void {
    const object = { kind: "webhook", id, name: originOf(url) } as const;
    this.parts.history.record({ action, actor, object, changes: {} }, now);
  }
}

const fieldsOf = (row: WebhookRow) => ({
  events: subscriptionsOf(row),
  mode: row.mode,
  status: row.status,
  pausedReason: row.paused_reason,
});

const namesOf = (row: WebhookRow): string[] => headersOf(row).map(({ name }) => name);
