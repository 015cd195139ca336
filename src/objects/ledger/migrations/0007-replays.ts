/**
 * Version 7: replays of all deliveries of a webhook that failed.
 * - replays: `since` is inclusive, epoch milliseconds. `after` is the id of the last delivery that was made due, `before`
 *   a bound on all; `is_drained` once none is left. `failures` are those in a row.
 * - deliveries: `replay`, the replay that made it due last.
 */
export const replays = `
CREATE TABLE replays (
  ref INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  webhook INTEGER NOT NULL,
  since INTEGER NOT NULL,
  include_skipped INTEGER NOT NULL,
  after TEXT NOT NULL,
  before TEXT NOT NULL,
  is_drained INTEGER NOT NULL DEFAULT 0,
  deliveries INTEGER NOT NULL,
  replayed INTEGER NOT NULL DEFAULT 0,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT 'running',
  stopped_reason TEXT,
  created_at INTEGER NOT NULL,
  completed_at INTEGER
);
CREATE INDEX replays_by_webhook ON replays (webhook, ref);
CREATE UNIQUE INDEX replays_running ON replays (webhook) WHERE status = 'running';
ALTER TABLE deliveries ADD COLUMN replay INTEGER;
CREATE INDEX deliveries_replaying ON deliveries (replay) WHERE replay IS NOT NULL AND status = 'pending';
`;
