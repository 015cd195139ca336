import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  BulkItemStatus,
  BulkJobStatus,
  EventKind,
  KeyType,
  LogoType,
  QrStatus,
  QrType,
  Scope,
  Shape,
} from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";
import type { Plan } from "../contract/plans.ts";
import type { ColorConfig } from "../contract/resources/qr.ts";
import type { QrData } from "../contract/resources/qr-data.ts";

/**
 * The catalogue. Tables whose key is all that finds a row (qr_tags, bulk_items, idempotency_records) are WITHOUT
 * ROWID in the migration, which drizzle has no word for. Every time is epoch milliseconds, every id a UUIDv7, so that
 * order by id is order by age.
 */

export const workspaces = sqliteTable("workspaces", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  plan: text("plan").$type<Plan>().notNull(),
  /** A raised cap; null means the plan's own. */
  requestsPerMinute: integer("requests_per_minute"),
  /** Codes that are not deleted. Kept by triggers on qr_codes, so that the plan's cap costs one row to check. */
  liveCodes: integer("live_codes").notNull().default(0),
  /** Raised with every change of plan or cap, so that a meter knows the newest it has heard of. */
  planVersion: integer("plan_version").notNull().default(0),
  /** Whether a webhook was ever registered. Without one, events need not be stored. */
  hasWebhooks: integer("has_webhooks", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
});

/** The workspace that a row belongs to. */
const ofWorkspace = () =>
  text("workspace_id")
    .notNull()
    .references(() => workspaces.id);

/** People, as their identity provider names them. */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    issuer: text("issuer").notNull(),
    /** The provider's own id of the person: unlike a name or an address it never changes. */
    subject: text("subject").notNull(),
    name: text("name"),
    email: text("email"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("users_subject").on(table.issuer, table.subject)],
);

/** Who may act for a workspace. */
export const members = sqliteTable(
  "members",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    workspaceId: ofWorkspace(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.workspaceId] }),
    index("members_workspace").on(table.workspaceId),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    name: text("name").notNull(),
    type: text("type").$type<KeyType>().notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    origins: text("origins", { mode: "json" }).$type<string[]>().notNull(),
    /** SHA-256 of the key, hex. The key itself is shown once and never stored. */
    digest: text("digest").notNull(),
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    uniqueIndex("api_keys_digest").on(table.digest),
    index("api_keys_workspace").on(table.workspaceId, table.id),
  ],
);

export const folders = sqliteTable(
  "folders",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("folders_workspace").on(table.workspaceId, table.id)],
);

/** Looks to apply to codes. */
export const templates = sqliteTable(
  "templates",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    name: text("name").notNull(),
    colorConfig: text("color_config", { mode: "json" }).$type<ColorConfig>(),
    shape: text("shape").$type<Shape>(),
    createdAt: integer("created_at").notNull(),
    /** Of a row of `logos` of the same workspace. */
    logoId: text("logo_id"),
  },
  (table) => [index("templates_workspace").on(table.workspaceId, table.id)],
);

/** Logos of templates, and of the codes that those were applied to. */
export const logos = sqliteTable(
  "logos",
  {
    workspaceId: ofWorkspace(),
    /** SHA-256 of the bytes, hex: the same logo is stored once, and never changes. */
    id: text("id").notNull(),
    mediaType: text("media_type").$type<LogoType>().notNull(),
    bytes: blob("bytes", { mode: "buffer" }).notNull(),
    /** Its proportions: a PNG's in pixels, an SVG's in whatever unit. */
    size: text("size", { mode: "json" }).$type<{ width: number; height: number }>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
);

/** Hosted pages. */
export const pages = sqliteTable(
  "pages",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    /** Raised by every change, as a code's is. */
    version: integer("version").notNull(),
    content: text("content", { mode: "json" }).$type<PageContent>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (table) => [index("pages_live").on(table.workspaceId, table.id).where(sql`deleted_at IS NULL`)],
);

export const qrCodes = sqliteTable(
  "qr_codes",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    /** Rows are never removed, so a hash is never used again. */
    hash: text("hash").notNull(),
    /** Raised by every change: orders what the route cache and the feed say, and guards racing updates. */
    version: integer("version").notNull(),
    qrType: text("qr_type").$type<QrType>().notNull(),
    name: text("name"),
    data: text("data", { mode: "json" }).$type<QrData>().notNull(),
    folderId: text("folder_id"),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    status: text("status").$type<QrStatus>().notNull(),
    colorConfig: text("color_config", { mode: "json" }).$type<ColorConfig>(),
    shape: text("shape").$type<Shape>(),
    templateId: text("template_id"),
    advanced: text("advanced", { mode: "json" }).$type<Record<string, unknown>>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** Of a row of `logos` of the same workspace: the logo of the template applied last. */
    logoId: text("logo_id"),
  },
  (table) => [
    uniqueIndex("qr_codes_hash").on(table.hash),
    index("qr_codes_live").on(table.workspaceId, table.id).where(sql`deleted_at IS NULL`),
    index("qr_codes_folder").on(table.workspaceId, table.folderId, table.id).where(sql`deleted_at IS NULL`),
    index("qr_codes_type").on(table.workspaceId, table.qrType, table.id).where(sql`deleted_at IS NULL`),
    /** Codes that lead to a hosted page. */
    index("qr_codes_page")
      .on(sql`data->>'pageId'`)
      .where(sql`qr_type = 'servicepage' AND deleted_at IS NULL`),
  ],
);

