CREATE TABLE `blocked_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocked_hosts_host` ON `blocked_hosts` (`host`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`route_key` text NOT NULL,
	`hash` text,
	`qr_id` text,
	`page_id` text,
	`workspace_id` text NOT NULL,
	`destination` text,
	`reason` text NOT NULL,
	`details` text,
	`email` text,
	`state` text DEFAULT 'open' NOT NULL,
	`further_reports` integer DEFAULT 0 NOT NULL,
	`note` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`route_key`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `reports_state` ON `reports` (`state`,`id`);--> statement-breakpoint
CREATE INDEX `reports_workspace` ON `reports` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `reports_decided` ON `reports` (`decided_at`);