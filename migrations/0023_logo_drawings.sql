ALTER TABLE `logo_files` ADD `drawing` text;--> statement-breakpoint
ALTER TABLE `logos` ADD `conversion` text;--> statement-breakpoint
CREATE INDEX `logos_unconverted` ON `logos` (`created_at`) WHERE media_type = 'image/svg+xml' AND conversion IS NULL;