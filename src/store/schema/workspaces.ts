import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { type Plan, plans } from "../../contract/plans.ts";
import type { ColorConfig, Utm } from "../../contract/resources/codes/qr.ts";
import type {
  EventKind,
  LogoType,
  QrStatus,
  QrType,
  ScanQuery,
  Shape,
} from "../../contract/resources/enums.ts";
import type { DeletedCodes, erasureSteps } from "../../contract/resources/identity/leaving.ts";
import type { BrandColor } from "../../contract/resources/images/brand.ts";
import type { Advanced } from "../../contract/resources/images/design.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import type { PageContent } from "../../contract/resources/pages.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import type { StoredQrData } from "../codes/stored-data.ts";

/**
 * The tables of workspaces and what belongs to them; the other files in this folder have the rest of the catalogue.
 * Times are epoch milliseconds. Ids are UUIDv7, so rows ordered by id are ordered by age. Tables that are only read by
 * primary key (qr_tags, bulk_items, idempotency_records, waiting_items) are WITHOUT ROWID in the migration, which drizzle can't
 * express.
 */

/** Set while the operator has the row suspended. */
export const suspendedColumn = () => text("suspended", { mode: "json" }).$type<Suspension>();

/** SQL for the bytes that a workspace may store. */
const storageLimit = `coalesce(max_stored_bytes, CASE plan ${Object.entries(plans)
  .map(([plan, { storedBytes }]) => `WHEN '${plan}' THEN ${storedBytes}`)
  .join(" ")} END)`;

/** The deletion of a workspace. Times are epoch milliseconds. */
export interface StoredDeletion {
  readonly codes: DeletedCodes;
  readonly requestedAt: number;
  readonly requestedBy: string;
  readonly eraseAt: number;
  /** Whether everything that ends at once has ended. */
  readonly closed: boolean;
  /** The part that is being erased; null until the erasure begins. */
  readonly step: (typeof erasureSteps)[number] | null;
}

export const workspaces = sqliteTable(
  "workspaces",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    plan: text("plan").$type<Plan>().notNull(),
    /** A raised cap; null for the plan's cap. */
    requestsPerMinute: integer("requests_per_minute"),
    /** Codes that are not deleted. Counted by triggers on qr_codes, so that checking the plan's cap reads one row. */
    liveCodes: integer("live_codes").notNull().default(0),
    /** Codes created and restored on the day `creations_day` (days since the epoch, UTC), counted by triggers on qr_codes. */
    creations: integer("creations").notNull().default(0),
    creationsDay: integer("creations_day").notNull().default(0),
    /** Incremented by every change of plan or cap, so that a meter recognises the newest allowance. */
    planVersion: integer("plan_version").notNull().default(0),
    /** Whether the workspace has ever had a webhook. Until then its events are not stored. */
    hasWebhooks: integer("has_webhooks", { mode: "boolean" }).notNull().default(false),
    suspended: suspendedColumn(),
    /** Incremented by every change of `suspended`: the version of the workspace's route. */
    suspensionVersion: integer("suspension_version").notNull().default(0),
    suspensionChangedAt: integer("suspension_changed_at"),
    createdAt: integer("created_at").notNull(),
    /** The case-folded name for searching, as in `qr_codes`. */
    nameFolded: text("name_folded"),
    /**
     * Bytes of its codes, tags, pages and templates, and of its bulk jobs, including the overhead of rows and indexes.
     * Counted by triggers.
     */
    storedBytes: integer("stored_bytes").notNull().default(0),
    jobBytes: integer("job_bytes").notNull().default(0),
    /** A limit for both together, set by the operator; null for the plan's limit. */
    maxStoredBytes: integer("max_stored_bytes"),
    /** The effective limit. A trigger refuses writes that would exceed it. */
    storageLimit: integer("storage_limit").generatedAlwaysAs(sql.raw(storageLimit), { mode: "virtual" }),
    /** Always 0. Only 1.1.0 uses it, which compares it with its bounds of the outbox. */
    outboxBytes: integer("outbox_bytes").notNull().default(0),
    /** Bytes of its rows in the outbox, their overhead included, if they have waited. Counted by the sweep. */
    waitingBytes: integer("waiting_bytes").notNull().default(0),
    /** Set from the request to delete the workspace on. */
    deletion: text("deletion", { mode: "json" }).$type<StoredDeletion>(),
    /** When the sweep continues the deletion; null if there is nothing to do. */
    deletionDueAt: integer("deletion_due_at"),
    /** The colours of its brand, in their order; null for none. */
    brandColors: text("brand_colors", { mode: "json" }).$type<readonly BrandColor[]>(),
    /** The logo of its brand that stands for it in the dashboard; null for none. */
    logoId: text("logo_id"),
    /** Incremented by every change of its aliases: the version of the newest one's route. */
    aliasVersion: integer("alias_version").notNull().default(0),
    /** Incremented by every change of its name, logo and brand, except those of releases up to 1.1.0. */
    settingsVersion: integer("settings_version").notNull().default(0),
  },
  (table) => [
    index("workspaces_suspensions").on(table.id).where(sql`suspended IS NOT NULL`),
    index("workspaces_waiting").on(table.id).where(sql`waiting_bytes > 0`),
    index("workspaces_deletions").on(table.deletionDueAt).where(sql`deletion_due_at IS NOT NULL`),
  ],
);

