CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`digest` text NOT NULL,
	`role` text NOT NULL,
	`email` text,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_digest` ON `invitations` (`digest`);--> statement-breakpoint
CREATE INDEX `invitations_workspace` ON `invitations` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
ALTER TABLE `members` ADD `chosen_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `workspace_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `verified_email` text;