DROP INDEX `folders_workspace`;--> statement-breakpoint
DROP INDEX `folders_name`;--> statement-breakpoint
ALTER TABLE `folders` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `folders_live` ON `folders` (`workspace_id`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `folders_deleted` ON `folders` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_restorable` ON `folders` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `folders_name` ON `folders` (`workspace_id`,`name_order`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `deleted_folder_id` text;--> statement-breakpoint
CREATE INDEX `qr_codes_deleted_folder` ON `qr_codes` (`workspace_id`,`deleted_folder_id`) WHERE deleted_folder_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `templates_deleted` ON `templates` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `templates_restorable` ON `templates` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `pages_restorable` ON `pages` (`workspace_id`,`deleted_at`,`id`) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;