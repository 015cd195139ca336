/**
 * Version 6: what the erasure of a code's scans needs.
 * - codes: scans from before `counted_from` were erased with their sums, those from before `stored_from` as raw scans.
 *   Those that arrive late are not counted, or not stored. Epoch milliseconds; 0 for none.
 * - erasures: what is still to be removed. Rows of scans with the reference `code` and an id below `before`; with `sums`,
 *   also the visitors of that reference, which is no code's then. Scans by bots were looked through up to `bots_after`,
 *   which is NULL once all rows are gone. Files of archived scans were looked through up to the number `files_after`, and
 *   are to be up to `files_until`.
 */
export const scanErasures = `
ALTER TABLE codes ADD COLUMN counted_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE codes ADD COLUMN stored_from INTEGER NOT NULL DEFAULT 0;
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
