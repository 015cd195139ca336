/**
 * Version 3: what bounds need to know.
 * - deliveries: `erased`, whether a submission was taken out of the body; `event_count`, the events it holds.
 * - webhooks: `ended_events`, the events in its ended deliveries, counted by triggers; `open_events` and `open_bytes`, the
 *   size of its open batch; `failed_attempts`, in a row; `backoff_step`, how many backoffs in a row; `probe`, the delivery
 *   whose first attempt is made after a backoff.
 * - submission_counts: the submissions of a page. submission_senders: those of a network to a page in a day, where
 *   `sender` is a keyed hash.
 * - counted_scans: ids of scans that a full ledger counted without storing them.
 */
export const bounds = `
ALTER TABLE deliveries ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN event_count INTEGER NOT NULL DEFAULT 1;
UPDATE deliveries SET event_count = (SELECT max(1, count(*)) FROM batch_events b WHERE b.delivery = deliveries.id)
  WHERE event = 'batch';
DROP INDEX deliveries_ended;
CREATE INDEX deliveries_ended ON deliveries (webhook, completed_at) WHERE completed_at IS NOT NULL;

ALTER TABLE webhooks ADD COLUMN ended_events INTEGER NOT NULL DEFAULT 0;
UPDATE webhooks SET ended_events =
  (SELECT coalesce(sum(event_count), 0) FROM deliveries d WHERE d.webhook = webhooks.ref AND d.completed_at IS NOT NULL);
CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries WHEN NEW.completed_at IS NOT NULL BEGIN
  UPDATE webhooks SET ended_events = ended_events + NEW.event_count WHERE ref = NEW.webhook;
END;
CREATE TRIGGER deliveries_updated AFTER UPDATE OF completed_at ON deliveries
WHEN (NEW.completed_at IS NULL) <> (OLD.completed_at IS NULL) BEGIN
  UPDATE webhooks SET ended_events = ended_events + iif(NEW.completed_at IS NULL, -1, 1) * NEW.event_count
    WHERE ref = NEW.webhook;
END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries WHEN OLD.completed_at IS NOT NULL BEGIN
  UPDATE webhooks SET ended_events = ended_events - OLD.event_count WHERE ref = OLD.webhook;
END;

ALTER TABLE webhooks ADD COLUMN open_events INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN open_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE webhooks SET (open_events, open_bytes) =
  (SELECT count(*), coalesce(sum(length(CAST(data AS BLOB)) + 120), 0) FROM batch_events b
   WHERE b.webhook = webhooks.ref AND b.delivery IS NULL);

ALTER TABLE webhooks RENAME COLUMN consecutive_timeouts TO failed_attempts;
ALTER TABLE webhooks ADD COLUMN backoff_step INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN probe TEXT;
UPDATE webhooks SET backoff_step = max(0, failed_attempts - 4);
DROP INDEX deliveries_due;
CREATE INDEX deliveries_first_due ON deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND first_attempt_at IS NULL;
CREATE INDEX deliveries_retry_due ON deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND first_attempt_at IS NOT NULL;

CREATE TABLE submission_counts (
  page_id TEXT PRIMARY KEY,
  submissions INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO submission_counts (page_id, submissions) SELECT page_id, count(*) FROM submissions GROUP BY page_id;
CREATE TABLE submission_senders (
  day INTEGER NOT NULL,
  page_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  submissions INTEGER NOT NULL,
  PRIMARY KEY (day, page_id, sender)
) WITHOUT ROWID;
CREATE TABLE counted_scans (id BLOB PRIMARY KEY) WITHOUT ROWID;
`;
