CREATE TABLE `print_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`options` text NOT NULL,
	`status` text NOT NULL,
	`total_items` integer NOT NULL,
	`success_count` integer DEFAULT 0 NOT NULL,
	`failure_count` integer DEFAULT 0 NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`error` text,
	`staged_at` integer,
	`next_item` integer DEFAULT 0 NOT NULL,
	`next_copy` integer DEFAULT 0 NOT NULL,
	`parts` text DEFAULT '[]' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`resume_at` integer,
	`expires_at` integer,
	`removed_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `print_jobs_unfinished` ON `print_jobs` (`workspace_id`,`id`) WHERE completed_at IS NULL;--> statement-breakpoint
CREATE INDEX `print_jobs_free` ON `print_jobs` (`resume_at`) WHERE resume_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `print_jobs_of_workspace` ON `print_jobs` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `print_jobs_kept` ON `print_jobs` (`expires_at`) WHERE expires_at IS NOT NULL AND removed_at IS NULL;--> statement-breakpoint
CREATE INDEX `print_jobs_removed` ON `print_jobs` (`removed_at`) WHERE removed_at IS NOT NULL;