CREATE TABLE `blocked_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_host` ON `blocked_hosts` (`host`);