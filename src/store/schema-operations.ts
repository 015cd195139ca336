import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The catalogue's tables for the operator. They belong to the installation. Times are epoch milliseconds. */

/** Queue messages that failed every retry, kept for the operator. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    /** The queue that the message is put back on: without the suffix of its dead-letter queue. */
    queue: text("queue").notNull(),
    /** The dead-letter queue's id of the message: storing it again changes nothing. */
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

/** Hosts that may not be destinations. */
export const blockedHosts = sqliteTable(
  "blocked_hosts",
  {
    id: text("id").primaryKey(),
    /** As browsers send it: lower case, Punycode. It stands for its subdomains, too. */
    host: text("host").notNull(),
    reason: text("reason").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("blocked_hosts_host").on(table.host)],
);
