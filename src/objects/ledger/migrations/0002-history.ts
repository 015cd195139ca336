/**
 * The workspace's history. An entry's id is a UUIDv7, which has its time. `entry` is the rest of it as JSON;
 * the columns before it are what it is found by, so that examining many rows reads little. `history_size` has one row.
 */
export const history = `
CREATE TABLE history (
  id TEXT PRIMARY KEY,
  object_id TEXT NOT NULL,
  object_kind TEXT NOT NULL,
  actor_id TEXT,
  actor_kind TEXT NOT NULL,
  job_id TEXT,
  bytes INTEGER NOT NULL,
  entry TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX history_of_object ON history (object_id, id);
CREATE INDEX history_of_job ON history (job_id, id) WHERE job_id IS NOT NULL;
CREATE TABLE history_size (rows INTEGER NOT NULL, bytes INTEGER NOT NULL);
INSERT INTO history_size VALUES (0, 0);
`;
