ALTER TABLE `qr_codes` ADD `readable` integer;--> statement-breakpoint
ALTER TABLE `qr_codes` ADD `measure_at` integer;--> statement-breakpoint
CREATE INDEX `qr_codes_unmeasured` ON `qr_codes` (`workspace_id`,`measure_at`,`id`) WHERE readable IS NULL AND deleted_at IS NULL AND (color_config IS NOT NULL OR advanced IS NOT NULL OR logo_id IS NOT NULL OR shape = 'circle');--> statement-breakpoint
CREATE INDEX `qr_codes_unreadable` ON `qr_codes` (`workspace_id`,`id`) WHERE readable = 0 AND deleted_at IS NULL;