CREATE TABLE `shared_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`digest` text NOT NULL,
	`qr_id` text,
	`tag` text,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shared_reports_digest` ON `shared_reports` (`digest`);--> statement-breakpoint
CREATE INDEX `shared_reports_workspace` ON `shared_reports` (`workspace_id`,`id`);