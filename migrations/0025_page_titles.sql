DROP INDEX `pages_live`;--> statement-breakpoint
ALTER TABLE `pages` ADD `title_folded` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `pages` SET `title_folded` = upper(`content`->>'title') WHERE `erased_at` IS NULL;--> statement-breakpoint
CREATE INDEX `pages_live` ON `pages` (`workspace_id`,`id`,`title_folded`) WHERE deleted_at IS NULL;