/** The workspace that a row belongs to. */
export const workspaceIdColumn = () =>
  text("workspace_id")
    .notNull()
    .references(() => workspaces.id);

/** Incremented by every change, except those of releases that don't know the column yet. */
export const resourceVersionColumn = () => integer("version").notNull().default(0);

export const isLive = sql`deleted_at IS NULL`;
export const isDeleted = sql`deleted_at IS NOT NULL`;

export const folders = sqliteTable(
  "folders",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The case-folded name for searching, as in `qr_codes`. */
    nameFolded: text("name_folded"),
    /** The `naturalOrder` of the name, by which folders are sorted. Names that differ only in case have the same. */
    nameOrder: text("name_order").notNull().default(""),
    /** Set while the folder can be restored; its row is then deleted. */
    deletedAt: integer("deleted_at"),
    version: resourceVersionColumn(),
  },
  (table) => [
    index("folders_live").on(table.workspaceId, table.id).where(isLive),
    index("folders_name").on(table.workspaceId, table.nameOrder, table.id).where(isLive),
    index("folders_deleted").on(table.deletedAt).where(isDeleted),
    index("folders_restorable").on(table.workspaceId, table.deletedAt, table.id).where(isDeleted),
  ],
);

/** Designs that can be applied to codes. */
export const templates = sqliteTable(
  "templates",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    name: text("name").notNull(),
    colorConfig: text("color_config", { mode: "json" }).$type<ColorConfig>(),
    shape: text("shape").$type<Shape>(),
    createdAt: integer("created_at").notNull(),
    /** Id in `logos`, of the same workspace. */
    logoId: text("logo_id"),
    advanced: text("advanced", { mode: "json" }).$type<Advanced>(),
    /** Set while the template can be restored; its row is then deleted. */
    deletedAt: integer("deleted_at"),
    version: resourceVersionColumn(),
  },
  (table) => [
    index("templates_logo").on(table.workspaceId, table.logoId).where(sql`logo_id IS NOT NULL`),
    index("templates_workspace").on(table.workspaceId, table.id),
    index("templates_deleted").on(table.deletedAt).where(isDeleted),
    index("templates_restorable").on(table.workspaceId, table.deletedAt, table.id).where(isDeleted),
  ],
);

/** An SVG whose conversion has not been tried. */
const isUnconverted = sql`media_type = 'image/svg+xml' AND conversion IS NULL`;

