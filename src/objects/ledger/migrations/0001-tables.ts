/**
 * - codes: scans from before `counted_from` were erased with their sums, those from before `stored_from` as raw scans.
 *   Those that arrive late are not counted, or not stored. 0 for none.
 * - clients: a device, system and browser, each empty if unknown. Agents refer to them.
 * - referrers: hosts of pages whose links led to a code.
 * - agents, places, referrers: `day`, on which they were first seen. Their bounds a day need it.
 * - scans: `referrer` is 0 for none; `first`, whether it is the visitor's first scan of the code.
 * - counted_scans: ids of scans that a full ledger counted without storing them.
 * - recent_scans: the ids of the first human scans of the last calls that recorded some, 16 bytes each. `number` counts
 *   all that were recorded, those of the call included.
 */
const scans = `
CREATE TABLE codes (
  ref INTEGER PRIMARY KEY,
  qr_id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  visitors INTEGER NOT NULL DEFAULT 0,
  counted_from INTEGER NOT NULL DEFAULT 0,
  stored_from INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE clients (
  ref INTEGER PRIMARY KEY,
  device TEXT NOT NULL,
  os TEXT NOT NULL,
  browser TEXT NOT NULL,
  UNIQUE (device, os, browser)
);
CREATE TABLE agents (
  ref INTEGER PRIMARY KEY,
  user_agent TEXT NOT NULL UNIQUE,
  bot INTEGER NOT NULL,
  client INTEGER NOT NULL DEFAULT 0,
  day INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE places (
  ref INTEGER PRIMARY KEY,
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  day INTEGER NOT NULL DEFAULT 0,
  UNIQUE (country, city)
);
CREATE TABLE referrers (
  ref INTEGER PRIMARY KEY,
  host TEXT NOT NULL UNIQUE,
  day INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE scans (
  id BLOB PRIMARY KEY,
  code INTEGER NOT NULL,
  agent INTEGER NOT NULL,
  place INTEGER NOT NULL,
  visitor BLOB,
  referrer INTEGER NOT NULL DEFAULT 0,
  first INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX scans_by_code ON scans (code, id);
CREATE TABLE bot_scans (
  id BLOB PRIMARY KEY,
  code INTEGER NOT NULL,
  agent INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE visitors (
  code INTEGER NOT NULL,
  visitor BLOB NOT NULL,
  PRIMARY KEY (code, visitor)
) WITHOUT ROWID;
CREATE TABLE counted_scans (id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE recent_scans (
  slot INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  ids BLOB NOT NULL
);
`;

/**
 * - generations: the rollups of a reporting time zone, which are active, building or retired. Raw scans up to `cursor`
 *   (an id) have been folded into them; `scans` are the human scans that they count; `folded_at` is when no scan was left
 *   to fold. `earlier_zones` are the zones of the days before those of its own, oldest first, as JSON. While it is built:
 *   `copied_code` and `copied_day`, the last rollup that was copied from the generation before, NULL once all are;
 *   `archive`, the last file of archived scans that was folded, and `archive_lines`, how many of the next one's.
 * - rollups: sums of a code and a day of the zone; code 0 is the workspace. `visitors` counts distinct ones, and is NULL
 *   where some scans have none; `zone` is set on days that were taken over from an earlier generation. Small columns
 *   come first, because SQLite reads a row as far as it must.
 * - archives: files of raw scans in R2. Their first and last scan, how many they have of humans and of bots, their size.
 */
const analytics = `
CREATE TABLE generations (
  ref INTEGER PRIMARY KEY,
  zone TEXT NOT NULL,
  state TEXT NOT NULL,
  cursor BLOB NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  folded_at INTEGER NOT NULL DEFAULT 0,
  earlier_zones TEXT NOT NULL DEFAULT '[]',
  copied_code INTEGER,
  copied_day INTEGER,
  archive INTEGER NOT NULL DEFAULT 0,
  archive_lines INTEGER NOT NULL DEFAULT 0
);
INSERT INTO generations (ref, zone, state, cursor) VALUES (1, 'UTC', 'active', zeroblob(16));
CREATE TABLE rollups (
  generation INTEGER NOT NULL,
  code INTEGER NOT NULL,
  day INTEGER NOT NULL,
  visitors INTEGER,
  zone TEXT,
  hours BLOB NOT NULL,
  clients BLOB NOT NULL,
  referrers BLOB NOT NULL,
  places BLOB NOT NULL,
  codes BLOB NOT NULL,
  visitor_set BLOB NOT NULL,
  PRIMARY KEY (generation, code, day)
) WITHOUT ROWID;
CREATE TABLE archives (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  first_id BLOB NOT NULL,
  last_id BLOB NOT NULL,
  scans INTEGER NOT NULL,
  bot_scans INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
CREATE INDEX archives_by_end ON archives (last_id);
`;

/**
 * - erasures: what is still to be removed. Rows of scans with the reference `code` and an id below `before`; with `sums`,
 *   also the visitors of that reference, which is no code's then. Scans by bots were looked through up to `bots_after`,
 *   which is NULL once all rows are gone. Files of archived scans were looked through up to the number `files_after`, and
 *   are to be up to `files_until`.
 */
const erasures = `
CREATE TABLE erasures (
  code INTEGER PRIMARY KEY,
  qr_id TEXT NOT NULL,
  sums INTEGER NOT NULL,
  before BLOB NOT NULL,
  bots_after BLOB,
  files_after INTEGER NOT NULL,
  files_until INTEGER NOT NULL
);
`;

