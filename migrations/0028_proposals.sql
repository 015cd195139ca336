CREATE TABLE `proposals` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`key_id` text NOT NULL,
	`digest` text,
	`proposed_by` text NOT NULL,
	`change` text NOT NULL,
	`seen` text NOT NULL,
	`difference` text NOT NULL,
	`bytes` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`used_by` text,
	`result` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `proposals_digest` ON `proposals` (`digest`);--> statement-breakpoint
CREATE INDEX `proposals_workspace` ON `proposals` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `proposals_expiry` ON `proposals` (`expires_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `person_confirms` integer DEFAULT false NOT NULL;