/**
 * Whether there is a drawing of a logo: `kept` beside its file; `failed`, once, for reasons that may pass; or none, because
 * of a problem, in words that follow "logo".
 */
export type LogoConversion = "kept" | "failed" | { readonly problem: string };

/** The logos of a workspace, which its brand, its templates and its codes refer to. Their files are in R2, or in `logo_files`. */
export const logos = sqliteTable(
  "logos",
  {
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the bytes, hex: equal logos are stored once. */
    id: text("id").notNull(),
    mediaType: text("media_type").$type<LogoType>().notNull(),
    /** The size of the file in bytes. */
    bytes: integer("bytes").notNull(),
    /** Width and height: in pixels for a PNG, in its own unit for an SVG. */
    size: text("size", { mode: "json" }).$type<{ width: number; height: number }>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was last saved, or the sweep last looked for codes and templates that use it. */
    checkedAt: integer("checked_at").notNull(),
    /** Since when no use is known; null for a logo in use. */
    unusedSince: integer("unused_since"),
    /** When the sweep began to delete the file of this unused logo; null otherwise. */
    removingAt: integer("removing_at"),
    /** Its name in the workspace's brand, which keeps it; null for one that only templates and codes keep. */
    name: text("name"),
    /** Whether a drawing was made of an SVG; null for one that was stored before there were drawings, and for a PNG. */
    conversion: text("conversion", { mode: "json" }).$type<LogoConversion>(),
    version: resourceVersionColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index("logos_checked").on(table.checkedAt).where(sql`removing_at IS NULL`),
    index("logos_removing").on(table.removingAt).where(sql`removing_at IS NOT NULL`),
    index("logos_unconverted").on(table.createdAt).where(isUnconverted),
  ],
);