/** - submission_counts: those of a page. submission_senders: those of a network to a page in a day, by a keyed hash. */
const submissions = `
CREATE TABLE submissions (
  id TEXT PRIMARY KEY,
  page_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  fields TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX submissions_by_page ON submissions (page_id, id);
CREATE UNIQUE INDEX submissions_by_fingerprint ON submissions (page_id, fingerprint);
CREATE TABLE submission_fields (
  ref INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (page_id, name)
);
CREATE TABLE submission_counts (
  page_id TEXT PRIMARY KEY,
  submissions INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE submission_senders (
  day INTEGER NOT NULL,
  page_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  submissions INTEGER NOT NULL,
  PRIMARY KEY (day, page_id, sender)
) WITHOUT ROWID;
`;

/**
 * - webhooks: `backoff_step`, how many backoffs in a row; `probe`, the delivery whose first attempt is made after a
 *   backoff; `open_events` and `open_bytes`, the size of its open batch; `ended_events` and `pending_events`, the events
 *   in its ended and pending deliveries, counted by the triggers of deliveries.
 */
const webhooks = `
CREATE TABLE webhooks (
  ref INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  scope_qr_id TEXT,
  scope_page_id TEXT,
  mode TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  paused_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  consecutive_failures INTEGER NOT NULL DEFAULT 0, -- deliveries in a row that used up their attempts
  failed_attempts INTEGER NOT NULL DEFAULT 0,      -- in a row
  backoff_until INTEGER NOT NULL DEFAULT 0,
  backoff_step INTEGER NOT NULL DEFAULT 0,
  probe TEXT,
  last_enqueued_at INTEGER NOT NULL DEFAULT 0,     -- when its due deliveries were last enqueued
  batch_closes_at INTEGER,
  open_events INTEGER NOT NULL DEFAULT 0,
  open_bytes INTEGER NOT NULL DEFAULT 0,
  ended_events INTEGER NOT NULL DEFAULT 0,
  pending_events INTEGER NOT NULL DEFAULT 0
);
`;

/**
 * - deliveries: `erased`, whether a submission was taken out of the body; `event_count`, the events it holds; `replay`,
 *   the replay that made it due last.
 */
const deliveries = `
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  webhook INTEGER NOT NULL,
  event_id TEXT,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  single_attempt INTEGER NOT NULL DEFAULT 0,       -- a test or a replay: not retried
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  first_attempt_at INTEGER,                        -- the others are scheduled from it
  next_attempt_at INTEGER,
  lease_until INTEGER,
  completed_at INTEGER,
  last_status INTEGER,
  last_error TEXT,
  erased INTEGER NOT NULL DEFAULT 0,
  event_count INTEGER NOT NULL DEFAULT 1,
  replay INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX deliveries_by_event ON deliveries (webhook, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, id);
CREATE INDEX deliveries_by_status ON deliveries (webhook, status, id);
CREATE INDEX deliveries_in_flight ON deliveries (webhook, lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX deliveries_ended ON deliveries (webhook, completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX deliveries_first_due ON deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND first_attempt_at IS NULL;
CREATE INDEX deliveries_retry_due ON deliveries (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL AND first_attempt_at IS NOT NULL;
CREATE INDEX deliveries_replaying ON deliveries (replay) WHERE replay IS NOT NULL AND status = 'pending';
CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries BEGIN
  UPDATE webhooks SET
    ended_events = ended_events + iif(NEW.completed_at IS NULL, 0, NEW.event_count),
    pending_events = pending_events + iif(NEW.completed_at IS NULL, NEW.event_count, 0)
  WHERE ref = NEW.webhook;
END;
CREATE TRIGGER deliveries_updated AFTER UPDATE OF completed_at ON deliveries
WHEN (NEW.completed_at IS NULL) <> (OLD.completed_at IS NULL) BEGIN
  UPDATE webhooks SET
    ended_events = ended_events + iif(NEW.completed_at IS NULL, -1, 1) * NEW.event_count,
    pending_events = pending_events - iif(NEW.completed_at IS NULL, -1, 1) * NEW.event_count
  WHERE ref = NEW.webhook;
END;
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN
  UPDATE webhooks SET
    ended_events = ended_events - iif(OLD.completed_at IS NULL, 0, OLD.event_count),
    pending_events = pending_events - iif(OLD.completed_at IS NULL, OLD.event_count, 0)
  WHERE ref = OLD.webhook;
END;
CREATE TABLE attempts (
  delivery TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  response_body TEXT,
  PRIMARY KEY (delivery, attempt)
) WITHOUT ROWID;
CREATE TABLE batch_events (
  webhook INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT,
  delivery TEXT,                                   -- the delivery it was sent with; NULL while its batch is open
  PRIMARY KEY (webhook, event_id)
) WITHOUT ROWID;
CREATE INDEX batch_events_open ON batch_events (webhook, at, event_id) WHERE delivery IS NULL;
CREATE INDEX batch_events_by_delivery ON batch_events (delivery) WHERE delivery IS NOT NULL;
`;

/**
 * - replays: `since` is inclusive. `after` is the id of the last delivery that was made due, `before` a bound on all;
 *   `is_drained` once none is left. `failures` are those in a row.
 */
const replays = `
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
`;

/**
 * Version 1: the tables of scans, of what is counted from them, of submissions and of webhooks.
 *
 * Bytes count here: about 100 million scans must fit the object's 10 GB. A scan is its 16-byte id (whose first 48 bits
 * are its time) and a few small references; codes, user agents, places and referrers are stored once each; a visitor is
 * 8 bytes of a keyed hash. Times are epoch milliseconds, days are days since the epoch, UTC.
 */
export const tables = [scans, analytics, erasures, submissions, webhooks, deliveries, replays].join("");
