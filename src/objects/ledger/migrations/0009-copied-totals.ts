/**
 * Totals of scans as the catalogue has been told them.
 * - codes: `copied` is the total that it was told last.
 * - uncopied_codes: codes that were scanned for the first time, or whose sums were erased, since then. -1 stands for all codes, in a
 *   ledger that has copied none yet.
 */
export const copiedTotals = `
ALTER TABLE codes ADD COLUMN copied INTEGER NOT NULL DEFAULT 0;
CREATE TABLE uncopied_codes (code INTEGER PRIMARY KEY);
INSERT INTO uncopied_codes (code) SELECT -1 FROM codes WHERE scans > 0 LIMIT 1;
`;
