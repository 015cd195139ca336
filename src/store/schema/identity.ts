import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { KeyType, Scope } from "../../contract/resources/enums.ts";
import type { Role } from "../../contract/roles.ts";
import { resourceVersionColumn, workspaceIdColumn } from "./workspaces.ts";

/** Tables of who may act for a workspace. */

/**
 * Users, as their identity provider describes them. Those who joined with a passkey have the issuer `passkey` and their
 * own id as subject.
 */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    issuer: text("issuer").notNull(),
    /** The provider's immutable id of the user. */
    subject: text("subject").notNull(),
    name: text("name"),
    email: text("email"),
    createdAt: integer("created_at").notNull(),
    /** Their address, in lower case, if the provider said at the last sign-in that it has verified it. */
    verifiedEmail: text("verified_email"),
    /** When the user last signed out everywhere. Tokens that the provider issued earlier are refused. */
    signedOutAt: integer("signed_out_at"),
  },
  (table) => [uniqueIndex("users_subject").on(table.issuer, table.subject)],
);

/** Active sessions; signing out deletes the row. Cookies carry the id, encrypted. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The browser and system that signed in, such as "Firefox on Windows"; null if unknown. */
    device: text("device"),
    /** Recorded at most once an hour; null before. */
    lastUsedAt: integer("last_used_at"),
    /** The workspace that was chosen in this session; null for the one that the user chose last. */
    workspaceId: text("workspace_id"),
    /** When the person last proved in this session who they are; null if their provider doesn't say. */
    authenticatedAt: integer("authenticated_at"),
    /** Passkeys added until then need no notice in this session; null for none. */
    passkeysSeenAt: integer("passkeys_seen_at"),
  },
  (table) => [
    index("sessions_user").on(table.userId, table.id),
    index("sessions_expiry").on(table.expiresAt),
  ],
);

/** The passkeys with which users sign in. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /** The authenticator's id of it, base64url. */
    credentialId: text("credential_id").notNull(),
    /** COSE, base64url. */
    publicKey: text("public_key").notNull(),
    /** How often the authenticator says it has signed; always 0 for those that don't count. */
    counter: integer("counter").notNull(),
    /** How browsers can reach the authenticator, such as `internal` and `usb`. */
    transports: text("transports", { mode: "json" }).$type<readonly string[]>().notNull(),
    name: text("name").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    uniqueIndex("passkeys_credential").on(table.credentialId),
    index("passkeys_user").on(table.userId, table.id),
  ],
);

/** The challenges that passkeys have signed, until they expire: a signature is accepted once. */
export const spentChallenges = sqliteTable(
  "spent_challenges",
  {
    /** SHA-256, hex. */
    digest: text("digest").primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("spent_challenges_expiry").on(table.expiresAt)],
);

/** The operator's one-time links that have not been used: for new owners, and for people who lost their passkeys. */
export const signInLinks = sqliteTable(
  "sign_in_links",
  {
    /** SHA-256 of the link's token, hex. The token itself is never stored. */
    digest: text("digest").primaryKey(),
    /** Whose passkeys a recovery link replaces; null for the link of a new owner. */
    userId: text("user_id").references(() => users.id),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("sign_in_links_user").on(table.userId),
    index("sign_in_links_expiry").on(table.expiresAt),
  ],
);

/** The users who may act for a workspace. A workspace always has an owner. */
export const members = sqliteTable(
  "members",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    workspaceId: workspaceIdColumn(),
    createdAt: integer("created_at").notNull(),
    role: text("role").$type<Role>().notNull().default("owner"),
    /** When the user last switched to the workspace; null if they never did. */
    chosenAt: integer("chosen_at"),
    version: resourceVersionColumn(),
    /** Until when what waits is out of their way, epoch milliseconds by kind and id; null for nothing. */
    postponed: text("postponed", { mode: "json" }).$type<Readonly<Record<string, number>>>(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.workspaceId] }),
    index("members_workspace").on(table.workspaceId),
  ],
);

/** The links by which people join a workspace. A link's row is deleted in the transaction that uses it. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the link's token, hex. The token itself is never stored. */
    digest: text("digest").notNull(),
    role: text("role").$type<Role>().notNull(),
    /** In lower case: only who has verified this address can join; null for anyone with the link. */
    email: text("email"),
    /** The user's id. Their invitations are deleted when they leave. */
    invitedBy: text("invited_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    version: resourceVersionColumn(),
  },
  (table) => [
    uniqueIndex("invitations_digest").on(table.digest),
    index("invitations_workspace").on(table.workspaceId, table.id),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    name: text("name").notNull(),
    type: text("type").$type<KeyType>().notNull(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    origins: text("origins", { mode: "json" }).$type<string[]>().notNull(),
    /** SHA-256 of the key, hex. The key itself is never stored. */
    digest: text("digest").notNull(),
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
    /** Set while a revoked key's meter doesn't know yet: when it was last tried. */
    revocationPendingAt: integer("revocation_pending_at"),
    /** When the key was first refused at its cap on the last day this happened. */
    cappedAt: integer("capped_at"),
    /** Id in `users`, which may have been deleted since; null for keys of version 1.0. */
    createdBy: text("created_by"),
    /** From then on the key is refused; null for never. */
    expiresAt: integer("expires_at"),
    /** The id of the key that this one was rotated to. */
    replacedBy: text("replaced_by"),
    /** Whether the key only proposes changes, which a person confirms. */
    personConfirms: integer("person_confirms", { mode: "boolean" }).notNull().default(false),
    /** Whether new codes of a publishable key have the workspace's default domain, and answer at all its domains. */
    usesDomains: integer("uses_domains", { mode: "boolean" }).notNull().default(false),
    version: resourceVersionColumn(),
  },
  (table) => [
    uniqueIndex("api_keys_digest").on(table.digest),
    index("api_keys_revocation_pending")
      .on(table.revocationPendingAt)
      .where(sql`revocation_pending_at IS NOT NULL`),
    index("api_keys_revoked").on(table.revokedAt).where(sql`revoked_at IS NOT NULL`),
    index("api_keys_capped").on(table.workspaceId, table.cappedAt).where(sql`capped_at IS NOT NULL`),
    index("api_keys_expiry").on(table.expiresAt).where(sql`expires_at IS NOT NULL`),
    index("api_keys_expiring").on(table.workspaceId, table.expiresAt).where(sql`expires_at IS NOT NULL`),
    index("api_keys_workspace").on(table.workspaceId, table.id),
  ],
);
