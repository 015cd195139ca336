import type { ErasedSubmissions, PageActor } from "../../../protocol/workspace-ledger.ts";
import type { LedgerHistory } from "../history/history.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerBatches } from "../webhooks/batches.ts";
import type { LedgerWebhooks } from "../webhooks/webhooks.ts";
import type { LedgerSubmissions } from "./submissions.ts";

/** Erases submissions, also from the deliveries and batches that contain a copy of them. */
export class SubmissionErasure extends LedgerPart<{
  sql: SqlStorage;
  history: LedgerHistory;
  submissions: LedgerSubmissions;
  webhooks: LedgerWebhooks;
  batches: LedgerBatches;
}> {
  /** @param now epoch milliseconds @returns how many were erased, and `next` as in a list */
  erase(pageId: string, which: ErasedSubmissions, { actor, pageTitle }: PageActor, now: number) {
    const { history, submissions } = this.parts;
    const { ids, next } = submissions.idsOf(pageId, which);
    const removed = ids.filter((id) => submissions.remove(pageId, id));
    for (const id of removed) this.#eraseCopies(id, now);
    if (removed.length > 0) {
      const object = { kind: "page", id: pageId, name: pageTitle } as const;
      const changes = { submissions: [removed.length, null] } as const;
      history.record({ action: "page.submissions_erased", actor, object, changes }, now);
    }
    return { erased: removed.length, next };
  }

  /** @param submissionId the submission's id, which is also its event's */
  #eraseCopies(submissionId: string, now: number): void {
    for (const row of this.parts.webhooks.rows()) {
      const [single] = this.parts.sql
        .exec<{ id: string }>(
          "SELECT id FROM deliveries WHERE webhook = ? AND event_id = ?",
          row.ref,
          submissionId,
        )
        .toArray();
      if (single !== undefined) this.#empty(single.id, now);
      const batch = this.parts.batches.find(row.ref, submissionId);
      if (batch === null) this.parts.batches.remove(row, submissionId);
      else if (batch !== undefined) this.#removeEntry(batch, submissionId, now);
    }
  }

  /**
   * Removes the entry from a closed batch for future attempts. The receiver recognises a repeated batch by the
   * delivery's id.
   */
  #removeEntry(delivery: string, submissionId: string, now: number): void {
    const { body } = this.parts.sql
      .exec<{ body: string }>("SELECT body FROM deliveries WHERE id = ?", delivery)
      .one();
    const batch = JSON.parse(body) as BatchBody;
    const events = batch.events.filter(({ data }) => data.submissionId !== submissionId);
    if (events.length === 0) {
      this.#empty(delivery, now);
      return;
    }
    this.parts.sql.exec(
      "UPDATE deliveries SET body = ?, erased = 1 WHERE id = ?",
      JSON.stringify({ ...batch, events }),
      delivery,
    );
    this.#eraseResponses(delivery);
  }

  /** Removes a delivery's body. A pending delivery ends as skipped. */
  #empty(delivery: string, now: number): void {
    this.parts.sql.exec(
      `UPDATE deliveries SET body = '', erased = 1, status = iif(status = 'pending', 'skipped', status),
         next_attempt_at = NULL, completed_at = coalesce(completed_at, ?) WHERE id = ?`,
      now,
      delivery,
    );
    this.#eraseResponses(delivery);
  }

  /** A receiver's response may echo what it was sent. */
  #eraseResponses(delivery: string): void {
    this.parts.sql.exec("UPDATE attempts SET response_body = NULL WHERE delivery = ?", delivery);
  }
}

interface BatchBody {
  readonly events: readonly { readonly data: { readonly submissionId?: string } }[];
}
