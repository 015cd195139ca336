/** The decision about the rows of each of a ledger's tables. */
export const tableDecisions: Readonly<Record<string, "copied" | `left out: ${string}`>> = {
  codes: "copied",
  clients: "copied",
  agents: "copied",
  places: "copied",
  referrers: "copied",
  vias: "copied",
  bot_rules: "copied",
  visitor_changes: "copied",
  generations: "copied",
  archives: "copied",
  erasures: "copied",
  recent_scans: "copied",
  counted_scans: "copied",
  closed_scans: "copied",
  domain_visits: "copied",
  rollups: "copied",
  visitors: "copied",
  submission_fields: "copied",
  submission_counts: "copied",
  submissions: "copied",
  submission_senders: "left out: hashes of networks, which count until the next day",
  attempts: "copied",
  batch_events: "copied",
  deliveries: "copied",
  replays: "copied",
  // After its deliveries, whose triggers would count them again.
  webhooks: "copied",
  history: "copied",
  uncopied_codes: "left out: all codes' totals are copied to the catalogue again",
  history_size: "left out: summed up again",
  backup_changes: "left out: of the backup in progress",
  scans: "copied",
  bot_scans: "copied",
};

/** The tables that a backup has, in the order in which they are restored. */
export const copiedTables: readonly string[] = Object.entries(tableDecisions).flatMap(([table, decision]) =>
  decision === "copied" ? [table] : [],
);

/** The columns of copied tables that aren't copied: their meaning is the installation's own. */
export const leftOutColumns: Readonly<Record<string, readonly string[]>> = {
  // The total that the catalogue was told.
  codes: ["copied"],
};

/** The decision about each value that a ledger stores outside its tables. */
export const valueDecisions: Readonly<Record<string, "copied" | `left out: ${string}`>> = {
  keep_scans_days: "copied",
  deleted_before: "copied",
  raw_since: "copied",
  entry_gaps: "copied",
  archive: "copied",
  archives_version: "copied",
  history: "copied",
  alerts_seen: "copied",
  copied_totals: "left out: begins again",
  archives_failure: "left out: of the bucket",
  erasure_leftover: "left out: a file that isn't copied",
  unused_entries: "left out: begins again",
  unused_entries_search: "left out: begins again",
  export_leases: "left out: of exports in progress",
  alarm_at: "left out: set again",
  workspace_id: "left out: the object's name",
  schema_migrations: "left out: the object's own",
  schema_version: "left out: the object's own",
  erased: "left out: erased ledgers aren't copied",
  backup_copy: "left out: of the backup in progress",
  backup_restored: "left out: of the installation",
};
