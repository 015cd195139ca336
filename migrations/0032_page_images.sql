CREATE TABLE `page_images` (
	`workspace_id` text NOT NULL,
	`id` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`removing_at` integer,
	PRIMARY KEY(`workspace_id`, `id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `page_images_used` ON `page_images` (`used_at`);