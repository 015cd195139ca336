import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DomainProblem, DomainStatus } from "../../contract/resources/domains.ts";
import type { ScanQuery } from "../../contract/resources/enums.ts";
import { isDeleted, isLive, suspendedColumn, workspaceIdColumn } from "./workspaces.ts";

/** Hosts at which the workspace's codes answer. Several workspaces may claim one; one of them has proved that it is theirs. */
export const domains = sqliteTable(
  "domains",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    host: text("host").notNull(),
    status: text("status").$type<DomainStatus>().notNull(),
    problem: text("problem").$type<DomainProblem>(),
    /** The finding in place of the expected one, such as another CNAME; null for none. */
    detail: text("detail"),
    /** The value that proves the host in DNS. */
    token: text("token").notNull(),
    /** When it was proved that the host is the workspace's; null until then. */
    provedAt: integer("proved_at"),
    /** The id at Cloudflare; null for a host that isn't a custom hostname. */
    customHostnameId: text("custom_hostname_id"),
    isDefault: integer("is_default", { mode: "boolean" }).notNull().default(false),
    name: text("name"),
    rootUrl: text("root_url"),
    unknownUrl: text("unknown_url"),
    query: text("query").$type<ScanQuery>().notNull().default("off"),
    createdAt: integer("created_at").notNull(),
    /** When the host was claimed last: a claim that isn't proved ends some days later. */
    claimedAt: integer("claimed_at").notNull(),
    checkedAt: integer("checked_at"),
    /** When the sweep checks it next; null for never. */
    checkAt: integer("check_at"),
    /** Set while the domain can be restored; its row is then deleted. */
    deletedAt: integer("deleted_at"),
    suspended: suspendedColumn(),
    version: integer("version").notNull(),
    /** The version of the host's route. It keeps growing across the rows of a host. */
    routeVersion: integer("route_version").notNull(),
  },
  (table) => [
    /** Decides between workspaces that prove the same host. */
    uniqueIndex("domains_held").on(table.host).where(sql`proved_at IS NOT NULL AND deleted_at IS NULL`),
    uniqueIndex("domains_live").on(table.workspaceId, table.host).where(isLive),
    index("domains_host").on(table.host),
    index("domains_due").on(table.checkAt).where(sql`check_at IS NOT NULL`),
    /** Counts the custom hostnames of the installation. */
    index("domains_custom").on(table.customHostnameId).where(sql`custom_hostname_id IS NOT NULL`),
    index("domains_suspensions").on(table.id).where(sql`suspended IS NOT NULL`),
    index("domains_deleted").on(table.deletedAt).where(isDeleted),
    index("domains_restorable").on(table.workspaceId, table.deletedAt, table.id).where(isDeleted),
  ],
);

/** The addresses of codes besides their short links. Triggers on qr_codes write it. Without row ids. */
export const aliases = sqliteTable(
  "aliases",
  {
    workspaceId: text("workspace_id").notNull(),
    /** The host and the normalised path. */
    address: text("address").notNull(),
    qrId: text("qr_id").notNull(),
    /** The hash that the path reads like, folded; no other code of the workspace may have it. Null if none. */
    folded: text("folded"),
    version: integer("version").notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.address] }),
    index("aliases_code").on(table.qrId),
    index("aliases_folded").on(table.workspaceId, table.folded).where(sql`folded IS NOT NULL`),
  ],
);
