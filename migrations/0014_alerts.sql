CREATE TABLE `alert_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`ledger` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`name` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`since` integer NOT NULL,
	`sent_at` integer,
	`clear_since` integer
);
