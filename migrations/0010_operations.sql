-- Dead letters get an id that orders them by age, the name of the queue they return to, and a time at which they expire.
CREATE TABLE `new_dead_letters` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`message_id` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `new_dead_letters` (`id`, `queue`, `message_id`, `body`, `created_at`, `expires_at`)
SELECT lower(printf('%08x-%04x-7%s-8%s-%s', created_at >> 16, created_at & 65535,
    substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
  replace(queue, '-dead', ''), id, body, created_at,
  created_at + iif(queue = 'scans-dead', 14, 90) * 86400000
FROM `dead_letters`;
--> statement-breakpoint
DROP TABLE `dead_letters`;
--> statement-breakpoint
ALTER TABLE `new_dead_letters` RENAME TO `dead_letters`;
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message` ON `dead_letters` (`queue`,`message_id`);
--> statement-breakpoint
CREATE INDEX `dead_letters_queue` ON `dead_letters` (`queue`,`id`);
--> statement-breakpoint
CREATE INDEX `dead_letters_expiry` ON `dead_letters` (`expires_at`);
--> statement-breakpoint
-- The name for searching, with case folded in every script; null where the name is ASCII, which SQL can fold.
ALTER TABLE `workspaces` ADD `name_folded` text;