/** The tag filter's index: what `qr_codes.tags` holds, one row a tag. Kept by triggers on qr_codes. */
export const qrTags = sqliteTable(
  "qr_tags",
  {
    workspaceId: text("workspace_id").notNull(),
    tag: text("tag").notNull(),
    qrId: text("qr_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.tag, table.qrId] }),
    index("qr_tags_code").on(table.qrId),
  ],
);

export const bulkJobs = sqliteTable(
  "bulk_jobs",
  {
    id: text("id").primaryKey(),
    workspaceId: ofWorkspace(),
    status: text("status").$type<BulkJobStatus>().notNull(),
    totalItems: integer("total_items").notNull(),
    successCount: integer("success_count").notNull(),
    failureCount: integer("failure_count").notNull(),
    createdAt: integer("created_at").notNull(),
    completedAt: integer("completed_at"),
    lastProgressAt: integer("last_progress_at").notNull(),
  },
  (table) => [index("bulk_jobs_unfinished").on(table.lastProgressAt).where(sql`completed_at IS NULL`)],
);

export const bulkItems = sqliteTable(
  "bulk_items",
  {
    jobId: text("job_id").notNull(),
    rowIndex: integer("row_index").notNull(),
    status: text("status").$type<BulkItemStatus>().notNull(),
    /** The code to create, with the id of its event, until it is settled. */
    input: text("input", { mode: "json" }),
    error: text("error"),
    qrId: text("qr_id"),
    qrHash: text("qr_hash"),
  },
  (table) => [primaryKey({ columns: [table.jobId, table.rowIndex] })],
);

/** What happened, written in the batch that made it happen, until the workspace's ledger has taken it. */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").primaryKey(),
    workspaceId: text("workspace_id").notNull(),
    kind: text("kind").$type<EventKind>().notNull(),
    data: text("data", { mode: "json" }).$type<object>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("outbox_workspace").on(table.workspaceId, table.id)],
);

/** First responses by Idempotency-Key, kept for 24 hours. */
export const idempotencyRecords = sqliteTable(
  "idempotency_records",
  {
    workspaceId: text("workspace_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 over endpoint and body, hex: the same key with another request is a mistake. */
    fingerprint: text("fingerprint").notNull(),
    response: text("response", { mode: "json" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.key] }),
    index("idempotency_records_age").on(table.createdAt),
  ],
);

/**
 * Changes of routes and pages that are not yet known to have reached every feed and the route cache. Triggers on qr_codes
 * and pages add them in the change's own transaction, so that a crash right after it forgets nothing.
 */
export const pendingPublications = sqliteTable(
  "pending_publications",
  {
    /** A code's hash, or the key of a page. */
    key: text("key").primaryKey(),
    version: integer("version").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [index("pending_publications_age").on(table.changedAt)],
);

/** Queue messages that failed every retry: kept to be looked at and sent again, never dropped. */
export const deadLetters = sqliteTable("dead_letters", {
  id: text("id").primaryKey(),
  queue: text("queue").notNull(),
  body: text("body", { mode: "json" }).notNull(),
  createdAt: integer("created_at").notNull(),
});
