/**
 * Version 5: what analytics need.
 * - clients: a device, system and browser, each empty if unknown. Agents refer to them.
 * - referrers: hosts of pages whose links led to a code. scans: `referrer` is 0 for none; `visitor`, NULL in older rows;
 *   `first`, whether it is the visitor's first scan of the code.
 * - arrivals: the ids of the first human scans of the last calls that recorded some, 16 bytes each. `number` counts all
 *   that have arrived, those of the call included.
 * - generations: the rollups of a reporting time zone, which are active, building or retired. Raw scans up to `cursor`
 *   (an id) have been folded into them; `scans` are the human scans that they count; `folded_at` is when no scan was left
 *   to fold.
 * - rollups: sums of a code and a day of the zone; code 0 is the workspace. `visitors` counts distinct ones, and is NULL
 *   where some scans have none; `zone` is set on days that were taken over from an earlier generation. Small columns
 *   come first, because SQLite reads a row as far as it must. They replace daily_totals.
 */
export const analytics = `
CREATE TABLE clients (
  ref INTEGER PRIMARY KEY,
  device TEXT NOT NULL,
  os TEXT NOT NULL,
  browser TEXT NOT NULL,
  UNIQUE (device, os, browser)
);
INSERT INTO clients (device, os, browser)
  SELECT coalesce(device, ''), coalesce(os, ''), '' FROM agents GROUP BY 1, 2 ORDER BY min(ref);
ALTER TABLE agents ADD COLUMN client INTEGER NOT NULL DEFAULT 0;
UPDATE agents SET client =
  (SELECT c.ref FROM clients c WHERE c.device = coalesce(agents.device, '') AND c.os = coalesce(agents.os, ''));
ALTER TABLE agents DROP COLUMN device;
ALTER TABLE agents DROP COLUMN os;

CREATE TABLE referrers (
  ref INTEGER PRIMARY KEY,
  host TEXT NOT NULL UNIQUE
);
ALTER TABLE scans ADD COLUMN visitor BLOB;
ALTER TABLE scans ADD COLUMN referrer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scans ADD COLUMN first INTEGER NOT NULL DEFAULT 0;

CREATE TABLE arrivals (
  slot INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  ids BLOB NOT NULL
);

DROP TABLE daily_totals;
CREATE TABLE generations (
  ref INTEGER PRIMARY KEY,
  zone TEXT NOT NULL,
  state TEXT NOT NULL,
  cursor BLOB NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  folded_at INTEGER NOT NULL DEFAULT 0
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
`;
