/**
 * Visits that are counted without being scans, by days of the reports' time zone since 1970-01-01.
 * - closed_scans: scans of codes that got no target.
 * - domain_visits: visits of the addresses of domains themselves.
 */
export const closedScans = `
CREATE TABLE closed_scans (
  code INTEGER NOT NULL,
  reason TEXT NOT NULL,
  day INTEGER NOT NULL,
  scans INTEGER NOT NULL,
  PRIMARY KEY (code, reason, day)
) WITHOUT ROWID;
CREATE INDEX closed_scans_by_day ON closed_scans (day);
CREATE TABLE domain_visits (
  host TEXT NOT NULL,
  day INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  PRIMARY KEY (host, day)
) WITHOUT ROWID;
`;
