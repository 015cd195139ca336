ALTER TABLE `workspaces` ADD `deletion` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `deletion_due_at` integer;--> statement-breakpoint
CREATE INDEX `workspaces_deletions` ON `workspaces` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;