/**
 * - vias: addresses by which scans came, other than short links at the scan origin: a domain, or a domain and an alias's
 *   path. `day` is when they were first seen.
 * - scans: `via` is 0 for the scan origin.
 */
export const vias = `
CREATE TABLE vias (
  ref INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  day INTEGER NOT NULL DEFAULT 0
);
ALTER TABLE scans ADD COLUMN via INTEGER NOT NULL DEFAULT 0;
`;
