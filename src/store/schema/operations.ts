import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  AbuseReportReason,
  AbuseReportStatus,
} from "../../contract/resources/operations/abuse-reports.ts";

/** The operator's tables. They belong to the installation. Times are epoch milliseconds. */

/** Queue messages that failed every retry, kept for the operator. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    /** The queue to put the message back on: the dead-letter queue's name without its suffix. */
    queue: text("queue").notNull(),
    /** The dead-letter queue's id of the message. Storing it again has no effect. */
    messageId: text("message_id").notNull(),
    /** As JSON text, because a message may also be null. */
    body: text("body").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("dead_letters_message").on(table.queue, table.messageId),
    index("dead_letters_queue").on(table.queue, table.id),
    index("dead_letters_expiry").on(table.expiresAt),
  ],
);

/** Sessions in the operator's pages. */
export const operatorSessions = sqliteTable(
  "operator_sessions",
  {
    /** HMAC of the cookie's token under the operator's secret, hex: another secret ends every session. */
    digest: text("digest").primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("operator_sessions_expiry").on(table.expiresAt)],
);

/** How much the installation does, in intervals of five minutes, for two days. */
export const figures = sqliteTable("figures", {
  /** When the interval begins. */
  at: integer("at").primaryKey(),
  scans: integer("scans").notNull(),
  /** Requests other than scans, and how many of them were answered 5xx. */
  requests: integer("requests").notNull(),
  failedRequests: integer("failed_requests").notNull(),
  /** Attempts of webhook deliveries. */
  deliveries: integer("deliveries").notNull(),
  failedDeliveries: integer("failed_deliveries").notNull(),
});

/** Why the route cache refuses all writes: the account's daily quota (UTC) is used up, or something else. */
export type RefusalCause = "quota" | "outage";

/** Records that the route cache refuses all of the installation's writes. At most one row, with the id 1. */
export const routeCacheRefusals = sqliteTable("route_cache_refusals", {
  id: integer("id").primaryKey(),
  cause: text("cause").$type<RefusalCause>().notNull(),
  since: integer("since").notNull(),
});

/** When work that repeats was last done, for the readiness check: `sweep`, and `failed sweep` for one that failed in part. */
export const lastRuns = sqliteTable("last_runs", {
  name: text("name").$type<RunName>().primaryKey(),
  at: integer("at").notNull(),
});
export type RunName = "sweep" | "failed sweep" | "alerts";

/** Conditions that the operator is alerted of: those that hold, or held until a moment ago. */
export const alerts = sqliteTable("alerts", {
  name: text("name").primaryKey(),
  text: text("text").notNull(),
  since: integer("since").notNull(),
  sentAt: integer("sent_at"),
  clearSince: integer("clear_since"),
});

/** The last workspace whose ledger was checked for alerts. At most one row, with the id 1. */
export const alertCursor = sqliteTable("alert_cursor", {
  id: integer("id").primaryKey(),
  ledger: text("ledger").notNull(),
});

/** Hosts that codes may not lead to. */
export const blockedHosts = sqliteTable(
  "blocked_hosts",
  {
    id: text("id").primaryKey(),
    /** As browsers send it: lower case, Punycode. Covers its subdomains, too. */
    host: text("host").notNull(),
    reason: text("reason").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("blocked_hosts_host").on(table.host)],
);

/** Abuse reports. The reporter's address is not stored. */
export const abuseReports = sqliteTable(
  "abuse_reports",
  {
    id: text("id").primaryKey(),
    /** The subject's key in the route cache: a hash, `page:` and a page id, or `domain:` and a host. */
    routeKey: text("route_key").notNull(),
    /** The host and path that were reported; null if none was given. */
    link: text("link"),
    hash: text("hash"),
    qrId: text("qr_id"),
    pageId: text("page_id"),
    workspaceId: text("workspace_id").notNull(),
    /** Where the code led at the time. */
    destination: text("destination"),
    reason: text("reason").$type<AbuseReportReason>().notNull(),
    details: text("details"),
    email: text("email"),
    status: text("status").$type<AbuseReportStatus>().notNull().default("open"),
    /** Further reports about the same code or page, which were only counted. */
    furtherReports: integer("further_reports").notNull().default(0),
    /**
     * Reports about other codes and pages, only counted because the workspace or the installation had too many open.
     */
    otherReports: integer("other_reports").notNull().default(0),
    note: text("note"),
    /** A short digest of the sender's network, to recognise one that sends many; null once it is decided. */
    network: text("network"),
    createdAt: integer("created_at").notNull(),
    decidedAt: integer("decided_at"),
  },
  (table) => [
    index("abuse_reports_open").on(table.routeKey, table.id).where(sql`status = 'open'`),
    index("abuse_reports_open_workspace").on(table.workspaceId, table.id).where(sql`status = 'open'`),
    index("abuse_reports_status").on(table.status, table.id),
    index("abuse_reports_workspace").on(table.workspaceId, table.id),
    index("abuse_reports_decided").on(table.decidedAt),
  ],
);

/** Requests to Cloudflare's API in the current period. At most one row, with the id 1. */
export const cloudflareRequests = sqliteTable("cloudflare_requests", {
  id: integer("id").primaryKey(),
  /** The number of the period since 1970. */
  period: integer("period").notNull(),
  requests: integer("requests").notNull(),
});

/** How many abuse reports are open, counted by triggers on them. At most one row, with the id 1. */
export const abuseReportCount = sqliteTable("abuse_report_count", {
  id: integer("id").primaryKey(),
  open: integer("open").notNull(),
});
