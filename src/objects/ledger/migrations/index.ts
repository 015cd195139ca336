import { tables } from "./0001-tables.ts";
import { plainNames } from "./0002-plain-names.ts";
import { bounds } from "./0003-bounds.ts";
import { pendingEvents } from "./0004-pending-events.ts";
import { analytics } from "./0005-analytics.ts";
import { scanErasures } from "./0006-scan-erasures.ts";
import { replays } from "./0007-replays.ts";
import { entryDays } from "./0008-entry-days.ts";
import { recentScans } from "./0009-recent-scans.ts";

/** The schema versions of a WorkspaceLedger, in order. */
export const ledgerMigrations: readonly string[] = [
  tables,
  plainNames,
  bounds,
  pendingEvents,
  analytics,
  scanErasures,
  replays,
  entryDays,
  recentScans,
];