/** The files of logos that were stored while no bucket was bound. */
export const logoFiles = sqliteTable(
  "logo_files",
  {
    workspaceId: workspaceIdColumn(),
    /** Id in `logos`, of the same workspace. */
    id: text("id").notNull(),
    bytes: blob("bytes").notNull(),
    /** The drawing of an SVG, as JSON. */
    drawing: text("drawing"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
);

/** Deleted rows whose values have not been erased. */
const notErased = sql`deleted_at IS NOT NULL AND erased_at IS NULL`;

/** Hosted pages. */
export const pages = sqliteTable(
  "pages",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** Incremented by every change, like a code's. */
    version: integer("version").notNull(),
    content: text("content", { mode: "json" }).$type<PageContent>().notNull(),
    /** Whether the form has reached the limit of submissions and accepts no more. */
    formClosed: integer("form_closed", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** When the content of the deleted page was erased. */
    erasedAt: integer("erased_at"),
    suspended: suspendedColumn(),
    /** The case-folded title for searching. */
    titleFolded: text("title_folded").notNull().default(""),
  },
  (table) => [
    /** Includes titles, so that searching them doesn't read the pages. */
    index("pages_live").on(table.workspaceId, table.id, table.titleFolded).where(sql`deleted_at IS NULL`),
    /** Finds the pages that need a notice. */
    index("pages_noticed")
      .on(table.workspaceId, table.id)
      .where(sql`(form_closed OR suspended IS NOT NULL) AND deleted_at IS NULL`),
    index("pages_suspensions").on(table.id).where(sql`suspended IS NOT NULL`),
    index("pages_deleted").on(table.deletedAt).where(notErased),
    /** Finds a workspace's pages that can be restored. */
    index("pages_restorable").on(table.workspaceId, table.deletedAt, table.id).where(notErased),
    /** Counts a workspace's pages, including deleted ones that can be restored. */
    index("pages_kept").on(table.workspaceId).where(sql`erased_at IS NULL`),
  ],
);

/** An alias as scans find it: the host and the normalised path, and the hash that the path reads like, folded, if any. */
export type AliasAddress = readonly [address: string, folded: string | null];

export const qrCodes = sqliteTable(
  "qr_codes",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** Never reused, because rows are never deleted. */
    hash: text("hash").notNull(),
    /** The hash as folded by `foldHash`, to find codes by misread hashes; null if an earlier code has the same. */
    hashFolded: text("hash_folded"),
    /** Incremented by every change. Orders records of route cache and feed, and detects concurrent updates. */
    version: integer("version").notNull(),
    qrType: text("qr_type").$type<QrType>().notNull(),
    name: text("name"),
    data: text("data", { mode: "json" }).$type<StoredQrData>().notNull(),
    folderId: text("folder_id"),
    /** The deleted folder that the code returns to if that is restored. Null for a code in a folder. */
    deletedFolderId: text("deleted_folder_id"),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    status: text("status").$type<QrStatus>().notNull(),
    colorConfig: text("color_config", { mode: "json" }).$type<ColorConfig>(),
    shape: text("shape").$type<Shape>(),
    templateId: text("template_id"),
    /** Rows written before a property existed may have any value under its name. */
    advanced: text("advanced", { mode: "json" }).$type<Advanced>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    deletedAt: integer("deleted_at"),
    /** When the values of the deleted code were erased. `data` is then `{}`. */
    erasedAt: integer("erased_at"),
    suspended: suspendedColumn(),
    /** Id in `logos`, of the same workspace: the logo of the template applied last. */
    logoId: text("logo_id"),
    /** The case-folded name for searching; null if SQL's `upper(name)` gives the same, as for ASCII. */
    nameFolded: text("name_folded"),
    startsAt: integer("starts_at"),
    expiresAt: integer("expires_at"),
    fallbackUrl: text("fallback_url"),
    utm: text("utm", { mode: "json" }).$type<Utm>(),
    query: text("query").$type<ScanQuery>().notNull().default("off"),
    /** Whether phones can read its design; null for one that has not been measured, or that is the default. */
    readable: integer("readable", { mode: "boolean" }),
    /** When the sweep tries again to measure the design, after it could not. */
    measureAt: integer("measure_at"),
    /** The client's own id of the code. An erased code has none. */
    externalId: text("external_id"),
    /** The host in its short link; null for the scan origin's. */
    domain: text("domain"),
    /** Its other addresses, each a host and a path, as they were given; null for none. */
    aliases: text("aliases", { mode: "json" }).$type<readonly string[]>(),
    /**
     * The aliases as scans find them, in the same order; null for none. Triggers keep the table `aliases` equal to
     * them.
     */
    aliasAddresses: text("alias_addresses", { mode: "json" }).$type<readonly AliasAddress[]>(),
    /** Set for a code whose hash domains don't know, since a publishable key created it; null for all others. */
    scanOriginOnly: integer("scan_origin_only", { mode: "boolean" }),
  },
  (table) => [
    uniqueIndex("qr_codes_external_id")
      .on(table.workspaceId, table.externalId)
      .where(sql`external_id IS NOT NULL`),
    uniqueIndex("qr_codes_hash").on(table.hash),
    uniqueIndex("qr_codes_hash_folded").on(table.hashFolded),
    index("qr_codes_live").on(table.workspaceId, table.id).where(sql`deleted_at IS NULL`),
    index("qr_codes_folder")
      .on(table.workspaceId, table.folderId, table.id)
      .where(sql`deleted_at IS NULL AND folder_id IS NOT NULL`),
    /** Orders codes by name. `nameOrder` in codes/list.ts is the same expression. */
    index("qr_codes_name")
      .on(
        table.workspaceId,
        sql`CASE WHEN name IS NULL THEN char(1114111) WHEN name_folded IS NULL THEN upper(name) ELSE name_folded END || char(1) || id`,
      )
      .where(sql`deleted_at IS NULL`),
    index("qr_codes_changed").on(table.workspaceId, table.updatedAt).where(sql`deleted_at IS NULL`),
    // Most codes are links.
    index("qr_codes_type")
      .on(table.workspaceId, table.qrType, table.id)
      .where(sql`deleted_at IS NULL AND qr_type <> 'url'`),
    /** Finds the codes that link to a hosted page. */
    index("qr_codes_page")
      .on(sql`data->>'pageId'`)
      .where(sql`qr_type = 'servicepage' AND deleted_at IS NULL`),
    index("qr_codes_suspended")
      .on(table.workspaceId, table.id)
      .where(sql`suspended IS NOT NULL AND deleted_at IS NULL`),
    index("qr_codes_suspensions").on(table.id).where(sql`suspended IS NOT NULL`),
    index("qr_codes_logo").on(table.workspaceId, table.logoId).where(sql`logo_id IS NOT NULL`),
    /** Finds the codes whose design the sweep measures. */
    index("qr_codes_unmeasured")
      .on(table.workspaceId, table.measureAt, table.id)
      .where(
        sql`readable IS NULL AND deleted_at IS NULL AND (color_config IS NOT NULL OR advanced IS NOT NULL OR logo_id IS NOT NULL OR shape = 'circle')`,
      ),
    index("qr_codes_unreadable")
      .on(table.workspaceId, table.id)
      .where(sql`readable = 0 AND deleted_at IS NULL`),
    index("qr_codes_deleted_folder")
      .on(table.workspaceId, table.deletedFolderId)
      .where(sql`deleted_folder_id IS NOT NULL`),
    index("qr_codes_deleted").on(table.deletedAt).where(notErased),
    /** Counts the codes of a domain. */
    index("qr_codes_domain")
      .on(table.workspaceId, table.domain)
      .where(sql`domain IS NOT NULL AND deleted_at IS NULL`),
    /** Finds a workspace's codes that can be restored. */
    index("qr_codes_restorable").on(table.workspaceId, table.deletedAt, table.id).where(notErased),
  ],
);

/** The index of the tag filter: one row per code and tag. Triggers keep it in sync with `qr_codes.tags`. */
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

/**
 * Changes, inserted in their transaction until the workspace's ledger has stored them: as an event for webhooks, as an
 * entry of the history, or both.
 */
export const outbox = sqliteTable(
  "outbox",
  {
    id: text("id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    /** Empty if the workspace has no webhooks; then `data` is empty, too. */
    kind: text("kind").$type<EventKind | "">().notNull(),
    data: text("data", { mode: "json" }).$type<object>().notNull(),
    /** Null for an event that changes nothing. */
    history: text("history", { mode: "json" }).$type<HistoryEntry>(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
);

/** Who forwards a workspace's events, or did last. A row is written for each forwarding, and stays. */
export const forwardingLeases = sqliteTable("forwarding_leases", {
  workspaceId: text("workspace_id").primaryKey(),
  /** Identifies the forwarder. */
  holder: text("holder").notNull(),
  /** Epoch milliseconds. If in the past: when the forwarder gave up or should have finished; 0 if it left nothing. */
  until: integer("until").notNull(),
});

/** The first response to each Idempotency-Key of an API key or user, kept for 24 hours. */
export const idempotencyRecords = sqliteTable(
  "idempotency_records",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The API key of the request; for a form in the dashboard, `user:` and the user's id. */
    keyId: text("key_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of endpoint and body, hex. Reusing the key for a different request is an error. */
    fingerprint: text("fingerprint").notNull(),
    response: text("response", { mode: "json" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.keyId, table.key] }),
    index("idempotency_records_age").on(table.createdAt),
  ],
);

/**
 * Route changes that may not have reached every feed and the route cache yet. Triggers on qr_codes, pages and
 * workspaces add them in the transaction of the change, so that a crash right after it loses none.
 */
export const pendingPublications = sqliteTable(
  "pending_publications",
  {
    /** A code's hash, or `page:` or `workspace:` followed by an id. */
    key: text("key").primaryKey(),
    version: integer("version").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [index("pending_publications_age").on(table.changedAt)],
);
