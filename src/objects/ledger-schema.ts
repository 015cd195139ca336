/**
 * The tables of a WorkspaceLedger. Bytes count here: about 100 million scans must fit the object's 10 GB.
 * So a scan is its 16-byte id (whose first 48 bits are its time) and three small references; codes, user
 * agents and places are written once each; a visitor is 8 bytes of a keyed hash.
 */
export const ledgerSchema = `
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
`;
