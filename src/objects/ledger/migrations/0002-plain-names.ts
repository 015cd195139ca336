/** Version 2: tables, columns and indexes get the names that the code uses. */
export const plainNames = `
ALTER TABLE machine_scans RENAME TO bot_scans;
ALTER TABLE days RENAME TO daily_totals;
ALTER TABLE daily_totals RENAME COLUMN machine_scans TO bot_scans;

ALTER TABLE webhooks RENAME COLUMN old_secret TO previous_secret;
ALTER TABLE webhooks RENAME COLUMN old_secret_until TO previous_secret_until;
ALTER TABLE webhooks RENAME COLUMN exhausted TO consecutive_failures;
ALTER TABLE webhooks RENAME COLUMN timeouts TO consecutive_timeouts;
ALTER TABLE webhooks RENAME COLUMN put_off_until TO backoff_until;
ALTER TABLE webhooks RENAME COLUMN told_at TO last_enqueued_at;

ALTER TABLE deliveries RENAME COLUMN once TO single_attempt;
ALTER TABLE deliveries RENAME COLUMN began_at TO first_attempt_at;
ALTER TABLE deliveries RENAME COLUMN next_at TO next_attempt_at;
DROP INDEX deliveries_under_way;
CREATE INDEX deliveries_in_flight ON deliveries (webhook, lease_until) WHERE lease_until IS NOT NULL;

ALTER TABLE attempts RENAME COLUMN at TO started_at;
ALTER TABLE attempts RENAME COLUMN duration TO duration_ms;
ALTER TABLE attempts RENAME COLUMN response TO response_body;

DROP INDEX batch_events_frozen;
CREATE INDEX batch_events_by_delivery ON batch_events (delivery) WHERE delivery IS NOT NULL;
DROP INDEX submissions_once;
CREATE UNIQUE INDEX submissions_by_fingerprint ON submissions (page_id, fingerprint);
`;
