CREATE TABLE `saved_lists` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`name_order` text NOT NULL,
	`filter` text NOT NULL,
	`sort` text NOT NULL,
	`direction` text NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `saved_lists_live` ON `saved_lists` (`workspace_id`,`owner_id`,`name_order`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `saved_lists_owner` ON `saved_lists` (`owner_id`) WHERE owner_id <> '';--> statement-breakpoint
CREATE INDEX `saved_lists_deleted` ON `saved_lists` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `saved_lists_restorable` ON `saved_lists` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;