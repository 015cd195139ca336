ALTER TABLE `api_keys` ADD `capped_at` integer;--> statement-breakpoint
CREATE INDEX `api_keys_capped` ON `api_keys` (`workspace_id`,`capped_at`) WHERE capped_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `pages_noticed` ON `pages` (`workspace_id`,`id`) WHERE (form_closed OR suspended IS NOT NULL) AND deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_name` ON `qr_codes` (`workspace_id`,CASE WHEN name IS NULL THEN char(1114111) WHEN name_folded IS NULL THEN upper(name) ELSE name_folded END || char(1) || id) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `qr_codes_suspended` ON `qr_codes` (`workspace_id`,`id`) WHERE suspended IS NOT NULL AND deleted_at IS NULL;