/**
 * Version 1. Every statement has IF NOT EXISTS, because ledgers made before schema versions existed have these tables.
 *
 * Bytes count here: about 100 million scans must fit the object's 10 GB. A scan is its 16-byte id (whose first 48 bits
 * are its time) and three small references; codes, user agents and places are stored once each; a visitor is 8 bytes
 * of a keyed hash. Times are epoch milliseconds, days are days since the epoch, UTC.
 */
export const tables = `
CREATE TABLE IF NOT EXISTS codes (
  ref INTEGER PRIMARY KEY,
  qr_id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  visitors INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS agents (
  ref INTEGER PRIMARY KEY,
  user_agent TEXT NOT NULL UNIQUE,
  device TEXT,
  os TEXT,
  bot INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS places (
  ref INTEGER PRIMARY KEY,
  country TEXT NOT NULL,
  city TEXT NOT NULL,
  UNIQUE (country, city)
);
CREATE TABLE IF NOT EXISTS scans (
  id BLOB PRIMARY KEY,
  code INTEGER NOT NULL,
  agent INTEGER NOT NULL,
  place INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS scans_by_code ON scans (code, id);
CREATE TABLE IF NOT EXISTS machine_scans (
  id BLOB PRIMARY KEY,
  code INTEGER NOT NULL,
  agent INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS visitors (
  code INTEGER NOT NULL,
  visitor BLOB NOT NULL,
  PRIMARY KEY (code, visitor)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS days (
  code INTEGER NOT NULL,
  day INTEGER NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  new_visitors INTEGER NOT NULL DEFAULT 0,
  machine_scans INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (code, day)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS submissions (
  id TEXT PRIMARY KEY,
  page_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  fields TEXT NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS submissions_once ON submissions (page_id, fingerprint);
CREATE INDEX IF NOT EXISTS submissions_by_page ON submissions (page_id, id);
CREATE TABLE IF NOT EXISTS submission_fields (
  ref INTEGER PRIMARY KEY,
  page_id TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (page_id, name)
);
CREATE TABLE IF NOT EXISTS webhooks (
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
  old_secret TEXT,
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  exhausted INTEGER NOT NULL DEFAULT 0,  -- deliveries in a row that used up their attempts
  timeouts INTEGER NOT NULL DEFAULT 0,   -- attempts in a row
  put_off_until INTEGER NOT NULL DEFAULT 0,
  told_at INTEGER NOT NULL DEFAULT 0,    -- when its due deliveries were last enqueued
  batch_closes_at INTEGER
);
CREATE TABLE IF NOT EXISTS deliveries (
  id TEXT PRIMARY KEY,
  webhook INTEGER NOT NULL,
  event_id TEXT,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  once INTEGER NOT NULL DEFAULT 0,       -- a test or a replay: not retried
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  began_at INTEGER,                      -- the first attempt; the others are scheduled from it
  next_at INTEGER,
  lease_until INTEGER,
  completed_at INTEGER,
  last_status INTEGER,
  last_error TEXT
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (webhook, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_by_webhook ON deliveries (webhook, id);
CREATE INDEX IF NOT EXISTS deliveries_by_status ON deliveries (webhook, status, id);
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_under_way ON deliveries (webhook, lease_until) WHERE lease_until IS NOT NULL;
CREATE INDEX IF NOT EXISTS deliveries_ended ON deliveries (completed_at) WHERE completed_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS attempts (
  delivery TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  duration INTEGER NOT NULL,
  error TEXT,
  response TEXT,
  PRIMARY KEY (delivery, attempt)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batch_events (
  webhook INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  data TEXT,
  delivery TEXT,                         -- the delivery it was sent with; NULL while its batch is open
  PRIMARY KEY (webhook, event_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS batch_events_open ON batch_events (webhook, at, event_id) WHERE delivery IS NULL;
CREATE INDEX IF NOT EXISTS batch_events_frozen ON batch_events (delivery) WHERE delivery IS NOT NULL;
`;
