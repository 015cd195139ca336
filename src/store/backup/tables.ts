/** How a table's rows are copied. */
export interface CopiedTable {
  /** Rows of one page: fewer where a row can be large. */
  readonly rows: number;
  /** Columns that triggers fill again. */
  readonly counted?: readonly string[];
}

const plain: CopiedTable = { rows: 1000 };

/**
 * For each table of the catalogue, how a backup copies its rows, or the reason why it has none. In the order in which they are
 * restored: a row after those that it refers to.
 */
export const tableDecisions: Readonly<Record<string, CopiedTable | `left out: ${string}`>> = {
  users: plain,
  passkeys: plain,
  workspaces: {
    ...plain,
    counted: ["live_codes", "stored_bytes", "job_bytes", "waiting_bytes", "outbox_bytes"],
  },
  members: plain,
  api_keys: plain,
  folders: plain,
  templates: { rows: 200 },
  logos: plain,
  logo_files: { rows: 2 },
  domains: plain,
  qr_codes: { rows: 500 },
  // After the codes, whose triggers give them other versions.
  aliases: plain,
  pages: { rows: 20 },
  page_drafts: { rows: 20 },
  page_images: plain,
  saved_lists: { rows: 200 },
  shared_reports: plain,
  alert_addresses: plain,
  bulk_jobs: { rows: 20 },
  bulk_items: { rows: 200 },
  outbox: { rows: 200 },
  dead_letters: { rows: 20 },
  blocked_hosts: plain,
  abuse_reports: plain,
  sessions: "left out: people sign in again",
  operator_sessions: "left out: the operator signs in again",
  sign_in_links: "left out: one-time links open no other installation",
  invitations: "left out: one-time links open no other installation",
  spent_challenges: "left out: challenges of one installation's passkeys",
  proposals: "left out: dry runs of programs, which end within a day",
  print_jobs: "left out: their files end within a day",
  idempotency_records: "left out: answers to repeated requests of a day",
  forwarding_leases: "left out: leases",
  scan_totals: "left out: copied again from the ledgers",
  waiting_items: "left out: made again by the next page",
  qr_tags: "left out: made again by triggers",
  page_image_uses: "left out: made again by triggers",
  abuse_report_count: "left out: counted again by triggers",
  pending_publications: "left out: routes are found by their first scan",
  route_cache_refusals: "left out: of the installation",
  cloudflare_requests: "left out: of the installation",
  figures: "left out: of the installation",
  last_runs: "left out: of the installation",
  alerts: "left out: of the installation",
  alert_cursor: "left out: of the installation",
};

/** The tables that a backup has, by name, in the order in which they are restored. */
export const copiedTables: ReadonlyMap<string, CopiedTable> = new Map(
  Object.entries(tableDecisions).flatMap(([table, decision]) =>
    typeof decision === "string" ? [] : [[table, decision]],
  ),
);
