-- The files of logos are in R2. A logo that nothing uses is removed.
DROP TABLE `logos`;--> statement-breakpoint
CREATE TABLE `logos` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`size` text NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`unused_since` integer,
	`removing_at` integer,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `logos_checked` ON `logos` (`checked_at`) WHERE removing_at IS NULL;--> statement-breakpoint
CREATE INDEX `logos_removing` ON `logos` (`removing_at`) WHERE removing_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_logo` ON `qr_codes` (`workspace_id`,`logo_id`) WHERE logo_id IS NOT NULL;
