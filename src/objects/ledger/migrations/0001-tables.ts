/**
 * - codes: scans older than `counted_from` were erased with their sums, those older than `stored_from` as raw scans.
 *   Scans that arrive late are then not counted, or not stored. 0 for no erasure.
 * - clients: a device, system and browser, each empty if unknown. Agents refer to them.
 * - referrers: hosts of pages whose links led to a code.
 * - agents, places, referrers: `day` is when they were first seen, for the limit of new ones per day.
 * - scans: `referrer` is 0 for none; `first` says whether it is the visitor's first scan of the code.
 * - counted_scans: ids of scans that a full ledger counted without storing them.
 * - recent_scans: for each of the last calls that recorded human scans, the ids of the first ones, 16 bytes each.
 *   `number` is the running count of all human scans, including the call's.
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
 * - generations: the rollups for a reporting time zone, which are active, being built or retired. Raw scans up to
 *   `cursor` (an id) have been folded; `scans` is the number of human scans counted; `folded_at` is when the last fold
 *   ended. `earlier_zones` has the time zones of earlier days, oldest first, as JSON. During a build, `copied_code` and
 *   `copied_day` are the last rollup copied from the previous generation, NULL once all are; `archive` is the last file
 *   of archived scans that was folded, `archive_lines` how many lines of the next one were.
 * - rollups: sums of a code and a day of the zone; code 0 is the workspace. `visitors` counts distinct visitors, and is
 *   NULL if some scans have none; `zone` is set on days taken over from an earlier generation. Small columns come
 *   first, because SQLite reads a row only as far as it must.
 * - archives: files of raw scans in R2, with their first and last scan, how many are by humans and by bots, and their
 *   size.
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
 * - erasures: scans still to be removed, which are rows with the reference `code` and an id below `before`. With
 *   `sums`, that reference no longer belongs to a code, and its visitors are removed too. Scans by bots have been
 *   searched up to `bots_after`, which is NULL once all rows are gone. Files of archived scans have been searched up to
 *   the number `files_after` and must be up to `files_until`.
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

/**
 * - submission_counts: how many submissions a page has.
 * - submission_senders: how many a network sent to a page on a day, by a keyed hash.
 */
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
 * - webhooks: `backoff_step` is the number of consecutive backoffs; `probe` the delivery whose first attempt follows a
 *   backoff; `open_events` and `open_bytes` the size of the open batch; `ended_events` and `pending_events` the numbers
 *   of events in ended and pending deliveries, maintained by the triggers of deliveries.
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
 * - deliveries: `erased` says whether a submission was removed from the body; `event_count` is the number of events it
 *   holds; `replay` the last replay that made it due.
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
 * - replays: `since` is inclusive. `after` is the id of the last delivery made due, `before` an upper bound on all of
 *   them; `is_drained` is set once none are left. `failures` counts consecutive ones.
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
 * The tables of scans, rollups, submissions and webhooks.
 *
 * Every byte counts, because about 100 million scans must fit into the object's 10 GB. A scan is its 16-byte id (whose
 * first 48 bits are its time) and a few small references; codes, user agents, places and referrers are stored once
 * each; a visitor is 8 bytes of a keyed hash. Times are epoch milliseconds, days are days since the epoch, UTC.
 */
export const tables = [scans, analytics, erasures, submissions, webhooks, deliveries, replays].join("");
