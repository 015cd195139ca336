/**
 * - bot_rules: the rules by which scans are bots'.
 * - bot_scans: `rule` is 0 for scans of versions that didn't store it.
 * - visitor_changes: when visitors began to be told apart in another way than before, epoch milliseconds, if there were
 *   any. Since then, addresses of IPv6 are told apart by their network.
 */
export const botRules = `
CREATE TABLE bot_rules (
  ref INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
ALTER TABLE bot_scans ADD COLUMN rule INTEGER NOT NULL DEFAULT 0;
CREATE TABLE visitor_changes (at INTEGER PRIMARY KEY);
INSERT INTO visitor_changes (at) SELECT unixepoch() * 1000 WHERE EXISTS (SELECT 1 FROM codes WHERE visitors > 0);
`;
